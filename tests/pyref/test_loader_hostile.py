"""Bytes that are no model: always a typed error with a position, or a model; quickly."""

import random
import struct
import time

import numpy as np
import pytest

from fixtures.generate import FOLDER
from fixtures.writer import Model, Operator, SubGraph, Tensor, build, one_operator
from pyref import Model as Loaded
from pyref import ModelError
from pyref.container.walk import walk
from tests.public_models import MODELS, needs_models

BIG = (FOLDER / "c2_bn.tflite").read_bytes()


def small_model():
    """A file of about 1 KB: one operator with options, constants, quantisation."""
    model = one_operator(
        "CONV_2D",
        [
            Tensor(
                [1, 5, 5, 3], name="in", scale=0.5, zero_point=-3, shape_signature=[-1, 5, 5, 3]
            ),
            Tensor(data=np.ones([2, 3, 3, 3], np.int8), name="filter", scale=[0.1, 0.2]),
            Tensor(data=np.zeros(2, np.int32), name="bias", scale=[0.05, 0.1]),
        ],
        [Tensor([1, 3, 3, 2], name="out", scale=0.25, zero_point=7)],
        {"padding": "SAME", "stride_w": 2, "stride_h": 2},
    )
    model.description = "small"
    return build(model)


SMALL = small_model()


def outcome(data):
    """Loads, and looks at everything: the error, or None."""
    refused = None
    try:
        model = Loaded.from_bytes(data)
    except ModelError as error:
        refused = error
    if refused is not None:
        assert refused.position is None or 0 <= refused.position <= len(data)
        assert refused.where
        return refused
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            assert tensor.data is None or tensor.data.nbytes >= 0
            assert tensor.size >= 0
        for operator in graph.operators:
            assert all(-1 <= i < len(graph.tensors) for i in operator.inputs)
    return None


# 5: corrupt files


@pytest.mark.parametrize(
    ("data", "where", "words"),
    [
        pytest.param(b"", "file at byte 0", "expected a root offset", id="empty"),
        pytest.param(b"TFL3", "file at byte 0", "got 4 bytes", id="short"),
        pytest.param(
            bytes.fromhex("1800000054464c33"),
            "file at byte 0",
            "expected an offset to an object inside the file of 8 bytes, got offset 24",
            id="8-bytes",
        ),
        pytest.param(
            b"#!/usr/bin/env python3\nimport sys\n", "file at byte 4", "not a .tflite", id="text"
        ),
        pytest.param(b"\0" * 64, "file at byte 4", "not a .tflite file", id="zeros"),
        pytest.param(b"\xff" * 64, "file at byte 4", "not a .tflite file", id="ones"),
        pytest.param(b"\0\0\0\0TFL3" + bytes(60), "file at byte 0", "got offset 0", id="no-root"),
        pytest.param(
            b"\x0a\0\0\0TFL3" + bytes(60), "file at byte 0", "a multiple of 4", id="odd-root"
        ),
    ],
)
def test_no_model(data, where, words):
    with pytest.raises(ModelError) as caught:
        Loaded.from_bytes(data)
    assert str(caught.value).startswith(where)
    assert words in str(caught.value)


def test_missing_file(tmp_path):
    with pytest.raises(ModelError, match="expected a readable file, got No such file"):
        Loaded.from_file(tmp_path / "none.tflite")


@pytest.mark.parametrize("length", range(0, len(SMALL), 7))
def test_small_model_cut(length):
    assert outcome(SMALL[:length]) is not None


def test_big_model_cut():
    for length in [*range(0, len(BIG), 4999), *range(len(BIG) - 70, len(BIG), 7)]:
        assert outcome(BIG[:length]) is not None, length


@pytest.mark.parametrize("value", [0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0, 4])
def test_every_word_replaced(value):
    refused = 0
    for at in range(0, len(SMALL) - 3, 4):
        data = bytearray(SMALL)
        struct.pack_into("<I", data, at, value)
        refused += outcome(bytes(data)) is not None
    assert refused > len(SMALL) // 40


def test_every_offset_replaced():
    """Each offset, length and vtable entry that the walk finds, in a model of many objects."""
    words = [
        part.position
        for region in walk(BIG)
        for part in region.parts
        if part.length == 4 and ("offset" in part.meaning or "length" in part.meaning)
    ]
    assert len(words) > 500
    for at in words:
        data = bytearray(BIG)
        struct.pack_into("<I", data, at, 0xFFFFFFFF)
        error = outcome(bytes(data))
        assert error is not None, at


