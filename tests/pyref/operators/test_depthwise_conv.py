"""DEPTHWISE_CONV_2D against TFLM."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fixtures.writer import Model, Tensor, one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(21)


def depthwise(
    *,
    size: tuple[int, int, int, int] = (1, 6, 7, 3),
    kernel: tuple[int, int] = (3, 3),
    multiplier: int = 1,
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    padding: str = "SAME",
    activation: str = "NONE",
    types: tuple[str, str, str | None] = ("INT8", "INT8", "INT32"),
    per_channel: bool = True,
    dimension: int = 3,
    zero_points: tuple[int, int] = (-3, 7),
    fed: tuple[int, ...] = (),
) -> Model:
    out = [
        -(-n // s) if padding == "SAME" else (n + s - (k - 1) * d - 1) // s
        for n, k, s, d in zip(size[1:3], kernel, stride, dilation, strict=True)
    ]
    channels = size[3] * multiplier
    shape = (1, *kernel, channels)
    real = types[1] == "FLOAT32"
    limit = 7 if types[1] == "INT4" else 127
    weights = RNG.integers(-limit, limit, shape, endpoint=True).astype(np.int8)
    quantization: dict[str, Any] = {}
    if not real:
        scales = RNG.uniform(0.005, 0.05, channels) if per_channel else [0.02]
        quantization = {"scale": [float(s) for s in scales], "quantized_dimension": dimension}
    data = weights.astype(np.float32) / 100 if real else weights
    inputs: list[Tensor | None] = [
        tensor(size, types[0], 0.5, zero_points[0]),
        Tensor(data=data, type=types[1], **quantization),
    ]
    if types[2] is not None:
        bias = RNG.normal(size=channels) * (1 if real else 900)
        more = {} if real else {"scale": quantization["scale"]}
        inputs.append(Tensor(data=bias.astype(types[2].lower()), type=types[2], **more))
    for i in fed:
        given = inputs[i]
        assert given is not None
        given.shape, given.data = given.data.shape, None  # type: ignore[union-attr]
    return one_operator(
        "DEPTHWISE_CONV_2D",
        inputs,
        [tensor((size[0], *out, channels), types[0], 2.0, zero_points[1])],
        {
            "padding": padding,
            "stride_h": stride[0],
            "stride_w": stride[1],
            "dilation_h_factor": dilation[0],
            "dilation_w_factor": dilation[1],
            "depth_multiplier": multiplier,
            "fused_activation_function": activation,
        },
    )


WIDE: dict[str, Any] = {"types": ("INT16", "INT8", "INT64"), "zero_points": (0, 0)}
GEOMETRY: dict[str, dict[str, Any]] = {
    "3x3-same": {},
    "3x3-valid": {"padding": "VALID"},
    "multiplier-8-of-one": {"size": (1, 9, 8, 1), "multiplier": 8, "kernel": (5, 4)},
    "multiplier-3": {"multiplier": 3},
    "stride2-same-even": {"stride": (2, 2), "size": (1, 4, 5, 4)},
    "stride-2x1-valid": {"stride": (2, 1), "padding": "VALID", "size": (1, 9, 8, 2)},
    "dilation-2x3": {"dilation": (2, 3), "size": (1, 9, 12, 2)},
    "batch2": {"size": (2, 5, 5, 5)},
    "kernel-larger-than-image": {"kernel": (5, 7), "size": (1, 3, 4, 2)},
    "1x1": {"kernel": (1, 1)},
    "64-channels": {"size": (1, 5, 5, 64)},
}
TABLE = Table(
    {name: depthwise(**case) for name, case in GEOMETRY.items()}
    | {f"int16-{name}": depthwise(**case, **WIDE) for name, case in GEOMETRY.items()}
    | {
        "per-tensor": depthwise(per_channel=False),
        "refused-dimension-0": depthwise(dimension=0),
        "relu": depthwise(activation="RELU"),
        "relu6": depthwise(activation="RELU6"),
        "zero-points-at-the-ends": depthwise(zero_points=(-128, 127)),
        "no-bias": depthwise(types=("INT8", "INT8", None)),
        "weights-fed": depthwise(fed=(1,)),
        "all-fed": depthwise(fed=(1, 2)),
        "int4": depthwise(types=("INT8", "INT4", "INT32")),
        "int4-odd-count": depthwise(types=("INT8", "INT4", "INT32"), kernel=(1, 3)),
        "int16-zero-points-are-ignored": depthwise(types=("INT16", "INT8", "INT64")),
        "int16-no-bias": depthwise(types=("INT16", "INT8", None), zero_points=(0, 0)),
        "refused-hybrid": depthwise(types=("FLOAT32", "INT8", "FLOAT32")),
    }
)
FLOATS = Table(
    {
        name: depthwise(**case, types=("FLOAT32", "FLOAT32", "FLOAT32"))
        for name, case in GEOMETRY.items()
    }
    | {"no-bias": depthwise(types=("FLOAT32", "FLOAT32", None), activation="RELU6")}
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    """Added up in TFLM's order, so the same bytes."""
    FLOATS.check(case)


def test_cmsis_nn_refuses_int16_zero_points():
    """cmsis_nn/depthwise_conv.cc, Prepare."""
    with pytest.raises(RefusedError, match=r"input->params.zero_point != 0 \(-3 != 0\)"):
        TABLE.run("int16-zero-points-are-ignored", "cmsis_nn")
