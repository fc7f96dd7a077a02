"""TRANSPOSE_CONV against TFLM; field failures 20 and 21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fixtures.writer import Model, Tensor, one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(22)


def transpose_conv(
    *,
    size: tuple[int, int, int, int] = (1, 4, 5, 3),
    channels: int = 4,
    kernel: tuple[int, int] = (3, 3),
    stride: tuple[int, int] = (2, 2),
    padding: str = "SAME",
    out: tuple[int, int] | None = None,
    activation: str = "NONE",
    types: tuple[str, str, str | None] = ("INT8", "INT8", "INT32"),
    per_channel: bool = True,
    zero_points: tuple[int, int] = (-3, 7),
    fed: tuple[int, ...] = (),
) -> Model:
    if out is None:
        scaled = [n * s for n, s in zip(size[1:3], stride, strict=True)]
        valid = [(n - 1) * s + k for n, s, k in zip(size[1:3], stride, kernel, strict=True)]
        out = (scaled[0], scaled[1]) if padding == "SAME" else (valid[0], valid[1])
    shape = (channels, *kernel, size[3])
    real = types[1] == "FLOAT32"
    weights = RNG.integers(-127, 127, shape, endpoint=True).astype(np.int8)
    quantization: dict[str, Any] = {}
    if not real:
        scales = RNG.uniform(0.001, 0.01, channels) if per_channel else [0.004]
        quantization = {"scale": [float(s) for s in scales]}
    output = (size[0], *out, channels)
    inputs: list[Tensor | None] = [
        Tensor(data=np.array(output, np.int32)),
        Tensor(data=weights.astype(np.float32) / 100 if real else weights, **quantization),
        tensor(size, types[0], 0.5, zero_points[0]),
    ]
    if types[2] is not None:
        bias = RNG.normal(size=channels) * (1 if real else 3000)
        more = {} if real else {"scale": quantization["scale"]}
        inputs.append(Tensor(data=bias.astype(types[2].lower()), **more))
    for i in fed:
        given = inputs[i]
        assert given is not None
        given.type = given.data.dtype.name.upper()  # type: ignore[union-attr]
        given.shape, given.data = given.data.shape, None  # type: ignore[union-attr]
    return one_operator(
        "TRANSPOSE_CONV",
        inputs,
        [tensor(output, types[0], 2.0, zero_points[1])],
        {
            "padding": padding,
            "stride_h": stride[0],
            "stride_w": stride[1],
            "fused_activation_function": activation,
        },
    )


WIDE: dict[str, Any] = {"types": ("INT16", "INT8", "INT64"), "zero_points": (0, 0)}
GEOMETRY: dict[str, dict[str, Any]] = {
    "3x3-stride2-same": {},
    "3x3-stride2-valid": {"padding": "VALID"},
    "field-failure-20a": {"size": (1, 4, 4, 8), "kernel": (4, 4)},
    "field-failure-20b": {"size": (1, 4, 4, 17), "kernel": (4, 4)},
    "field-failure-20d": {"size": (1, 4, 4, 3), "kernel": (5, 5), "stride": (3, 3)},
    "field-failure-20e": {
        "size": (1, 1, 9, 4),
        "kernel": (1, 1),
        "stride": (1, 2),
        "padding": "VALID",
    },
    "stride1": {"stride": (1, 1)},
    "stride-larger-than-kernel": {"kernel": (2, 2), "stride": (3, 4)},
    "kernel-1x4-stride-1x2": {"kernel": (1, 4), "stride": (1, 2), "size": (1, 1, 17, 6)},
    "batch2": {"size": (2, 3, 4, 5), "channels": 7},
    "output-smaller-than-needed": {"out": (7, 8)},
    "output-larger-than-needed": {"out": (12, 13), "padding": "VALID"},
}
TABLE = Table(
    {name: transpose_conv(**case) for name, case in GEOMETRY.items()}
    | {f"int16-{name}": transpose_conv(**case, **WIDE) for name, case in GEOMETRY.items()}
    | {
        "per-tensor": transpose_conv(per_channel=False),
        "relu": transpose_conv(activation="RELU", zero_points=(-3, 0)),
        "no-bias": transpose_conv(types=("INT8", "INT8", None)),
        "weights-fed": transpose_conv(fed=(1,)),
        "all-fed": transpose_conv(fed=(1, 3)),
        "int16-int16-bias": transpose_conv(types=("INT16", "INT8", "INT16"), zero_points=(0, 0)),
        "int16-no-bias": transpose_conv(types=("INT16", "INT8", None), zero_points=(0, 0)),
        "int16-relu": transpose_conv(**WIDE, activation="RELU"),
        "refused-hybrid": transpose_conv(types=("FLOAT32", "INT8", "FLOAT32")),
    }
)
FLOATS = Table(
    {
        name: transpose_conv(**case, types=("FLOAT32", "FLOAT32", "FLOAT32"))
        for name, case in GEOMETRY.items()
    }
    | {
        "relu": transpose_conv(types=("FLOAT32", "FLOAT32", "FLOAT32"), activation="RELU"),
        "no-bias": transpose_conv(types=("FLOAT32", "FLOAT32", None)),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    for got, expected in zip(FLOATS.run(case), FLOATS.results[case].outputs, strict=True):
        np.testing.assert_allclose(got[0], expected[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("case", ["relu", "int16-relu"])
def test_cmsis_nn_ignores_the_activation(case):
    """Field failure 21 (b): cmsis_nn/transpose_conv.cc computes its range with kTfLiteActNone."""
    reference, cmsis_nn = (TABLE.run(case, k)[0][0] for k in ("reference", "cmsis_nn"))
    assert reference.min() == 0
    assert cmsis_nn.min() < 0
    assert (np.maximum(cmsis_nn, 0) == reference).all()


def test_cmsis_nn_refuses_int16_without_bias():
    """Field failure 21 (d): its Prepare dereferences the bias."""
    with pytest.raises(RefusedError, match="dereferences the bias"):
        TABLE.run("int16-no-bias", "cmsis_nn")
