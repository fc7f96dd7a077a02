"""Offline plans on the host's engine: TFLM's offsets, and damaged plans refused by type."""

from __future__ import annotations

import random
import struct

import pytest

import pyref
from fixtures.writer import Metadata, Model, Operator, SubGraph, Tensor, build
from pyref.arena import offline
from tests.firmware.engine_on_host import (
    ARENA_SIZE,
    FIXTURES,
    apply_damage,
    crc_of,
    damage,
    needs_gcc,
    run,
)
from tests.firmware.test_engine_planner import Graph

pytestmark = needs_gcc

FIRST_OFFSET_WORD = 3


def chain(*plans, cut=0, buffer=None):
    """Four tensors of 64 bytes in a row and a fifth that nothing uses; entries for plans."""
    tensors = [Tensor([64], scale=0.5, name=f"t{i}") for i in range(5)]
    operators = [Operator("RESHAPE", [i], [i + 1], {}) for i in range(3)]
    metadata = []
    for words in plans:
        data = struct.pack(f"<{len(words)}i", *words)
        metadata.append(Metadata(offline.METADATA, data[: len(data) - cut]))
    if buffer is not None:
        metadata.append(Metadata(offline.METADATA, buffer=buffer))
    return build(Model([SubGraph(tensors, operators, [0], [3])], metadata=metadata or None))


def plan_of(*offsets):
    return (1, 0, 5, *offsets)


def inputs_of(data):
    return pyref.seeded_inputs(pyref.Model.from_bytes(data), 0)


def place_of(data, word):
    """Position of a word of the plan in the file."""
    entry = pyref.Model.from_bytes(data).metadata[offline.METADATA]
    assert data.count(bytes(entry)) == 1
    return data.index(bytes(entry)) + 4 * word


def assert_like_pyref(data, seed=0):
    """The same offsets, head and smallest arena as planned, the same bytes."""
    model = pyref.Model.from_bytes(data)
    inputs = pyref.seeded_inputs(model, seed)
    got = run(data, inputs)
    assert got.error is None
    plan = pyref.plan(model, tflm="hil-1", kernels="reference")
    assert plan.warnings == ()
    assert got.offsets == dict(plan.tensor_offsets)
    assert got.offsets == dict(pyref.plan(model, kernels="reference").tensor_offsets)
    assert got.arena[0] == plan.head_bytes
    expected = pyref.run(model, inputs)
    for (*_, tensor, raw), wanted in zip(got.outputs, expected.operators, strict=True):
        assert raw == wanted.outputs[tensor].tobytes()
    return got


def fixed_offsets(model, chooser):
    """Some of the tensors, one over the other at any time, with holes between."""
    offsets, at = {}, 0
    tensors = [p.buffer for p in pyref.plan(model, kernels="reference").placed]
    for buffer in chooser.sample(tensors, chooser.randint(1, len(tensors))):
        at += 16 * chooser.choice([0, 0, 1, 7])
        offsets[buffer.subgraph, buffer.index] = at
        at += buffer.size
    return offsets


@pytest.mark.parametrize("seed", range(40))
def test_a_part_of_the_tensors_fixed(seed):
    graph = Graph(seed)
    if not graph.operators:
        pytest.skip("this seed's graph has no operator")
    model = pyref.Model.from_bytes(graph.build())
    offsets = fixed_offsets(model, random.Random(seed))  # noqa: S311 - a test's choices
    got = assert_like_pyref(offline.write(model, offsets), seed)
    assert {i: got.offsets[i] for _, i in offsets} == {i: at for (_, i), at in offsets.items()}


@pytest.mark.parametrize("name", ["dense", "odd", "c2_bn"])
def test_fixtures_with_every_other_tensor_fixed(name):
    model = pyref.Model.from_file(FIXTURES / f"{name}.tflite")
    greedy = pyref.plan(model, kernels="reference").tensor_offsets
    moved = {(0, i): at + 32 for i, at in greedy.items() if i % 2}
    assert_like_pyref(offline.write(model, moved))


def test_what_a_plan_says_of_tensors_without_memory_does_not_matter():
    tensors = [Tensor([4], scale=0.5), Tensor([0], scale=0.5), Tensor([4], scale=0.5)]
    graph = SubGraph(tensors, [Operator("RESHAPE", [0], [2], {})], [0], [2])
    words = struct.pack("<6i", 7, 9, 3, 32, 3, 0)
    got = assert_like_pyref(build(Model([graph], metadata=[Metadata(offline.METADATA, words)])))
    assert got.offsets == {0: 32, 2: 0}


def test_a_tensor_that_nothing_uses_is_in_nobodys_way():
    got = assert_like_pyref(chain(plan_of(0, 64, 0, 64, 0)))
    assert got.arena[0] == 128


def test_of_several_plans_the_last_counts():
    data = chain(plan_of(0, 64, 0, 64, -1), plan_of(64, 0, 64, 0, -1))
    assert run(data, inputs_of(data)).offsets == {0: 64, 1: 0, 2: 64, 3: 0, 4: 0}


