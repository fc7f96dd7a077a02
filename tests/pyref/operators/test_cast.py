"""CAST against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.tensors import plain
from tests.pyref.operators.witness import Table
from tests.tflm import AVAILABLE

TYPES = ("INT8", "INT16", "INT32", "UINT32", "FLOAT32", "BOOL")


def cast(source, target):
    return one_operator("CAST", [plain([2, 9], source)], [plain([2, 9], target)])


SMALL = np.linspace(-128.7, 127.9, 18, dtype=np.float32).reshape(2, 9)
TABLE = Table(
    {
        **{f"{a}-to-{b}": cast(a, b) for a in TYPES for b in TYPES if b != "BOOL"},
        "refused-to-int64": cast("INT8", "INT64"),
        "refused-uint8": cast("UINT8", "INT8"),
        "refused-int64": cast("INT64", "INT8"),
    },
    inputs={f"FLOAT32-to-{b}": [np.abs(SMALL) if b == "UINT32" else SMALL] for b in TYPES},
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("INT8", [0, -1, 0, 127, -128]),
        ("INT32", [2**31 - 1, 2**31 - 1, -(2**31), 127, -128]),
        ("UINT32", [2**32 - 1, 2**32 - 1, 0, 127, 0]),
    ],
)
def test_float_beyond_the_range_is_the_cortex_m7s(target, expected):
    """C leaves it undefined; VCVT saturates, SXTB keeps the low byte."""
    x = np.array([[1e10, np.inf, -np.inf, 127.5, -128.5]], np.float32)
    expected = [0, *expected[1:]] if target == "INT8" else expected
    model = one_operator("CAST", [plain([1, 5], "FLOAT32")], [plain([1, 5], target)])
    (output,) = Table({"x": model}, inputs={"x": [x]}).run("x")[0]
    wanted = {"INT8": [-1, -1, 0, 127, -128]}.get(target, expected)
    assert output[0].tolist() == wanted


def test_bool_output_is_refused_as_in_2026_08():
    """Releases since then take it: so does the package that tests run against."""
    table = Table({"x": cast("INT8", "BOOL")})
    with pytest.raises(RefusedError, match=r"Output type BOOL \(6\) not supported."):
        table.run("x")
    if AVAILABLE:
        assert table.results["x"].refusal is None
