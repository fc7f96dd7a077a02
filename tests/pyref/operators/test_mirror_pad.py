"""MIRROR_PAD against TFLM."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def mirror(shape, paddings, mode, type_="INT8", paddings_type="INT32"):
    target = [n + a + b for n, (a, b) in zip(shape, paddings, strict=True)]
    inputs = [fed(shape, type_), constant(paddings, paddings_type)]
    return one_operator("MIRROR_PAD", inputs, [fed(target, type_)], {"mode": mode})


TABLE = Table(
    {
        "reflect": mirror([2, 3], [[1, 1], [2, 1]], "REFLECT"),
        "symmetric": mirror([2, 3], [[1, 2], [3, 1]], "SYMMETRIC"),
        "reflect-4d": mirror([1, 3, 4, 2], [[0, 0], [1, 2], [2, 0], [0, 1]], "REFLECT"),
        "symmetric-float": mirror([4], [[3, 4]], "SYMMETRIC", "FLOAT32"),
        "int64-paddings": mirror([2, 3], [[1, 0], [0, 2]], "REFLECT", paddings_type="INT64"),
        "refused-rank": one_operator(
            "MIRROR_PAD", [fed([2, 3]), constant([1, 1])], [fed([4, 3])], {"mode": "REFLECT"}
        ),
        "refused-rows": one_operator(
            "MIRROR_PAD", [fed([2, 3]), constant([[1, 1]])], [fed([4, 3])], {"mode": "REFLECT"}
        ),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
