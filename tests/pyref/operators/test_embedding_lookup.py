"""EMBEDDING_LOOKUP against TFLM."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def lookup(rows, shape, target, type_="INT8", *, to=None, zero_point=0, index="INT32"):
    inputs = [constant(rows, index), fed(shape, type_, 0.25, zero_point)]
    return one_operator("EMBEDDING_LOOKUP", inputs, [fed(target, to or type_, 0.25)])


TABLE = Table(
    {
        "int8": lookup([3, 0, 3], [4, 5], [3, 5]),
        "float": lookup([1], [4, 5], [1, 5], "FLOAT32"),
        "rank3": lookup([1, 2], [4, 2, 3], [2, 2, 3]),
        "dequantized": lookup([3, 0, 3], [4, 5], [3, 5], to="FLOAT32"),
        "refused-index": lookup([4], [4, 5], [1, 5]),
        "refused-negative": lookup([-1], [4, 5], [1, 5]),
        "refused-zero-point": lookup([1], [4, 5], [1, 5], to="FLOAT32", zero_point=3),
        "refused-int16": lookup([1], [4, 5], [1, 5], "INT16"),
        "refused-index-type": lookup([1], [4, 5], [1, 5], index="INT64"),
        "refused-vector": lookup([1], [4], [1]),
        "refused-small-output": lookup([1, 2], [4, 5], [1, 5]),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
