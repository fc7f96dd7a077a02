"""DIV against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.releases import factors_agree
from tests.pyref.operators.tensors import BROADCASTS, binary
from tests.pyref.operators.witness import Table


def div(type_, shapes=((2, 3, 4), (2, 3, 4)), activation="NONE", **more):
    # Factors that float32 and double divide alike: see `releases`.
    more.setdefault("scales", (0.5, 0.25, 0.5))
    return binary("DIV", type_, shapes, options={"fused_activation_function": activation}, **more)


EVERY = np.arange(-128, 128).astype(np.int8)
ALL = [np.repeat(EVERY, 256).reshape(256, 256), np.tile(EVERY, (256, 1))]
LARGE = ((256, 256), (256, 256))
NONZERO = [np.arange(-12, 12, dtype=np.int32).reshape(2, 3, 4), np.full((2, 3, 4), -5, np.int32)]
TABLE = Table(
    {
        "every-pair": div("INT8", LARGE, scales=(0.5, 0.25, 0.9), zero_points=(3, -128, 7)),
        "every-pair-negative-divisors": div(
            "INT8", LARGE, scales=(1.5, 0.3, 0.1), zero_points=(-128, 127, 0)
        ),
        "divisor-at-its-zero-point": div("INT8", LARGE, zero_points=(-128, 5, 0)),
        **{f"int8-{k}": div("INT8", s, zero_points=(0, -128, 0)) for k, s in BROADCASTS.items()},
        "int8-relu": div("INT8", activation="RELU", zero_points=(0, -128, -20)),
        "int8-relu6": div("INT8", activation="RELU6", zero_points=(0, -128, 0)),
        "int8-relu-n1": div("INT8", activation="RELU_N1_TO_1", zero_points=(0, -128, 0)),
        "int32": div("INT32"),
        "int32-relu": div("INT32", activation="RELU"),
        "float": div("FLOAT32"),
        "float-relu6": div("FLOAT32", activation="RELU6"),
        "float-by-zero": div("FLOAT32", ((4,), (4,))),
        "refused-int16": div("INT16"),
        "refused-uint8": div("UINT8"),
        "refused-types": div("INT8", to="FLOAT32"),
    },
    inputs={
        "every-pair": ALL,
        "every-pair-negative-divisors": ALL,
        "divisor-at-its-zero-point": ALL,
        "int32": NONZERO,
        "int32-relu": NONZERO,
        "float-by-zero": [
            np.array([1, -1, 0, 5], np.float32),
            np.array([0, 0, 0, -0.0], np.float32),
        ],
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_float_by_zero_is_the_largest_finite_value():
    (output,) = TABLE.run("float-by-zero")[0]
    most = np.finfo(np.float32).max
    assert output[[0, 1, 3]].tolist() == [most, -most, -most]
    assert np.isnan(output[2])


def test_integer_division_by_zero_is_refused():
    interpreter = Interpreter(pyref.Model.from_bytes(build(div("INT32"))))
    with pytest.raises(RefusedError, match="integer division by zero") as caught:
        interpreter.invoke([np.ones((2, 3, 4), np.int32), np.zeros((2, 3, 4), np.int32)])
    assert caught.value.phase == "invoke"


def test_factor_is_divided_in_float32():
    """div.cc of 2026-08: 0.5 / (0.25 * 0.75) is above 8/3 in float32, so 3 / 16 rounds up."""
    model = div("INT8", ((1,), (1,)), scales=(0.5, 0.25, 0.75), zero_points=(0, 0, 0))
    x = [np.array([3], np.int8), np.array([16], np.int8)]
    (output,) = Table({"x": model}, inputs={"x": x}).run("x")[0]
    assert output.tolist() == [1]
    assert not factors_agree("DIV", (0.5, 0.25, 0.75))
