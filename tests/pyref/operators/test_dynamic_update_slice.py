"""DYNAMIC_UPDATE_SLICE against TFLM."""

from __future__ import annotations

import numpy as np

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def update(shape, block, start, type_="INT8", index="INT32"):
    inputs = [fed(shape, type_), fed(block, type_), constant(start, index)]
    return one_operator("DYNAMIC_UPDATE_SLICE", inputs, [fed(shape, type_)])


TABLE = Table(
    {
        "inside": update([4, 5], [2, 2], [1, 3]),
        "clamped": update([4, 5], [2, 2], [9, -3]),
        "whole": update([4, 5], [4, 5], [1, 1]),
        "int64-start": update([2, 4, 5], [1, 2, 5], [1, 1, 0], index="INT64"),
        **{f"{t}": update([3, 3], [1, 2], [1, 1], t) for t in ("FLOAT32", "INT16", "INT32")},
        "refused-int64": update([3, 3], [1, 2], [1, 1], "INT64"),
        "refused-bool": update([3, 3], [1, 2], [1, 1], "BOOL"),
        "refused-larger": update([3, 3], [1, 4], [1, 1]),
        "refused-rank": update([3, 3], [2], [1, 1]),
        "refused-start": update([3, 3], [1, 2], [1]),
        "refused-start-type": update([3, 3], [1, 2], [1, 1], index="INT16"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_start_is_clamped_so_that_the_block_fits():
    model = update([4], [2], [9])
    operand, block = np.array([1, 2, 3, 4], np.int8), np.array([7, 8], np.int8)
    (output,) = Table({"x": model}, inputs={"x": [operand, block]}).run("x")[0]
    assert output.tolist() == [1, 2, 7, 8]