def test_random_flips():
    chance = random.Random(0)  # noqa: S311 - a repeatable choice, no secret
    for _ in range(2000):
        data = bytearray(SMALL)
        for _ in range(chance.choice((1, 1, 1, 2, 8))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        outcome(bytes(data))


@needs_models
def test_hello_world_with_any_byte_changed():
    original = (MODELS / "tflm" / "hello_world_int8.tflite").read_bytes()
    for at in range(len(original)):
        data = bytearray(original)
        data[at] ^= 0xFF
        outcome(bytes(data))


# Hostile sharing: small files that a naive reader would take forever over


def sharing(graphs):
    """A model whose subgraphs vector points to one table of 64 tensors `graphs` times.

    Offsets only lead forwards, so the new vector stands at the end of the file and a copy of
    the whole file behind it, in which the table lies at its old distance from the start.
    """
    body = build(Model([SubGraph([Tensor([4])] * 64, [], [], [])]), length_phase=0)
    regions = walk(body)
    parts = {part.meaning.split(":")[0]: part for region in regions for part in region.parts}
    table = parts["subgraphs[0]"].position
    table += struct.unpack_from("<I", body, table)[0]
    field = parts["field 2 (subgraphs)"].position
    vector = len(body)
    copy = vector + 4 + 4 * graphs
    copy += -copy % 16
    first = vector + 4
    offsets = [copy + table - (first + 4 * index) for index in range(graphs)]
    data = bytearray(body + struct.pack(f"<I{graphs}I", graphs, *offsets))
    data += bytes(copy - len(data)) + body
    struct.pack_into("<I", data, field, vector - field)
    return bytes(data)


def test_shared_subgraph_loads_while_the_budget_lasts():
    assert len(Loaded.from_bytes(sharing(3)).subgraphs) == 3


def test_subgraph_shared_many_times():
    data = sharing(20000)
    start = time.process_time()
    error = outcome(data)
    assert "shared far too often" in str(error) or "tables in all" in str(error)
    assert time.process_time() - start < 10


def test_overlapping_long_vectors():
    """Thousands of tensors whose shapes are long and overlap: refused by the budget."""
    tensors = [Tensor([1, 2, 3, 4], name=None) for _ in range(2000)]
    data = bytearray(build(Model([SubGraph(tensors, [], [], [])])))
    shapes = [r.position for r in walk(bytes(data)) if r.meaning.endswith("vector of 4 int")]
    assert len(shapes) == 2000
    for position in shapes:
        room = (len(data) - position - 4) // 4
        struct.pack_into("<I", data, position, room)
    start = time.process_time()
    assert outcome(bytes(data)) is not None
    assert time.process_time() - start < 5


def test_many_dimensions():
    with pytest.raises(ModelError, match="at most 32 dimensions"):
        Loaded.from_bytes(build(Model([SubGraph([Tensor([1] * 33)], [], [], [])])))


def test_no_subgraph_index_recurses():
    graphs = [
        SubGraph(
            [], [Operator("CALL_ONCE", [], [], {"init_subgraph_index": (i + 1) % 500})], [], []
        )
        for i in range(500)
    ]
    with pytest.raises(ModelError, match="do not invoke themselves"):
        Loaded.from_bytes(build(Model(graphs)))


# Speed


def seconds(data):
    best = 1.0
    for _ in range(9):
        start = time.process_time()
        Loaded.from_bytes(data)
        best = min(best, time.process_time() - start)
    return best


def test_c2_bn_loads_within_5_ms():
    assert seconds(BIG) < 0.005


def test_hundred_operators_load_within_20_ms():
    weights = np.ones([8, 8], np.int8)
    tensors = [Tensor([1, 8], name="x" * 20, scale=0.5)]
    operators = []
    for index in range(100):
        at = len(tensors)
        tensors += [
            Tensor(data=weights, name="weights" * 5, scale=[0.1] * 8, quantized_dimension=0),
            Tensor(data=np.ones(8, np.int32), name="bias" * 5, scale=[0.1] * 8),
            Tensor([1, 8], name="y" * 20, scale=0.5),
        ]
        previous = at - 1 if index else 0
        operators.append(Operator("FULLY_CONNECTED", [previous, at, at + 1], [at + 2], {}))
    data = build(Model([SubGraph(tensors, operators, [0], [len(tensors) - 1])]))
    assert seconds(data) < 0.020
