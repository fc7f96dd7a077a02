"""MAXIMUM and MINIMUM against TFLM, and where CMSIS-NN differs."""

from __future__ import annotations

import numpy as np
import pytest

from pyref.errors import RefusedError
from tests.pyref.equal import assert_same
from tests.pyref.operators.tensors import BROADCASTS, binary
from tests.pyref.operators.witness import Table

TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "INT64")
NAN = np.array([np.nan, 1, np.nan, 2], np.float32)
TABLE = Table(
    {
        **{f"{op}-{t}": binary(op, t) for op in ("MAXIMUM", "MINIMUM") for t in TYPES},
        **{f"maximum-{k}": binary("MAXIMUM", "INT8", s) for k, s in BROADCASTS.items()},
        **{f"minimum-float-{k}": binary("MINIMUM", "FLOAT32", s) for k, s in BROADCASTS.items()},
        "nan": binary("MAXIMUM", "FLOAT32", ((4,), (4,))),
        "refused-uint8": binary("MAXIMUM", "UINT8"),
        "refused-bool": binary("MINIMUM", "BOOL"),
    },
    inputs={"nan": [NAN, np.array([1, np.nan, np.nan, 5], np.float32)]},
)
PAIRS = {
    "same": ((2, 3, 4), (2, 3, 4)),
    "scalar": ((2, 3, 4, 5), (1,)),
    "channel": ((1, 2, 2, 3), (3,)),
    "width-1": ((1, 2, 2, 3), (1, 2, 1, 3)),
    "height-1": ((1, 3, 2, 3), (1, 1, 2, 3)),
    "batch-1": ((3, 2, 2, 3), (1, 2, 2, 3)),
    "channels-1": ((2, 2, 2, 3), (2, 2, 2, 1)),
    "batch-and-channels": ((3, 2, 2, 3), (1, 2, 2, 1)),
}
CMSIS = Table({k: binary("MAXIMUM", "INT8", s) for k, s in PAIRS.items()})


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@CMSIS.parametrize
def test_cmsis_nn_agrees_where_one_input_is_the_smaller(case):
    for a, b in zip(CMSIS.run(case, "cmsis_nn"), CMSIS.run(case), strict=True):
        assert_same(a[0], b[0], case)


def walk(a, b, out):
    """arm_maximum_s8's pointers, step by step as the C code moves them."""
    at, written = [0, 0], []
    width = (0 if a[2] >= b[2] else a[3], 0 if b[2] >= a[2] else b[3])
    height = (
        width[0] if a[1] >= b[1] else -a[2] * (a[3] - width[0]),
        width[1] if b[1] >= a[1] else -b[2] * (b[3] - width[1]),
    )
    for _ in range(out[1]):
        for _ in range(out[2]):
            written += [
                (at[0] + (c if a[3] > 1 else 0), at[1] + (c if b[3] > 1 else 0))
                for c in range(out[3])
            ]
            at = [at[0] + a[3] - width[0], at[1] + b[3] - width[1]]
        at = [at[0] + height[0], at[1] + height[1]]
    return written


@pytest.mark.parametrize(
    ("a", "b"),
    [((1, 2, 1, 3), (1, 1, 2, 3)), ((1, 3, 1, 2), (1, 1, 4, 2)), ((1, 2, 3, 2), (1, 1, 3, 1))],
)
def test_cmsis_nn_differs_where_each_broadcasts_one_dimension(a, b):
    """CMSIS-NN Source/BasicMathFunctions/arm_maximum_s8.c: rows do not go back as they should."""
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-128, 128, s).astype(np.int8) for s in (a, b))
    table = Table({"x": binary("MAXIMUM", "INT8", (a, b))}, inputs={"x": [x, y]})
    out = np.broadcast_shapes(a, b)
    pairs = walk(a, b, out)
    if not all(0 <= i < x.size and 0 <= j < y.size for i, j in pairs):
        with pytest.raises(RefusedError, match="CMSIS-NN goes beyond its tensors"):
            table.run("x", "cmsis_nn")
        return
    (output,) = table.run("x", "cmsis_nn")[0]
    expected = [max(x.reshape(-1)[i], y.reshape(-1)[j]) for i, j in pairs]
    assert output.reshape(-1).tolist() == expected
