"""Kinds of failure that people reported, where a test of an operator or the loader is not enough.

Numbered as in the collection; tests/test_field_failures.py lists the tests of every number.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pyref
from fixtures.writer import (
    Buffer,
    Model,
    Operator,
    OperatorCode,
    SubGraph,
    Tensor,
    build,
    one_operator,
)
from tests.pyref.equal import assert_same

BORDER = np.array([[0, 0], [1, 1], [1, 1], [0, 0]], np.int32)


def load(model):
    return pyref.Model.from_bytes(build(model))


def padded(buffers, paddings=BORDER):
    kind = "INT64" if paddings.dtype == np.int64 else "INT32"
    model = one_operator(
        "PAD",
        [
            Tensor([1, 2, 2, 1], scale=1.0, zero_point=-5),
            Tensor([4, 2], kind, buffer=1, name="border"),
        ],
        [Tensor([1, 4, 4, 1], scale=1.0, zero_point=-5)],
        {},
    )
    return load(replace(model, buffers=buffers))


def test_1_paddings_outside_the_flatbuffer_are_no_constant():
    inside = padded([Buffer(), Buffer(BORDER.tobytes())])
    assert pyref.run(inside, pyref.seeded_inputs(inside, 0)).outputs[0][0, 0, 0, 0] == -5
    outside = padded([Buffer(), Buffer(BORDER.tobytes(), external=True)])
    with pytest.raises(pyref.RefusedError, match="Non-constant >paddings< tensor is not supported"):
        pyref.Interpreter(outside)


def test_1_weights_outside_the_flatbuffer_compute_what_those_inside_do():
    weights = np.arange(1, 9, dtype=np.int8).reshape(2, 4)

    def dense(buffer):
        model = one_operator(
            "FULLY_CONNECTED",
            [Tensor([1, 4], scale=0.5), Tensor([2, 4], scale=0.1, buffer=1), None],
            [Tensor([1, 2], scale=0.5)],
            {},
        )
        return load(replace(model, buffers=[Buffer(), buffer]))

    inside, outside = (
        dense(Buffer(weights.tobytes())),
        dense(Buffer(weights.tobytes(), external=True)),
    )
    inputs = pyref.seeded_inputs(inside, 0)
    assert_same(pyref.run(outside, inputs).outputs[0], pyref.run(inside, inputs).outputs[0])


@pytest.mark.parametrize(("condition", "expected"), [(True, [-3, 4]), (False, [9, 16])])
def test_2_if_written_the_old_way_runs(condition, expected):
    """118 in the byte field alone."""
    floats = {"type": "FLOAT32"}
    main = SubGraph(
        [Tensor([1], "BOOL"), Tensor([2], **floats), Tensor([2], **floats)],
        [
            Operator(
                "IF",
                [0, 1],
                [2],
                {"then_subgraph_index": 1, "else_subgraph_index": 2},
                opcode_index=0,
            )
        ],
        [0, 1],
        [2],
    )
    branches = [
        SubGraph([Tensor([2], **floats)] * 2, [Operator(op, [0], [1])], [0], [1])
        for op in ("NEG", "SQUARE")
    ]
    model = Model([main, *branches])
    model.operator_codes.append(OperatorCode(0, deprecated_code=118))
    run = pyref.run(load(model), [np.array([condition]), np.array([3, -4], np.float32)])
    assert run.outputs[0].tolist() == expected


def pointwise(zero_points, scales=(0.1, 0.2, 0.3, 0.4)):
    """CONV 1x1 of four channels."""
    weights = np.arange(12, dtype=np.int8).reshape(4, 1, 1, 3)
    return load(
        one_operator(
            "CONV_2D",
            [
                Tensor([1, 2, 2, 3], scale=0.5),
                Tensor(data=weights, scale=list(scales), zero_point=zero_points),
            ],
            [Tensor([1, 2, 2, 4], scale=0.25, zero_point=7)],
            {"padding": "SAME", "stride_w": 1, "stride_h": 1},
        )
    )


@pytest.mark.parametrize("zero_points", [[0], [0, 0]], ids=["1", "2"])
def test_10_a_short_list_of_zero_points_changes_nothing(zero_points):
    full, short = pointwise([0, 0, 0, 0]), pointwise(zero_points)
    inputs = pyref.seeded_inputs(full, 0)
    assert_same(pyref.run(short, inputs).outputs[0], pyref.run(full, inputs).outputs[0])


def test_10_scales_without_zero_points_are_no_quantization():
    words = r"filter->quantization.type != kTfLiteAffineQuantization \(0 != 1\)"
    with pytest.raises(pyref.RefusedError, match=words):
        pyref.Interpreter(pointwise([]))


def test_10_a_channel_of_scale_0_gives_the_zero_point():
    model = pointwise([0], scales=(0.0, 0.2, 0.3, 0.4))
    (output,) = pyref.run(model, pyref.seeded_inputs(model, 0)).outputs
    assert set(output[..., 0].ravel()) == {7}
    assert len(set(output[..., 1].ravel())) > 1


def memory_of_two(state, zero_point):
    """SVDF of one unit whose newest sum is 127 or more before it is stored."""
    return load(
        one_operator(
            "SVDF",
            [
                Tensor([1, 1], scale=1.0),
                Tensor(data=np.array([[100]], np.int8), scale=1.0),
                Tensor(data=np.array([[1, 0]], state.lower()), scale=1.0),
                Tensor(data=np.zeros(1, np.int32), scale=1.0),
                Tensor([1, 2], state, scale=1.0, zero_point=zero_point, is_variable=True),
            ],
            [Tensor([1, 1], scale=1.0)],
            {"rank": 1},
        )
    )


@pytest.mark.parametrize(
    ("state", "zero_point", "second"), [("INT8", 10, -128), ("INT16", 0, 127)], ids=["8", "16"]
)
def test_27_an_int8_state_wraps_and_an_int16_one_does_not(state, zero_point, second):
    """200 is stored as 127 + 10 = -119 in int8, whose next sum is -119 - 10; reset refills it."""
    interpreter = pyref.Interpreter(memory_of_two(state, zero_point))
    two = np.array([[2]], np.int8)
    assert [interpreter.invoke([two]).outputs[0].item() for _ in range(2)] == [0, second]
    interpreter.reset()
    assert interpreter.invoke([two]).outputs[0].item() == 0


def test_30_paddings_of_int64_are_never_silent():
    """TFLM reads them as int32 pairs: its own words speak of a dimension, the warning of why."""
    model = padded([Buffer(), Buffer(BORDER.astype(np.int64).tobytes())], BORDER.astype(np.int64))
    with pytest.raises(pyref.RefusedError, match=r"output_dim != expected_dim \(4 != 2\)"):
        pyref.Interpreter(model)
    (warning,) = model.warnings
    assert warning.endswith("its paddings 'border' are INT64; TFLM reads them as INT32")


def test_42_what_an_operator_wrote_is_kept_though_memory_would_be_reused():
    """A chain of four: each snapshot is the value right after its operator."""
    tensors = [Tensor([1, 4], "FLOAT32") for _ in range(5)]
    ops = ("SQUARE", "NEG", "ABS", "NEG")
    steps = [Operator(op, [k], [k + 1]) for k, op in enumerate(ops)]
    model = load(Model([SubGraph(tensors, steps, [0], [4])]))
    run = pyref.run(model, [np.array([[1, 2, 3, 4]], np.float32)])
    got = [o.outputs[k + 1][0].tolist() for k, o in enumerate(run.operators)]
    squares = [1, 4, 9, 16]
    negative = [-x for x in squares]
    assert got == [squares, negative, squares, negative]
