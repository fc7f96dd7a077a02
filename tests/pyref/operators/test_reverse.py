"""REVERSE_V2 and SELECT_V2 against TFLM."""

from __future__ import annotations

import pytest

from fixtures.writer import one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.tensors import constant, fed, plain
from tests.pyref.operators.witness import Table


def reverse(shape, axes, type_="INT8", axes_type="INT32"):
    inputs = [fed(shape, type_), constant(axes, axes_type)]
    return one_operator("REVERSE_V2", inputs, [fed(shape, type_)], {})


def select(condition, x, y, target, type_="INT8", *, kind="BOOL", other=None):
    inputs = [plain(condition, kind), fed(x, type_), fed(y, other or type_)]
    return one_operator("SELECT_V2", inputs, [fed(target, type_)], {})


TYPES = ("INT32", "FLOAT32", "UINT8", "INT8", "INT16", "INT64", "BOOL")
TABLE = Table(
    {
        **{f"reverse-{t}": reverse([2, 3, 4], [1], t) for t in TYPES},
        "reverse-first": reverse([2, 3, 4], [0]),
        "reverse-last": reverse([2, 3, 4], [-1]),
        "reverse-two": reverse([2, 3, 4], [2, 1]),
        "reverse-all": reverse([2, 3, 4], [0, 1, 2]),
        "reverse-lower-of-one": reverse([2, 3, 1], [1]),
        "refused-reverse-apart": reverse([2, 3, 4], [0, 2]),
        "refused-reverse-twice": reverse([2, 3, 4], [1, 1]),
        "refused-reverse-type": reverse([2, 3], [0], "UINT32"),
        "refused-reverse-axis-type": reverse([2, 3], [0], axes_type="INT64"),
        "refused-reverse-many": reverse([2], [0, 0]),
        **{
            f"select-{t}": select([2, 3], [2, 3], [2, 3], [2, 3], t)
            for t in ("INT8", "INT16", "FLOAT32")
        },
        "select-scalar": select([], [2, 3], [2, 3], [2, 3]),
        "select-broadcast": select([2, 1, 1], [3, 1], [1, 1, 4], [2, 3, 4]),
        "select-ones": select([1], [], [1, 1], [1]),
        "select-rank5": select([2, 1, 1, 1, 3], [2, 1, 2, 1], [3], [2, 2, 1, 2, 3]),
        "refused-select-int32": select([2], [2], [2], [2], "INT32"),
        "refused-select-condition": select([2], [2], [2], [2], kind="INT32"),
        "refused-select-types": select([2], [2], [2], [2], other="FLOAT32"),
        "refused-select-shapes": select([2], [3], [2], [3]),
        "refused-select-output": select([2, 1], [1, 3], [1], [2, 2]),
        "refused-select-rank": select([1], [2, 3], [2, 3], [6]),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_axis_outside_fails_when_it_runs():
    """The release of 2026-08 says which ensure fails, the package of autumn 2026 nothing."""
    table = Table({"x": reverse([2, 3, 4], [3])})
    assert table.results["x"].refusal == "Interpreter invocation failed."
    with pytest.raises(RefusedError, match=r"reverse.cc axes_data\[i\] >= 0"):
        table.run("x")
