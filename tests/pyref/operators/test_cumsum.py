"""CUMSUM against TFLM."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def cumsum(axis, type_="INT8", *, shape=(2, 5, 3), target=(2.0, -7), axis_type="INT32", **options):
    return one_operator(
        "CUMSUM",
        [fed(shape, type_, 0.5, 3), constant([axis], axis_type)],
        [fed(shape, type_, *target)],
        options,
    )


TABLE = Table(
    {
        "axis0": cumsum(0),
        "axis1": cumsum(1),
        "last": cumsum(-1),
        "exclusive": cumsum(1, exclusive=True),
        "reverse": cumsum(1, reverse=True),
        "exclusive-reverse": cumsum(1, exclusive=True, reverse=True),
        "wraps-in-32-bits": cumsum(0, shape=[64], target=(50.0, 0)),
        "float": cumsum(1, "FLOAT32"),
        "float-exclusive-reverse": cumsum(0, "FLOAT32", exclusive=True, reverse=True),
        "refused-axis": cumsum(3),
        "refused-int16": cumsum(0, "INT16"),
        "refused-axis-type": cumsum(0, axis_type="INT64"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
