"""FLOOR_DIV, FLOOR_MOD and SQUARED_DIFFERENCE against TFLM."""

from __future__ import annotations

import numpy as np

from tests.pyref.operators.tensors import BROADCASTS, binary
from tests.pyref.operators.witness import Table

X = np.array([7.5, -7.5, 7.5, -7.5, 0.0, -0.0, 1e30, 3.0], np.float32)
Y = np.array([2.0, 2.0, -2.0, -2.0, 3.0, 3.0, 7.0, 3.0], np.float32)
EVERY = np.arange(-128, 128).astype(np.int8)
ALL = [np.repeat(EVERY, 256).reshape(256, 256), np.tile(EVERY, (256, 1))]
LARGE = ((256, 256), (256, 256))
TABLE = Table(
    {
        **{
            f"{op}-{k}": binary(op, "FLOAT32", s)
            for op in ("FLOOR_DIV", "FLOOR_MOD")
            for k, s in BROADCASTS.items()
        },
        "div-signs": binary("FLOOR_DIV", "FLOAT32", ((8,), (8,))),
        "mod-signs": binary("FLOOR_MOD", "FLOAT32", ((8,), (8,))),
        "refused-div-by-zero": binary("FLOOR_DIV", "FLOAT32", ((8,), (8,))),
        "refused-div-int32": binary("FLOOR_DIV", "INT32"),
        "refused-mod-int8": binary("FLOOR_MOD", "INT8"),
        "refused-div-types": binary("FLOOR_DIV", "FLOAT32", to="INT32"),
        "squared-every-pair": binary("SQUARED_DIFFERENCE", "INT8", LARGE, scales=(0.5, 0.3, 40.0)),
        **{
            f"squared-{k}": binary("SQUARED_DIFFERENCE", "INT8", s, scales=(0.1, 0.07, 2.5))
            for k, s in BROADCASTS.items()
        },
        "squared-int16": binary("SQUARED_DIFFERENCE", "INT16", scales=(0.1, 0.07, 200.0)),
        "squared-int32-wraps": binary("SQUARED_DIFFERENCE", "INT32", ((2,), (2,))),
        "squared-float": binary("SQUARED_DIFFERENCE", "FLOAT32"),
        "refused-squared-int64": binary("SQUARED_DIFFERENCE", "INT64"),
    },
    inputs={
        "div-signs": [X, Y],
        "mod-signs": [X, Y],
        "refused-div-by-zero": [X, X],
        "squared-every-pair": ALL,
        "squared-int32-wraps": [np.array([2**30, 5], np.int32), np.array([-(2**30), 9], np.int32)],
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
