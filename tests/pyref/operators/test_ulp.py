"""Elementary float32 operators over all of float32: at most 4 ULP from TFLM."""

from __future__ import annotations

import numpy as np

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import plain
from tests.pyref.operators.witness import Table

#: The bound of issue 3 for elementary operators.
MOST_ULP = 4
ROWS, COLUMNS = 512, 40


def everything():
    """Values of every magnitude and sign, subnormal ones, zeros, infinities and NaN among them."""
    rng = np.random.default_rng(20260820)
    bits = rng.integers(0, 2**32, ROWS * COLUMNS, dtype=np.uint32)
    values = bits.view(np.float32).copy()
    values[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, np.finfo(np.float32).max, 1.0]
    usual = rng.normal(scale=8, size=ROWS * COLUMNS // 2).astype(np.float32)
    values[ROWS * COLUMNS // 2 :] = usual
    return values.reshape(ROWS, COLUMNS)


ALL = everything()
#: Rows that are normalised need numbers whose sums are finite.
USUAL = np.random.default_rng(1).normal(scale=4, size=(ROWS, COLUMNS)).astype(np.float32)
ONE_BY_ONE = (
    *("COS", "ELU", "EXP", "HARD_SWISH", "LOG", "LOGISTIC"),
    *("RSQRT", "SIN", "SQRT", "TANH"),
)
BY_ROW = {"L2_NORMALIZATION": {}, "LOG_SOFTMAX": None, "SOFTMAX": {"beta": 1.0}}


def of_one(op, options=None):
    x = plain([ROWS, COLUMNS], "FLOAT32")
    return one_operator(op, [x], [x], options)


TABLE = Table(
    {op: of_one(op) for op in ONE_BY_ONE} | {op: of_one(op, o) for op, o in BY_ROW.items()},
    inputs={op: [ALL] for op in ONE_BY_ONE} | {op: [USUAL] for op in BY_ROW},
    ulp=MOST_ULP,
)


@TABLE.parametrize
def test_within_4_ulp(case):
    assert TABLE.results[case].refusal is None
    TABLE.check(case)
