"""SVDF against TFLM; field failure 27."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Tensor, build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(27)


def svdf(
    *,
    batches: int = 2,
    inputs: int = 7,
    units: int = 3,
    rank: int = 2,
    memory: int = 5,
    state: str = "INT8",
    state_zero_point: int = 0,
    scales: tuple[float, float, float, float, float] = (0.1, 0.01, 0.05, 0.02, 0.1),
    bias_scale: float | None = None,
    is_variable: bool = True,
    real: bool = False,
    activation: str = "NONE",
    output: tuple[int, int] | None = None,
) -> Model:
    filters = units * rank
    kind = "FLOAT32" if real else "INT8"
    state = "FLOAT32" if real else state
    feature = RNG.integers(-128, 128, (filters, inputs))
    time = RNG.integers(-128, 128, (filters, memory))
    bias = RNG.integers(-1000, 1000, units)
    if real:
        constants = [a.astype(np.float32) / 100 for a in (feature, time, bias)]
    else:
        constants = [feature.astype(np.int8), time.astype(state.lower()), bias.astype(np.int32)]
    s = scales
    per: list[dict[str, Any]] = [
        {} if real else {"scale": scale} for scale in (s[1], s[3], bias_scale or s[2] * s[3])
    ]
    return one_operator(
        "SVDF",
        [
            tensor((batches, inputs), kind, s[0], 5),
            *[Tensor(data=c, **q) for c, q in zip(constants, per, strict=True)],
            tensor(
                (batches, memory * filters),
                state,
                s[2],
                state_zero_point,
                is_variable=is_variable,
            ),
        ],
        [tensor(output or (batches, units), kind, s[4], -9)],
        {"rank": rank, "fused_activation_function": activation},
    )


TABLE = Table(
    {
        "int8": svdf(),
        "int8-zero-point": svdf(state_zero_point=10),
        "int8-saturating": svdf(scales=(0.5, 0.05, 0.05, 0.02, 1.0), state_zero_point=10),
        "int16": svdf(state="INT16"),
        "int16-saturating": svdf(state="INT16", scales=(0.5, 0.05, 0.00005, 0.02, 1.0)),
        "rank1": svdf(rank=1, units=5),
        "rank4-memory1": svdf(rank=4, memory=1),
        "large": svdf(inputs=200, units=9, memory=13),
        "refused-not-variable": svdf(is_variable=False),
        "refused-output": svdf(output=(2, 4)),
    },
    invocations=4,
)
FLOATS = Table(
    {
        f"float-{a.lower()}": svdf(real=True, activation=a)
        for a in ("NONE", "RELU", "RELU6", "TANH")
    },
    invocations=3,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    for got, expected in zip(FLOATS.run(case), FLOATS.results[case].outputs, strict=True):
        np.testing.assert_allclose(got[0], expected[0], rtol=1e-5, atol=1e-5)


def test_bias_scale_must_be_the_product_of_state_and_time_scales():
    """PrepareSvdf; releases after 2026-08 write the same check with other casts."""
    model = pyref.Model.from_bytes(build(svdf(bias_scale=0.01)))
    with pytest.raises(RefusedError, match="< 1e-5 was not true"):
        pyref.run(model, pyref.seeded_inputs(model, 0))


def unit(state: str) -> pyref.Model:
    made = one_operator(
        "SVDF",
        [
            Tensor([1, 1], scale=1.0),
            Tensor(data=np.array([[100]], np.int8), scale=1.0),
            Tensor(data=np.array([[0, 1]], state.lower()), scale=1.0),
            Tensor(data=np.zeros(1, np.int32), scale=1.0),
            Tensor([1, 2], state, scale=1.0, zero_point=10, is_variable=True),
        ],
        [Tensor([1, 1], scale=1.0)],
        {"rank": 1},
    )
    return pyref.Model.from_bytes(build(made))


def test_int8_state_wraps():
    """Field failure 27: 127 + 10 is stored as -119, so the next sum is -119 - 10 = -129."""
    interpreter = Interpreter(unit("INT8"))
    run = interpreter.invoke([np.array([[2]], np.int8)])
    assert_same(run.outputs[0], np.array([[-128]], np.int8))


def test_int8_state_of_cmsis_nn_knows_no_zero_point_and_wraps_sooner():
    """arm_svdf_s8.c: 200 is stored as its low byte, -56."""
    interpreter = Interpreter(unit("INT8"), kernels="cmsis_nn")
    run = interpreter.invoke([np.array([[2]], np.int8)])
    assert_same(run.outputs[0], np.array([[-56]], np.int8))
