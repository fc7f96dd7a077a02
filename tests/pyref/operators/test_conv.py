"""CONV_2D against TFLM, and the cases that went wrong in the field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Tensor, build, one_operator
from pyref.errors import RefusedError
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(20)


def conv(
    *,
    size: tuple[int, int, int, int] = (1, 6, 7, 3),
    channels: int = 4,
    kernel: tuple[int, int] = (3, 3),
    depth: int | None = None,
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    padding: str = "SAME",
    activation: str = "NONE",
    types: tuple[str, str, str | None] = ("INT8", "INT8", "INT32"),
    per_channel: bool = True,
    zero_points: tuple[int, int] = (-3, 7),
    fed: tuple[int, ...] = (),
    **options: Any,
) -> Model:
    """A one-operator model with random weights; inputs in `fed` are given at run time."""
    depth = depth or size[3]
    out = [
        -(-n // s) if padding == "SAME" else (n + s - (k - 1) * d - 1) // s
        for n, k, s, d in zip(size[1:3], kernel, stride, dilation, strict=True)
    ]
    shape = (channels, *kernel, depth)
    real = types[0] == "FLOAT32"
    limit = 7 if types[1] == "INT4" else 127
    weights = (
        RNG.normal(size=shape).astype(np.float32)
        if types[1] == "FLOAT32"
        else RNG.integers(-limit, limit, shape, endpoint=True).astype(np.int8)
    )
    scales = RNG.uniform(0.001, 0.01, channels) if per_channel else [0.004]
    quantization: dict[str, Any] = {} if real else {"scale": [float(s) for s in scales]}
    inputs: list[Tensor | None] = [
        tensor(size, types[0], 0.5, zero_points[0]),
        Tensor(data=weights, type=types[1], **quantization),
    ]
    if types[2] is not None:
        bias = RNG.normal(size=channels) * (1 if real else 3000)
        inputs.append(Tensor(data=bias.astype(types[2].lower()), type=types[2], **quantization))
    for i in fed:
        given = inputs[i]
        assert given is not None
        given.shape, given.data = given.data.shape, None  # type: ignore[union-attr]
    output: dict[str, Any] = {} if real else {"scale": 2.0, "zero_point": zero_points[1]}
    return one_operator(
        "CONV_2D",
        inputs,
        [Tensor([size[0], *out, channels], types[0], **output)],
        {
            "padding": padding,
            "stride_h": stride[0],
            "stride_w": stride[1],
            "dilation_h_factor": dilation[0],
            "dilation_w_factor": dilation[1],
            "fused_activation_function": activation,
            **options,
        },
    )


INT16: dict[str, Any] = {"types": ("INT16", "INT8", "INT64"), "zero_points": (0, 0)}
TABLE = Table(
    {
        "3x3-same": conv(),
        "3x3-valid": conv(padding="VALID"),
        "1x1": conv(kernel=(1, 1), size=(1, 5, 5, 8)),
        "1x1-batch3": conv(kernel=(1, 1), size=(3, 5, 4, 8)),
        "1x1-stride2": conv(kernel=(1, 1), stride=(2, 2)),
        "stride2-same-even": conv(stride=(2, 2), size=(1, 4, 5, 1)),
        "stride2-valid": conv(stride=(2, 2), padding="VALID", size=(1, 9, 8, 2)),
        "stride-3x1": conv(stride=(3, 1), size=(1, 10, 7, 2)),
        "kernel-larger-than-image": conv(kernel=(5, 7), size=(1, 3, 4, 2)),
        "kernel-4x2-same": conv(kernel=(4, 2), size=(1, 7, 6, 2)),
        "dilation2-same": conv(dilation=(2, 2), size=(1, 9, 9, 2)),
        "dilation-1x3-valid": conv(dilation=(1, 3), padding="VALID", size=(1, 9, 12, 2)),
        "batch2": conv(size=(2, 5, 5, 3)),
        "groups2": conv(size=(1, 5, 5, 6), depth=3, channels=4),
        "groups-of-one": conv(size=(2, 5, 5, 4), depth=1, channels=8),
        "odd-channels": conv(size=(1, 5, 5, 5), channels=7),
        "one-channel": conv(size=(1, 5, 5, 1), channels=1),
        "many-channels": conv(size=(1, 3, 3, 200), channels=33),
        "per-tensor": conv(per_channel=False),
        "relu": conv(activation="RELU"),
        "relu6": conv(activation="RELU6"),
        "relu-n1-to-1": conv(activation="RELU_N1_TO_1"),
        "tanh-is-ignored": conv(activation="TANH"),
        "no-bias": conv(types=("INT8", "INT8", None)),
        "zero-points-at-the-ends": conv(zero_points=(-128, 127)),
        "weights-fed": conv(fed=(1,)),
        "weights-and-bias-fed": conv(fed=(1, 2)),
        "int4": conv(types=("INT8", "INT4", "INT32")),
        "int4-odd-count": conv(types=("INT8", "INT4", "INT32"), kernel=(1, 3), channels=3),
        "int16": conv(**INT16),
        "int16-relu6": conv(**INT16, activation="RELU6"),
        "int16-groups": conv(**INT16, size=(1, 5, 5, 6), depth=2, channels=3),
        "int16-int32-bias": conv(types=("INT16", "INT8", "INT32"), zero_points=(0, 0)),
        "int16-no-bias": conv(types=("INT16", "INT8", None), zero_points=(0, 0)),
        "int16-no-bias-int32": conv(
            types=("INT16", "INT8", None), zero_points=(0, 0), quantized_bias_type="INT32"
        ),
        "int16-zero-points-are-ignored": conv(types=("INT16", "INT8", "INT64")),
        "refused-hybrid": conv(types=("FLOAT32", "INT8", "FLOAT32")),
        "refused-uint8": conv(types=("UINT8", "UINT8", "INT32"), zero_points=(3, 7)),
        "refused-int32": conv(types=("INT32", "INT8", "INT32")),
        "refused-int16-bias": conv(types=("INT16", "INT8", "INT16"), zero_points=(0, 0)),
    }
)
REAL: dict[str, Any] = {"types": ("FLOAT32", "FLOAT32", "FLOAT32")}
FLOATS = Table(
    {
        "float": conv(**REAL),
        "float-relu6": conv(**REAL, activation="RELU6"),
        "float-groups": conv(**REAL, size=(2, 5, 5, 6), depth=3),
        "float-no-bias": conv(types=("FLOAT32", "FLOAT32", None), dilation=(2, 1)),
        "float-1x1": conv(**REAL, kernel=(1, 1)),
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    for got, expected in zip(FLOATS.run(case), FLOATS.results[case].outputs, strict=True):
        np.testing.assert_allclose(got[0], expected[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("value", "zero_point"), [(1, 0), (5, 4)])
def test_asymmetric_same_padding_contributes_nothing(value, zero_point):
    """Field failure 17: H=4, W=5, stride 2, SAME, all weights 1."""
    model = one_operator(
        "CONV_2D",
        [
            Tensor([1, 4, 5, 1], scale=1.0, zero_point=zero_point),
            Tensor(data=np.ones([1, 3, 3, 1], np.int8), scale=[1.0]),
            Tensor(data=np.zeros(1, np.int32), scale=[1.0]),
        ],
        [Tensor([1, 2, 3, 1], scale=1.0)],
        {"padding": "SAME", "stride_h": 2, "stride_w": 2},
    )
    run = pyref.run(pyref.Model.from_bytes(build(model)), [np.full([1, 4, 5, 1], value, np.int8)])
    assert_same(run.outputs[0].reshape(2, 3), np.array([[6, 9, 6], [4, 6, 4]], np.int8))


def test_cmsis_nn_takes_a_missing_int16_bias_for_an_int32_one():
    """cmsis_nn/conv.cc: `bias == nullptr || bias->type == kTfLiteInt32`; reference takes int64."""
    data = build(conv(types=("INT16", "INT8", None), zero_points=(0, 0), size=(1, 9, 9, 9)))
    model = pyref.Model.from_bytes(data)
    inputs = pyref.seeded_inputs(model, 1)
    reference = pyref.run(model, inputs).outputs[0]
    cmsis_nn = pyref.run(model, inputs, kernels="cmsis_nn").outputs[0]
    assert np.abs(reference.astype(int) - cmsis_nn).max() == 1


def test_cmsis_nn_refuses_int16_zero_points():
    """cmsis_nn/conv.cc, Prepare."""
    with pytest.raises(RefusedError, match=r"input->params.zero_point != 0 \(-3 != 0\)"):
        TABLE.run("int16-zero-points-are-ignored", "cmsis_nn")
