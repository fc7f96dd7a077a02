"""Planners, rule by rule."""

from __future__ import annotations

import random

import pytest

from pyref.arena import Buffer
from pyref.arena.bounds import lower_bound, overlaps
from pyref.arena.planners import branch_and_bound, cp_sat, greedy, linear, peak
from pyref.errors import PlanError


def buffer(size, first, last, *, fixed=-1):
    return Buffer("tensor", 0, 0, size, size, first, last, offline_offset=fixed)


def test_equal_sizes_are_placed_last_added_first():
    chain = [buffer(64, 0, 1), buffer(64, 1, 2), buffer(64, 2, 3)]
    offsets = greedy.place(chain)
    assert offsets == [0, 64, 0]
    assert peak(chain, offsets) == 128
    assert greedy.order(chain) == [2, 1, 0]


def test_first_gap_that_is_large_enough():
    buffers = [
        buffer(64, 0, 9, fixed=0),
        buffer(64, 0, 9, fixed=96),
        buffer(64, 0, 9, fixed=192),
        buffer(32, 0, 9),
        buffer(16, 0, 9),
        buffer(48, 0, 9),
    ]
    assert greedy.place(buffers) == [0, 96, 192, 64, 160, 256]


def test_a_gap_is_measured_between_buffers_alive_at_the_same_time():
    buffers = [buffer(100, 0, 1), buffer(90, 3, 4), buffer(10, 0, 4), buffer(80, 4, 5)]
    assert greedy.place(buffers) == [0, 0, 170, 90]


def test_offline_offsets_are_taken_as_they_are():
    buffers = [buffer(64, 0, 1), buffer(32, 0, 1, fixed=16), buffer(16, 0, 1)]
    assert greedy.place(buffers) == [48, 16, 0]


def test_linear_uses_no_memory_twice():
    buffers = [buffer(16, 0, 1), buffer(48, 5, 6), buffer(32, 9, 9)]
    assert linear.place(buffers) == [0, 16, 64]
    assert linear.place([]) == []


def test_linear_limits():
    with pytest.raises(PlanError, match=r"^Too many buffers \(max is 1024\)$"):
        linear.place([buffer(16, 0, 1)] * 1025)
    with pytest.raises(PlanError, match="takes no offline offsets"):
        linear.place([buffer(16, 0, 1, fixed=0)])


def test_bounds():
    buffers = [buffer(100, 0, 1), buffer(90, 1, 2), buffer(80, 2, 3)]
    assert lower_bound(buffers) == 190
    assert lower_bound([]) == 0
    assert overlaps(buffers, [0, 100, 0]) == []
    assert overlaps(buffers, [0, 50, 0]) == [(0, 1), (1, 2)]


def random_buffers(seed, count):
    rng = random.Random(seed)  # noqa: S311 - no secrets here
    return [
        buffer(16 * rng.randint(1, 40), first := rng.randint(0, 12), first + rng.randint(0, 4))
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_greedy_never_overlaps(seed):
    buffers = random_buffers(seed, 40)
    offsets = greedy.place(buffers)
    assert overlaps(buffers, offsets) == []
    assert peak(buffers, offsets) >= lower_bound(buffers)


@pytest.mark.parametrize("seed", range(4))
def test_branch_and_bound_is_exact(seed):
    buffers = random_buffers(seed, 7)
    first = greedy.place(buffers)
    offsets, proven = branch_and_bound.place(buffers, first, 20)
    assert proven
    assert overlaps(buffers, offsets) == []
    best = peak(buffers, offsets)
    assert lower_bound(buffers) <= best <= peak(buffers, first)
    if cp_sat.AVAILABLE:
        other, sure = cp_sat.place(buffers, first, 20)
        assert sure
        assert overlaps(buffers, other) == []
        assert peak(buffers, other) == best


@pytest.mark.skipif(not cp_sat.AVAILABLE, reason="OR-tools (extra `solver`) is not installed")
def test_cp_sat_on_a_larger_plan():
    buffers = random_buffers(7, 40)
    first = greedy.place(buffers)
    offsets, _ = cp_sat.place(buffers, first, 2)
    assert overlaps(buffers, offsets) == []
    assert peak(buffers, offsets) <= peak(buffers, first)
    assert all(o % 16 == 0 for o in offsets)