def test_an_empty_name_or_another_is_no_plan():
    for name in ("", "OfflineMemoryAllocatio", "OfflineMemoryAllocation2"):
        graph = SubGraph([Tensor([4]), Tensor([4])], [Operator("RESHAPE", [0], [1], {})], [0], [1])
        data = build(Model([graph], metadata=[Metadata(name, b"\1")]))
        assert run(data, inputs_of(data)).error is None


BROKEN = {
    "header": ({"plans": [(1, 0)]}, "MODEL_INVALID", -1, (12, 8)),
    "empty": ({"plans": [], "buffer": 0}, "MODEL_INVALID", -1, (12, 0)),
    "count": ({"plans": [(1, 0, 4, 0, 64, 0, 64)]}, "MODEL_INVALID", -1, (5, 4)),
    "count_huge": ({"plans": [(1, 0, -1, 0, 64, 0, 64, 0)]}, "MODEL_INVALID", -1, (5, 2**32 - 1)),
    "count_of_an_earlier_one": (
        {"plans": [(1, 0, 4, 0, 64, 0, 64), plan_of(0, 64, 0, 64, 0)]},
        "MODEL_INVALID",
        -1,
        (5, 4),
    ),
    "cut": ({"plans": [(1, 0, 5, 0, 64, 0)]}, "MODEL_INVALID", -1, (32, 24)),
    "cut_by_a_byte": (
        {"plans": [plan_of(0, 64, 0, 64, -1)], "cut": 1},
        "MODEL_INVALID",
        -1,
        (32, 31),
    ),
    "negative": ({"plans": [plan_of(0, -2, 0, 64, -1)]}, "MODEL_INVALID", 1, (-1, -2)),
    "unaligned": ({"plans": [plan_of(0, 68, 0, 64, -1)]}, "UNSUPPORTED", 1, (16, 68)),
    "same_place": ({"plans": [plan_of(0, 0, 64, 0, -1)]}, "UNSUPPORTED", 1, (-1, 0)),
    "overlap": ({"plans": [plan_of(0, 64, 112, 0, -1)]}, "UNSUPPORTED", 2, (-1, 1)),
    "overlap_below": ({"plans": [plan_of(48, 0, 64, 0, -1)]}, "UNSUPPORTED", 1, (-1, 0)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_plans_are_refused(name):
    make, status, tensor, (expected, got) = BROKEN[name]
    plans = make["plans"]
    error = run(chain(*plans, **{k: v for k, v in make.items() if k != "plans"}), [])
    assert error.status == status, error.error
    assert error.number("tensor") == tensor
    assert (error.number("expected"), error.number("got")) == (expected, got)
    assert "offline memory plan" in error.error


@pytest.mark.parametrize("offset", [ARENA_SIZE - 64, ARENA_SIZE, 0x7FFFFFF0])
def test_beyond_the_arena(offset):
    data = chain(plan_of(0, 64, offset, 64, -1))
    error = run(data, [])
    assert error.status == "ARENA_TOO_SMALL"
    assert error.number("tensor") == 2
    assert error.number("position") == place_of(data, FIRST_OFFSET_WORD + 2)
    tail = pyref.plan(pyref.Model.from_bytes(chain()), tflm="hil-1", kernels="reference").tail_bytes
    assert error.number("expected") > offset + 64 + tail  # pointers of the host are longer
    assert error.number("got") == ARENA_SIZE


def test_the_smallest_arena_of_a_plan():
    data = chain(plan_of(4096, 0, 4096, 0, -1))
    inputs = inputs_of(data)
    needed = run(data, inputs).arena[2]
    assert run(data, inputs, arena_size=needed).error is None
    assert run(data, inputs, arena_size=needed - 16).status == "ARENA_TOO_SMALL"


def sound(data, line):
    """What the engine has to print if it runs a damaged file: pyref's outputs."""
    model = pyref.Model.from_bytes(apply_damage(data, line))
    return crc_of(
        a
        for o in pyref.run(model, pyref.seeded_inputs(pyref.Model.from_bytes(data), 0)).operators
        for a in o.outputs.values()
    )


def test_every_word_and_bit_of_a_plan_damaged():
    data = chain(plan_of(0, 64, 0, 64, -1))
    start = place_of(data, 0)
    values = [0, 1, 2**31, 2**32 - 1, 2**31 - 16, 2**31 - 1, 16, 48, 64, 128, ARENA_SIZE - 64]
    damages = [f"word {start + 4 * w - 4} {v}" for w in range(9) for v in values]
    damages += [f"flip {at} {1 << bit}" for at in range(start - 4, start + 32) for bit in range(8)]
    statuses = set()
    for line, result in zip(damages, damage(data, inputs_of(data), damages), strict=True):
        if result.startswith("ok"):
            assert result == sound(data, line), line
            statuses.add("OK")
        else:
            statuses.add(result.split()[1])
    assert statuses == {
        "OK",
        "MODEL_MALFORMED",  # the vector's length
        "MODEL_INVALID",
        "UNSUPPORTED",
        "ARENA_TOO_SMALL",
    }


def test_a_plan_cut_anywhere():
    data = chain(plan_of(0, 64, 0, 64, -1))
    results = damage(data, inputs_of(data), [f"cut {n}" for n in range(len(data))])
    assert {r.split()[0] for r in results} == {"error"}
