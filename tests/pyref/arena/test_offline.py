"""Offline plans: read as TFLM reads them, refused where it would go wrong, and written."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import pyref
from fixtures.writer import Buffer, Metadata, Model, Operator, SubGraph, Tensor, build
from pyref.arena import OfflinePlanError, offline, optimum
from pyref.arena.bounds import overlaps
from tests.public_models import MODELS, needs_models
from tests.pyref.arena.cases import CASES, const, q
from tests.tflm import Case, needs_tflm, run_many

PUBLIC = [
    "mlperf_tiny/vww_96_int8.tflite",
    "mlperf_tiny/pretrainedResnet_quant.tflite",
    "micro_wake_word/vad.tflite",
]


def chain(metadata=None, **more):
    """Four tensors of 64 bytes in a row."""
    tensors = [q([64]) for _ in range(4)]
    operators = [Operator("RELU", [i], [i + 1]) for i in range(3)]
    return Model([SubGraph(tensors, operators, [0], [3])], metadata=metadata, **more)


def with_words(*words, cut=0):
    data = struct.pack(f"<{len(words)}i", *words)
    return build(chain([Metadata(offline.METADATA, data[: len(data) - cut])]))


def test_offsets_are_followed():
    model = pyref.Model.from_bytes(with_words(1, 0, 4, 0, 128, -1, 256))
    plan = pyref.plan(model)
    assert dict(plan.tensor_offsets) == {0: 0, 1: 128, 2: 0, 3: 256}
    assert plan.head_bytes == 320


@pytest.mark.parametrize(
    ("words", "cut", "message"),
    [
        (
            (1, 0, 3, 0, 0, 0),
            0,
            "Nbr of offline buffer offsets (3) in metadata not equal nbr tensors (4)",
        ),
        (
            (1, 0, 4, 0, 0),
            0,
            "OfflineMemoryAllocation is cut off: 20 bytes for 4 offsets, 28 needed",
        ),
        (
            (1, 0, 4, 0, 64, 0, 64),
            1,
            "OfflineMemoryAllocation is cut off: 27 bytes for 4 offsets, 28 needed",
        ),
        ((1, 0), 0, "OfflineMemoryAllocation is cut off: 8 bytes, its header alone takes 12"),
        (
            (1, 0, 4, 0, -2, 0, 0),
            0,
            "OfflineMemoryAllocation puts tensor 1 at offset -2: before the arena",
        ),
    ],
    ids=["count", "short", "one_byte_short", "header", "negative"],
)
def test_broken_plans_are_refused(words, cut, message):
    model = pyref.Model.from_bytes(with_words(*words, cut=cut))
    with pytest.raises(OfflinePlanError) as caught:
        pyref.plan(model)
    assert str(caught.value) == message
    assert isinstance(caught.value, pyref.PlanError)


def test_empty_metadata_is_refused():
    model = pyref.Model.from_bytes(build(chain([Metadata(offline.METADATA, buffer=0)])))
    with pytest.raises(OfflinePlanError, match="0 bytes, its header alone takes 12"):
        pyref.plan(model)


def test_a_variable_of_a_later_subgraph_is_looked_up_by_its_own_index():
    """TFLM reads offset 0 of the list for tensor 0 of subgraph 1, not offset 2."""
    main = SubGraph([q([16]), q([16])], [Operator("RELU", [0], [1])], [0], [1])
    state = Tensor([16], type="INT8", scale=0.5, zero_point=0, is_variable=True)
    other = SubGraph([state], [], [], [], name="other")

    def variables(*offsets):
        data = struct.pack("<6i", 1, 0, 3, *offsets)
        bytes_ = build(Model([main, other], metadata=[Metadata(offline.METADATA, data)]))
        plan = pyref.plan(pyref.Model.from_bytes(bytes_))
        return sum(c.used for c in plan.consumers if c.part == "variable tensors")

    assert variables(-1, -1, 64) > 0  # its own entry is offline, entry 0 is online: kept apart
    assert variables(0, -1, -1) == 0  # entry 0 is offline: no memory at all


def test_what_tflm_does_not_check_is_told():
    plan = pyref.plan(pyref.Model.from_bytes(with_words(1, 0, 4, 0, 8, 128, 64)))
    assert plan.warnings == (
        "offline plan: tensor 1 stands at offset 8, no multiple of 16",
        "offline plan: tensor 0 and tensor 1 share memory while both are in use",
    )
    sound = pyref.Model.from_bytes(with_words(1, 0, 4, 0, 64, 128, 64))
    assert pyref.plan(sound).warnings == ()


@pytest.mark.parametrize("offset", [-16, 8], ids=["negative", "unaligned"])
def test_write_refuses(offset):
    model = pyref.Model.from_bytes(build(chain()))
    with pytest.raises(
        OfflinePlanError, match="expected a tensor of the model and a multiple of 16"
    ):
        offline.write(model, {(0, 0): offset})


def rewritten(data, offsets):
    old = pyref.Model.from_bytes(data)
    new = pyref.Model.from_bytes(offline.write(old, offsets))
    assert new.data[4:8] == old.data[4:8]
    assert new.version == old.version
    assert new.codes == old.codes
    assert new.description == old.description
    for a, b in zip(old.subgraphs, new.subgraphs, strict=True):
        assert [(o.op, o.inputs, o.outputs, o.options) for o in a.operators] == [
            (o.op, o.inputs, o.outputs, o.options) for o in b.operators
        ]
        for s, t in zip(a.tensors, b.tensors, strict=True):
            assert (s.name, s.type, s.shape, s.buffer) == (t.name, t.type, t.shape, t.buffer)
            assert (s.raw is None) == (t.raw is None)
            assert s.raw is None or bytes(s.raw) == bytes(t.raw)
    return old, new


def test_write_keeps_other_metadata_and_replaces_an_older_plan():
    first = struct.pack("<7i", 1, 0, 4, 0, 64, 128, 192)
    data = build(
        chain([Metadata("first", b"one"), Metadata(offline.METADATA, first), Metadata("x", b"two")])
    )
    _, new = rewritten(data, {(0, 0): 192, (0, 1): 128, (0, 2): 64, (0, 3): 0})
    assert bytes(new.metadata["first"]) == b"one"
    assert bytes(new.metadata["x"]) == b"two"
    assert offline.read(new) == (192, 128, 64, 0)
    assert list(new.metadata).count(offline.METADATA) == 1


def test_write_without_any_metadata_and_twice():
    _, once = rewritten(build(chain()), {(0, 1): 64})
    assert offline.read(once) == (-1, 64, -1, -1)
    _, twice = rewritten(once.data, {(0, 1): 128})
    assert offline.read(twice) == (-1, 128, -1, -1)


def test_write_keeps_data_aligned_and_moves_outside_weights():
    weights = const([2, 4])
    outside = Tensor([2, 4], type="INT8", scale=0.5, zero_point=0, buffer=1)
    external = Buffer(bytes(range(8)), external=True)
    for tensor, buffers in ((weights, [Buffer()]), (outside, [Buffer(), external])):
        model = Model(
            [
                SubGraph(
                    [q([1, 4]), tensor, q([1, 2])],
                    [Operator("FULLY_CONNECTED", [0, 1, -1], [2], {})],
                    [0],
                    [2],
                )
            ],
            buffers=buffers,
        )
        _, new = rewritten(build(model), {(0, 0): 0})
        place = new.data.find(bytes(new.subgraphs[0].tensors[1].raw))
        assert place % 16 == 0


@pytest.mark.parametrize("name", ["chain", "chain-branches", "if", "while", "call_once"])
def test_the_best_plan_is_what_tflm_would_make_of_it(name):
    model = pyref.Model.from_bytes(CASES[name]())
    plan = pyref.plan(model)
    best = optimum(plan, time_limit_s=2)
    new = pyref.plan(pyref.Model.from_bytes(offline.write(model, best.offsets)))
    assert new.head_bytes == best.peak_bytes <= plan.head_bytes
    assert overlaps(new.trace.buffers, new.trace.offsets) == []
    tensors = [p for p in new.placed if p.buffer.kind == "tensor"]
    assert {(p.buffer.subgraph, p.buffer.index): p.offset for p in tensors} == best.offsets


@needs_tflm
@pytest.mark.parametrize("name", ["chain", "chain-branches", "if", "CONV_2D-3x3-int8"])
def test_tflm_accepts_the_file_and_computes_the_same(name):
    data = CASES[name]()
    model = pyref.Model.from_bytes(data)
    new = offline.write(model, optimum(pyref.plan(model), time_limit_s=2).offsets)
    inputs = pyref.seeded_inputs(model, 0)
    old_run, new_run = run_many(
        [Case(data, [inputs], preserve=False), Case(new, [inputs], preserve=False)]
    )
    assert new_run.refusal is None
    for a, b in zip(old_run.outputs[0], new_run.outputs[0], strict=True):
        assert np.array_equal(a, b)


@needs_tflm
@needs_models
@pytest.mark.parametrize("name", PUBLIC)
def test_public_models_with_their_best_plan(name):
    model = pyref.Model.from_file(MODELS / name)
    best = optimum(pyref.plan(model), time_limit_s=5)
    data = offline.write(model, best.offsets)
    assert pyref.plan(pyref.Model.from_bytes(data)).head_bytes == best.peak_bytes
    inputs = pyref.seeded_inputs(model, 0)
    old, new = run_many(
        [Case(model.data, [inputs], preserve=False), Case(data, [inputs], preserve=False)]
    )
    assert new.refusal is None
    for a, b in zip(old.outputs[0], new.outputs[0], strict=True):
        assert np.array_equal(a, b)
