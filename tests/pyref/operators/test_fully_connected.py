"""FULLY_CONNECTED against TFLM; field failures 15, 16 and 37."""

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

RNG = np.random.default_rng(15)


def dense(
    shape: tuple[int, ...] = (1, 12),
    channels: int = 5,
    *,
    output: tuple[int, ...] | None = None,
    weights: np.ndarray[Any, Any] | None = None,
    types: tuple[str, str, str | None] = ("INT8", "INT8", "INT32"),
    scales: list[float] | float = 0.004,
    filter_zero_point: int = 0,
    zero_points: tuple[int, int] = (-3, 7),
    bias_scale: float | None = None,
    activation: str = "NONE",
    fed: tuple[int, ...] = (),
    **options: Any,
) -> Model:
    terms = shape[-1] if weights is None else weights.shape[-1]
    real = types[1] == "FLOAT32"
    if weights is None:
        limit = 7 if types[1] == "INT4" else 127
        weights = RNG.integers(-limit, limit, (channels, terms), endpoint=True).astype(np.int8)
    if real:
        weights = weights.astype(np.float32) / 100
    quantization: dict[str, Any] = {} if real else {"scale": scales}
    filters = Tensor(data=weights, type=types[1], **quantization)
    if filter_zero_point:
        filters.zero_point = filter_zero_point
    inputs: list[Tensor | None] = [tensor(shape, types[0], 0.5, zero_points[0]), filters, None]
    if types[2] is not None:
        first = scales[0] if isinstance(scales, list) else scales
        values = (RNG.normal(size=channels) * (1 if real else 3000)).astype(types[2].lower())
        inputs[2] = Tensor(data=values, type=types[2], scale=bias_scale or 0.5 * first)
    for i in fed:
        given = inputs[i]
        assert given is not None
        given.shape, given.data = given.data.shape, None  # type: ignore[union-attr]
    out = output or (*shape[:-1], channels)
    return one_operator(
        "FULLY_CONNECTED",
        inputs,
        [tensor(out, types[0], 2.0, zero_points[1])],
        {"fused_activation_function": activation, **options},
    )


