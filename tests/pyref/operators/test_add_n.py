"""ADD_N against TFLM."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import fed
from tests.pyref.operators.witness import Table


def add_n(count, type_="INT8", *, source=(0.5, 3), target=(0.75, -7), odd=None):
    inputs = [fed([2, 3, 5], type_, *source) for _ in range(count)]
    if odd is not None:
        inputs[-1] = odd
    return one_operator("ADD_N", inputs, [fed([2, 3, 5], type_, *target)])


TABLE = Table(
    {
        "two": add_n(2),
        "five": add_n(5),
        "many": add_n(20, target=(4.0, 0)),
        "zero-point-starts-the-sum": add_n(2, source=(0.5, -128), target=(0.5, -128)),
        "float": add_n(3, "FLOAT32"),
        "refused-one": add_n(1),
        "refused-int16": add_n(2, "INT16", source=(0.5, 0), target=(0.5, 0)),
        "refused-int32": add_n(2, "INT32"),
        "refused-scale": add_n(2, odd=fed([2, 3, 5], "INT8", 0.25, 3)),
        "refused-zero-point": add_n(2, odd=fed([2, 3, 5], "INT8", 0.5, 4)),
        "refused-shape": add_n(2, odd=fed([2, 3, 1], "INT8", 0.5, 3)),
        "refused-type": add_n(2, odd=fed([2, 3, 5], "FLOAT32")),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
