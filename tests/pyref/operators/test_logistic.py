"""LOGISTIC and TANH against TFLM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.witness import Table

if TYPE_CHECKING:
    from fixtures.writer import Model

ALL_INT8 = [np.arange(-128, 128, dtype=np.int8)]
ALL_INT16 = [np.arange(-(2**15), 2**15, dtype=np.int16)]
SCALES = (1e-4, 0.003, 1 / 128, 0.05, 0.125, 0.7, 3.0)
OUTPUT = {"LOGISTIC": (1 / 256, -128), "TANH": (1 / 128, 0)}


def int8(op, scale, zero_point=7):
    return unary(op, tensor((256,), "INT8", scale, zero_point), tensor((256,), "INT8", *OUTPUT[op]))


def int16(op, scale, output=1 / 32768, zero_point=0):
    shape = (65536,)
    return unary(op, tensor(shape, "INT16", scale, zero_point), tensor(shape, "INT16", output))


CASES: dict[str, Model] = {}
for op in OUTPUT:
    name = op.lower()
    CASES |= {f"{name}-int8-{scale:.4g}": int8(op, scale) for scale in SCALES}
    CASES |= {
        f"{name}-int16-{scale:.4g}": int16(op, scale)
        for scale in (1 / 4096, 1 / 2048, 1 / 8192, 1e-5, 3e-4, 0.02, 3.0, 9.0)
    }
    CASES |= {
        f"{name}-refused-int16-zero-point": int16(op, 1 / 4096, zero_point=1),
        f"{name}-refused-int16-scale": int16(op, 1 / 4096, output=1 / 16384),
        f"{name}-refused-int32": unary(op, tensor((4,), "INT32")),
        f"{name}-refused-types": unary(op, tensor((4,)), tensor((4,), "FLOAT32")),
    }
CASES["logistic-refused-zero-point"] = unary(
    "LOGISTIC", tensor((4,)), tensor((4,), "INT8", 1 / 256, 0)
)
INPUTS = {
    name: ALL_INT16 if "int16" in name else ALL_INT8 for name in CASES if "refused" not in name
}
TABLE = Table(CASES, inputs=INPUTS)
FLOATS = Table(
    {op.lower(): unary(op, tensor((3, 50), "FLOAT32")) for op in OUTPUT},
    inputs={
        op.lower(): [np.linspace(-30, 30, 150, dtype=np.float32).reshape(3, 50)] for op in OUTPUT
    },
    ulp=4,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    FLOATS.check(case)