SEVERAL = [0.001, 0.002, 0.004, 0.003, 0.0005]
WIDE: dict[str, Any] = {"types": ("INT16", "INT8", "INT64"), "zero_points": (0, 0)}
TABLE = Table(
    {
        "vector": dense(),
        "batch": dense((7, 12)),
        "rank3": dense((2, 3, 12)),
        "rank4-odd": dense((1, 2, 3, 13)),
        "input-of-another-rank": dense(
            (1, 2, 3, 4), output=(2, 5), weights=RNG.integers(-9, 9, (5, 12)).astype(np.int8)
        ),
        "large": dense((2, 700), 31),
        "no-bias": dense(types=("INT8", "INT8", None)),
        "per-channel": dense(scales=SEVERAL),
        "per-channel-batch": dense((4, 12), scales=SEVERAL),
        "filter-zero-point": dense(filter_zero_point=9),
        "relu": dense(activation="RELU"),
        "relu6": dense(activation="RELU6"),
        "weights-fed": dense(fed=(1,)),
        "all-fed": dense((3, 12), fed=(1, 2)),
        "int4": dense(types=("INT8", "INT4", "INT32")),
        "int4-filter-zero-point": dense(types=("INT8", "INT4", "INT32"), filter_zero_point=3),
        "refused-int4-per-channel": dense(types=("INT8", "INT4", "INT32"), scales=SEVERAL),
        "int16": dense(**WIDE),
        "int16-per-channel": dense((3, 12), **WIDE, scales=SEVERAL),
        "int16-zero-points": dense(types=("INT16", "INT8", "INT64")),
        "int16-filter-zero-point": dense(**WIDE, filter_zero_point=-4),
        "int16-int32-bias": dense(types=("INT16", "INT8", "INT32"), zero_points=(0, 0)),
        "int16-no-bias": dense((9, 30), types=("INT16", "INT8", None), zero_points=(0, 0)),
        "int16-no-bias-int32": dense(
            (9, 30), types=("INT16", "INT8", None), zero_points=(0, 0), quantized_bias_type="INT32"
        ),
        "refused-hybrid": dense(types=("FLOAT32", "INT8", "FLOAT32")),
        "refused-int16-weights": dense(types=("INT16", "INT4", "INT64")),
        "refused-uint8": dense(types=("UINT8", "INT8", "INT32")),
        "refused-int32": dense(types=("INT32", "INT8", "INT32")),
        "refused-bias-scale": dense(bias_scale=1.0),
        "refused-int8-to-int16": one_operator(
            "FULLY_CONNECTED",
            [tensor((1, 4)), Tensor(data=np.ones((3, 4), np.int8), scale=0.1), None],
            [tensor((1, 3), "INT16")],
            {},
        ),
    }
)
REAL = ("FLOAT32", "FLOAT32", "FLOAT32")
FLOATS = Table(
    {
        "float": dense((3, 40), types=REAL),
        "float-relu6": dense((3, 40), types=REAL, activation="RELU6"),
        "float-no-bias": dense((3, 40), types=("FLOAT32", "FLOAT32", None)),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    for got, expected in zip(FLOATS.run(case), FLOATS.results[case].outputs, strict=True):
        np.testing.assert_allclose(got[0], expected[0], rtol=1e-5, atol=1e-5)


def single(bias: int) -> pyref.Model:
    made = one_operator(
        "FULLY_CONNECTED",
        [
            Tensor([1, 1], scale=0.0123, zero_point=-7),
            Tensor(data=np.ones([1, 1], np.int8), scale=[1.0]),
            Tensor(data=np.array([bias], np.int32), scale=[0.0123]),
        ],
        [Tensor([1, 1], scale=1.0)],
        {},
    )
    return pyref.Model.from_bytes(build(made))


@pytest.mark.parametrize(("bias", "expected"), [(203, 3), (-203, -3), (284, 4), (41, 1)])
def test_rounds_twice(bias, expected):
    """Field failure 15: LiteRT and XNNPACK give 2, -2, 3, 1."""
    run = pyref.run(single(bias), [np.full([1, 1], -7, np.int8)])
    assert_same(run.outputs[0], np.array([[expected]], np.int8))


def test_per_channel_outputs_follow_their_scales():
    """Field failure 16: identical rows, scales 1:2:4."""
    weights = np.tile(np.array([10, 20, 30, 40], np.int8), (3, 1))
    made = one_operator(
        "FULLY_CONNECTED",
        [
            Tensor([1, 4], scale=0.1),
            Tensor(data=weights, scale=[0.01, 0.02, 0.04]),
            None,
        ],
        [Tensor([1, 3], scale=0.1)],
        {},
    )
    run = pyref.run(pyref.Model.from_bytes(build(made)), [np.full([1, 4], 10, np.int8)])
    assert_same(run.outputs[0], np.array([[10, 20, 40]], np.int8))


def test_int4_low_nibble_first():
    """Field failure 37: nine weights in five bytes."""
    weights = np.array([[1, -8, 7], [-1, 2, -3], [4, 5, -6]], np.int8)
    made = one_operator(
        "FULLY_CONNECTED",
        [Tensor([1, 3], scale=1.0), Tensor(data=weights, type="INT4", scale=[1.0]), None],
        [Tensor([1, 3], scale=1.0)],
        {},
    )
    model = pyref.Model.from_bytes(build(made))
    for k in range(3):
        x = np.zeros([1, 3], np.int8)
        x[0, k] = 1
        assert_same(pyref.run(model, [x]).outputs[0], weights[:, k][None])


CMSIS_NN = {
    "int16-per-channel": "is_per_channel",
    "int16-zero-points": r"input->params.zero_point != 0 \(-3 != 0\)",
    "int16-int32-bias": "reads the INT32 bias as INT64",
}


@pytest.mark.parametrize("case", list(CMSIS_NN))
def test_cmsis_nn_refuses(case):
    """cmsis_nn/fully_connected.cc, Prepare and EvalQuantizedInt16."""
    with pytest.raises(RefusedError, match=CMSIS_NN[case]):
        TABLE.run(case, "cmsis_nn")


@pytest.mark.parametrize(
    ("case", "same"),
    [("filter-zero-point", True), ("int4-filter-zero-point", False)],
)
def test_cmsis_nn_and_the_filter_zero_point(case, same):
    """cmsis_nn/fully_connected.cc: EvalQuantizedInt4 sets filter_offset to 0."""
    reference, cmsis_nn = (TABLE.run(case, k)[0][0] for k in ("reference", "cmsis_nn"))
    assert (reference == cmsis_nn).all() == same
