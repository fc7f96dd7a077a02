"""TRANSPOSE against TFLM, and where CMSIS-NN differs."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import one_operator
from tests.pyref.equal import assert_same
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def transpose(shape, perm, type_="INT8", *, target=None, perm_type="INT32"):
    target = target or [shape[i] for i in perm]
    inputs = [fed(shape, type_), constant(perm, perm_type)]
    return one_operator("TRANSPOSE", inputs, [fed(target, type_)], {})


TABLE = Table(
    {
        "matrix": transpose([3, 5], [1, 0]),
        "identity": transpose([3, 5], [0, 1]),
        "vector": transpose([5], [0]),
        "nhwc-to-nchw": transpose([2, 3, 4, 5], [0, 3, 1, 2]),
        "rank3": transpose([2, 3, 4], [2, 0, 1], "INT16"),
        "rank5-float": transpose([2, 3, 1, 2, 4], [4, 0, 3, 1, 2], "FLOAT32"),
        "repeated-axis": transpose([3, 5], [0, 0], target=[2, 2]),
        "stored-shape-smaller": transpose([3, 5], [1, 0], target=[2, 3]),
        "refused-int32": transpose([3, 5], [1, 0], "INT32"),
        "refused-uint8": transpose([3, 5], [1, 0], "UINT8"),
        "refused-perm-range": transpose([3, 5], [1, 2], target=[5, 3]),
        "refused-perm-length": transpose([3, 5], [0], target=[3]),
        "refused-rank6": transpose([1, 1, 1, 1, 1, 2], [0, 1, 2, 3, 4, 5]),
        "refused-fed-perm": one_operator(
            "TRANSPOSE", [fed([3, 5]), fed([2], "INT32")], [fed([5, 3])], {}
        ),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize("case", ["matrix", "vector", "nhwc-to-nchw", "rank3", "rank5-float"])
def test_cmsis_nn_agrees(case):
    for a, b in zip(TABLE.run(case, "cmsis_nn"), TABLE.run(case), strict=True):
        assert_same(a[0], b[0], case)


def test_cmsis_nn_swaps_a_matrix_whatever_the_permutation():
    """CMSIS-NN Source/TransposeFunctions/arm_transpose_s8.c, num_dims == 2."""
    x = np.arange(15, dtype=np.int8).reshape(3, 5)
    table = Table({"x": transpose([3, 5], [0, 1])}, inputs={"x": [x]})
    (output,) = table.run("x", "cmsis_nn")[0]
    assert output.reshape(-1).tolist() == x.T.reshape(-1).tolist()


def test_cmsis_nn_leaves_int8_of_5_dimensions_unwritten():
    """cmsis_nn/transpose.cc drops the error of TransposeEvalInt8; zeros here."""
    x = np.arange(1, 9, dtype=np.int8).reshape(2, 1, 2, 1, 2)
    table = Table({"x": transpose([2, 1, 2, 1, 2], [4, 3, 2, 1, 0])}, inputs={"x": [x]})
    assert not table.run("x", "cmsis_nn")[0][0].any()
