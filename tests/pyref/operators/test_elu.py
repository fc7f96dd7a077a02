"""ELU against TFLM."""

from __future__ import annotations

import numpy as np

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import fed, unary
from tests.pyref.operators.witness import Table

EVERY = np.arange(-128, 128).astype(np.int8)


def elu(source, target):
    return one_operator("ELU", [fed([256], "INT8", *source)], [fed([256], "INT8", *target)])


CASES = {
    "int8": elu((0.05, 3), (0.05, -20)),
    "int8-coarse": elu((0.3, 0), (0.2, 0)),
    "int8-saturates": elu((1.0, -128), (0.1, 100)),
}
TABLE = Table(
    {
        **CASES,
        "refused-int16": unary("ELU", "INT16"),
        "refused-types": unary("ELU", "INT8", to="FLOAT32"),
    },
    inputs={key: [EVERY] for key in CASES},
)
FLOATS = Table({"float": unary("ELU", "FLOAT32", [200])}, ulp=1)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    FLOATS.check(case)
