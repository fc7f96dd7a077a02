"""EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import BROADCASTS, binary
from tests.pyref.operators.witness import Table

OPERATORS = ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")
TYPES = ("FLOAT32", "INT32", "INT64", "INT8")


def compare(op, type_, shapes=((2, 3, 4), (2, 3, 4)), **more):
    return binary(op, type_, shapes, to="BOOL", **more)


TABLE = Table(
    {
        **{f"{op}-{type_}": compare(op, type_) for op in OPERATORS for type_ in TYPES},
        **{f"{op}-BOOL": compare(op, "BOOL") for op in OPERATORS[:2]},
        **{f"less-{k}": compare("LESS", "INT8", s) for k, s in BROADCASTS.items()},
        "equal-scales-differ": compare(
            "EQUAL", "INT8", scales=(0.5, 0.25, 1), zero_points=(0, 0, 0)
        ),
        "nan": compare("NOT_EQUAL", "FLOAT32", ((3,), (3,))),
        "refused-equal-int16": compare("EQUAL", "INT16"),
        "refused-less-uint8": compare("LESS", "UINT8"),
        "refused-greater-bool": compare("GREATER", "BOOL"),
    },
    inputs={
        "nan": [np.array([1, np.nan, 2], np.float32), np.array([1, np.nan, np.nan], np.float32)]
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize("scale", [1.0, 3.5])
def test_scale_of_1_or_more_aborts_tflm(scale):
    """QuantizeMultiplierSmallerThanOneExp checks its factor, which is the bare scale here."""
    model = build(compare("LESS", "INT8", scales=(scale, 0.5, 1)))
    with pytest.raises(RefusedError, match=r"TFLITE_CHECK_LT.*TFLM aborts"):
        Interpreter(pyref.Model.from_bytes(model))


def test_greater_of_int16_is_never_true():
    """TFLM leaves its parameters unset; so it is where the arena was zeros."""
    (output,) = Table({"x": compare("GREATER", "INT16")}).run("x")[0]
    assert not output.any()
