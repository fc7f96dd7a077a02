"""CEIL, EXP, FLOOR, NEG and ROUND of float32 against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import fed, unary
from tests.pyref.operators.witness import Table

EDGES = np.array(
    [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -0.3, 0.3, 1e9, -1e9, np.inf, -np.inf, np.nan, 7, -7.5],
    np.float32,
)
OPERATORS = ("CEIL", "FLOOR", "NEG", "ROUND")
TABLE = Table(
    {
        **{op: unary(op, "FLOAT32", [16]) for op in OPERATORS},
        **{f"{op}-drawn": unary(op, "FLOAT32") for op in OPERATORS},
        **{f"refused-{op}-int8": unary(op, "INT8") for op in (*OPERATORS, "EXP")},
        "refused-shape": one_operator("ROUND", [fed([2, 3], "FLOAT32")], [fed([3, 2], "FLOAT32")]),
        "refused-rank": one_operator("CEIL", [fed([2, 3], "FLOAT32")], [fed([6], "FLOAT32")]),
        "refused-type": unary("EXP", "FLOAT32", to="INT32"),
    },
    inputs={op: [EDGES] for op in OPERATORS},
)
EXP = Table({"exp": unary("EXP", "FLOAT32", [64])}, ulp=1)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@EXP.parametrize
def test_exp_like_tflm(case):
    EXP.check(case)


@pytest.mark.parametrize(
    ("x", "expected"), [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, 0.0), (-1.5, -2.0)]
)
def test_round_halves_to_even_and_never_to_minus_zero(x, expected):
    table = Table({"x": unary("ROUND", "FLOAT32", [1])}, inputs={"x": [np.array([x], np.float32)]})
    (output,) = table.run("x")[0]
    assert output[0] == expected
    assert not np.signbit(output[0]) or expected < 0
