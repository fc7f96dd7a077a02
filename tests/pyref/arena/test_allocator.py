"""The arena's two ends, and TFLM's words when they meet."""

from __future__ import annotations

import pytest

from pyref.arena import ArenaTooSmallError
from pyref.arena.allocator import Arena, SplitArena, align_down, align_up
from pyref.arena.events import Owner


def test_alignment():
    assert [align_up(v, 16) for v in (0, 1, 16, 17)] == [0, 16, 16, 32]
    assert [align_down(v, 16) for v in (0, 1, 16, 31)] == [0, 0, 16, 16]


def test_head_is_aligned_and_the_tail_is_not():
    arena = Arena(base=4, size=100)
    assert (arena.buffer_head, arena.buffer_tail) == (16, 104)
    arena.persistent(10, 4)
    assert arena.tail == 92
    arena.persistent(1, 16)
    assert arena.tail == 80


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda a: a.persistent(100, 16),
            # "available" is what is missing after alignment, taken from the request.
            "Failed to allocate tail memory. Requested: 100, available 52, missing: 48",
        ),
        (
            lambda a: a.allocate_temp(50, 4),
            "Failed to allocate temp memory. Requested: 50, available 48, missing: 2",
        ),
        (
            lambda a: a.resize(65, 4),
            "Failed to resize buffer. Requested: 65, available 64, missing: 1",
        ),
    ],
    ids=["tail", "temp", "resize"],
)
def test_messages_are_tflms(call, message):
    arena = Arena(0, 64)
    arena.resize(16, 4)
    if "tail" in message:
        arena.resize(0, 1)
    with pytest.raises(ArenaTooSmallError) as caught:
        call(arena)
    assert str(caught.value) == message
    assert caught.value.message == message
    assert not caught.value.silent


def test_available_is_printed_unsigned():
    arena = Arena(0, 16)
    arena.resize(16, 4)
    with pytest.raises(ArenaTooSmallError) as caught:
        arena.persistent(8, 4)
    assert caught.value.message.endswith("Requested: 8, available 0, missing: 8")
    with pytest.raises(ArenaTooSmallError) as caught:
        Arena(0, 0).persistent(36, 4)
    assert caught.value.message.endswith("Requested: 36, available 0, missing: 36")


def test_a_huge_request_is_a_misread_model():
    owner = Owner("planned memory")
    with pytest.raises(ArenaTooSmallError, match="a misread model, not a small arena") as caught:
        Arena(0, 1024).resize((1 << 32) - 80, 16, owner)
    assert caught.value.message == (
        "Failed to resize buffer. Requested: 4294967216, available 1024, missing: 4294966192"
    )
    assert "asked for by planned memory" in str(caught.value)


def test_a_block_over_temporaries_is_silent_on_the_device():
    arena = Arena(0, 64)
    arena.allocate_temp(32, 4)
    with pytest.raises(ArenaTooSmallError, match="16 bytes of the block lie over temporary") as e:
        arena.persistent(48, 16)
    assert e.value.silent
    assert arena.persistent(48, 16, touched=False) == 16
    with pytest.raises(ArenaTooSmallError, match="takes the difference for 4294967280 bytes") as e:
        arena.allocate_temp(4, 4)
    assert e.value.silent


def test_zero_points_at_the_end_of_the_temporaries_may_be_written_over():
    arena = Arena(0, 64)
    arena.allocate_temp(32, 4)
    arena.allocate_temp(16, 4, vital=False)
    assert arena.persistent(32, 16) == 32


def test_two_arenas_do_not_meet():
    arena = SplitArena(0, 40, 1001, 100)
    assert (arena.buffer_head, arena.buffer_tail) == (1008, 32)
    arena.persistent(32, 16)
    with pytest.raises(
        ArenaTooSmallError, match=r"Failed to allocate tail memory\. Requested: 1, "
    ):
        arena.persistent(1, 16)
    arena.resize(93, 1)
    with pytest.raises(ArenaTooSmallError, match=r"Failed to resize buffer\. Requested: 94, "):
        arena.resize(94, 1)
