"""BROADCAST_ARGS and BROADCAST_TO against TFLM."""

from __future__ import annotations

import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import constant, fed, plain
from tests.pyref.operators.witness import Table


def args(a, b, count, type_="INT32", *, other=None, to=None):
    inputs = [constant(a, type_), constant(b, other or type_), plain([1], "INT8")]
    return one_operator("BROADCAST_ARGS", inputs[:2], [plain([count], to or type_)])


def broadcast(source, shape, target=None, type_="INT8", shape_type="INT32"):
    inputs = [fed(source, type_), constant(shape, shape_type)]
    return one_operator("BROADCAST_TO", inputs, [fed(target or shape, type_)], {})


TABLE = Table(
    {
        "args": args([2, 1, 4], [3, 1], 3),
        "args-shorter": args([5], [1, 1, 5], 3),
        "args-int64": args([2, 1], [1, 7], 2, "INT64"),
        "refused-args-int16": args([2, 1], [1, 7], 2, "INT16"),
        "refused-args-types": args([2, 1], [1, 7], 2, "INT32", other="INT64"),
        "refused-args-output": args([2, 1], [1, 7], 2, "INT32", to="INT64"),
        "to-leading": broadcast([3], [2, 3]),
        "to-inner": broadcast([2, 1, 3], [2, 4, 3]),
        "to-many": broadcast([1, 2, 1, 3, 1], [2, 2, 3, 3, 2]),
        "to-scalar": broadcast([], [2, 3]),
        "to-equal": broadcast([2, 3], [2, 3], type_="FLOAT32"),
        **{
            f"to-{t}": broadcast([2, 1], [2, 3], type_=t)
            for t in ("INT16", "INT32", "INT64", "BOOL")
        },
        "to-int64-shape": broadcast([2, 1], [2, 3], shape_type="INT64"),
        "refused-to-shape": broadcast([2], [3]),
        "refused-to-output": broadcast([1, 3], [2, 3], [3, 3]),
        "refused-to-rank": broadcast([2, 3], [3]),
        "refused-to-rank6": broadcast([1], [1, 1, 1, 1, 1, 2]),
        "refused-to-shape-type": broadcast([2, 1], [2, 3], shape_type="INT16"),
        "refused-to-fed-shape": one_operator(
            "BROADCAST_TO", [fed([1, 3]), fed([2], "INT32")], [fed([2, 3])], {}
        ),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_args_that_do_not_broadcast_abort_tflm():
    model = pyref.Model.from_bytes(build(args([2, 3], [3, 3], 2)))
    with pytest.raises(RefusedError, match=r"TFLITE_CHECK_EQ.*TFLM aborts"):
        Interpreter(model).invoke([])
