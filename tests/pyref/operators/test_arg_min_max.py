"""ARG_MAX and ARG_MIN against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def arg(op, shape, axis, type_="INT8", *, to="INT32", axis_type="INT32"):
    rest = [n for i, n in enumerate(shape) if i != axis % len(shape)]
    return one_operator(op, [fed(shape, type_), constant([axis], axis_type)], [fed(rest, to)])


TABLE = Table(
    {
        "max-last": arg("ARG_MAX", [2, 3, 7], -1),
        "max-first": arg("ARG_MAX", [5, 3, 2], 0),
        "max-middle": arg("ARG_MAX", [2, 9, 3], 1),
        "min-last": arg("ARG_MIN", [2, 3, 7], 2),
        "min-vector": arg("ARG_MIN", [9], 0),
        "max-float": arg("ARG_MAX", [4, 8], 1, "FLOAT32"),
        "min-float-nan": arg("ARG_MIN", [3, 4], 1, "FLOAT32"),
        "max-float-nan": arg("ARG_MAX", [3, 4], 1, "FLOAT32"),
        "max-ties": arg("ARG_MAX", [2, 4], 1),
        "refused-uint8": arg("ARG_MAX", [2, 3], 1, "UINT8"),
        "refused-int32": arg("ARG_MIN", [2, 3], 1, "INT32"),
        "refused-int64-output": arg("ARG_MAX", [2, 3], 1, to="INT64"),
        "refused-int64-axis": arg("ARG_MAX", [2, 3], 1, axis_type="INT64"),
    },
    inputs={
        "min-float-nan": [
            np.array([[np.nan, 1, 2, 3], [3, np.nan, 1, 2], [np.nan] * 4], np.float32)
        ],
        "max-float-nan": [
            np.array([[np.nan, 1, 2, 3], [3, np.nan, 1, -np.inf], [np.nan] * 4], np.float32)
        ],
        "max-ties": [np.array([[1, 5, 5, 2], [7, 7, 7, 7]], np.int8)],
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(("case", "expected"), [("max-ties", [1, 0]), ("max-float-nan", [0, 0, 0])])
def test_first_of_equals_and_nan_first(case, expected):
    (output,) = TABLE.run(case)[0]
    assert output.tolist() == expected
