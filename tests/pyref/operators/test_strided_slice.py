"""STRIDED_SLICE against TFLM; field failure 32."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Tensor, build, one_operator
from pyref.errors import RefusedError
from tests.pyref.equal import assert_same
from tests.pyref.operators.witness import Table


def strided_slice(
    shape: list[int],
    begin: list[int],
    end: list[int],
    strides: list[int],
    output: list[int],
    *,
    kind: str = "INT8",
    fed: bool = False,
    **options: Any,
) -> Model:
    indices = [Tensor(data=np.array(v, np.int32)) for v in (begin, end, strides)]
    if fed:
        indices[0] = Tensor([len(begin)], "INT32")
    return one_operator(
        "STRIDED_SLICE", [Tensor(shape, kind), *indices], [Tensor(output, kind)], options
    )


ALL: dict[str, Any] = {"begin_mask": 15, "end_mask": 15}
CASES = {
    "plain": strided_slice([1, 4, 5, 3], [0, 1, 2, 0], [1, 3, 5, 2], [1, 1, 1, 1], [1, 2, 3, 2]),
    "negative": strided_slice([6, 7], [-4, -5], [-1, -2], [1, 2], [3, 2]),
    "stride2-odd": strided_slice([9], [1], [9], [3], [3]),
    "reversed": strided_slice(
        [1, 4, 4, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 1, -1, 1], [1, 4, 4, 1], **ALL
    ),
    "reversed-part": strided_slice([8], [6], [1], [-2], [3]),
    "last-row-shrunk": strided_slice(
        [1, 4, 4, 1], [0, -1, 0, 0], [1, 0, 4, 1], [1, 1, 1, 1], [1, 4, 1], shrink_axis_mask=2
    ),
    "begin-mask": strided_slice([5, 4], [3, 1], [4, 3], [1, 1], [4, 2], begin_mask=1),
    "end-mask": strided_slice([5, 4], [3, 1], [1, 3], [1, 1], [2, 2], end_mask=1),
    "beyond-the-end": strided_slice([5], [2], [100], [1], [3]),
    "before-the-start": strided_slice([5], [-100], [2], [1], [2]),
    "int16": strided_slice([4, 6], [0, 2], [4, 6], [1, 2], [4, 2], kind="INT16"),
    "int32": strided_slice([4, 6], [0, 2], [4, 6], [2, 2], [2, 2], kind="INT32"),
    "float": strided_slice([4, 6], [0, 2], [4, 6], [2, 2], [2, 2], kind="FLOAT32"),
    "bool": strided_slice([4, 6], [0, 2], [4, 6], [2, 2], [2, 2], kind="BOOL"),
    "rank3-shrink-all": strided_slice(
        [2, 3, 4], [1, 2, 3], [2, 3, 4], [1, 1, 1], [], shrink_axis_mask=7
    ),
    "refused-uint8": strided_slice([4], [0], [4], [2], [2], kind="UINT8"),
    "refused-rank5": strided_slice(
        [1, 1, 1, 1, 2], [0] * 5, [1, 1, 1, 1, 2], [1] * 5, [1, 1, 1, 1, 2]
    ),
    "refused-stride0": strided_slice([4], [0], [4], [0], [4]),
    "refused-size": strided_slice([4], [0], [4], [1], [3]),
    "refused-begin-fed": strided_slice([4], [0], [4], [1], [4], fed=True),
}
TABLE = Table(CASES)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_shrink_with_negative_begin_takes_the_last_row():
    """Field failure 32 (a)."""
    model = pyref.Model.from_bytes(build(CASES["last-row-shrunk"]))
    x = np.arange(16, dtype=np.int8).reshape(1, 4, 4, 1)
    assert_same(pyref.run(model, [x]).outputs[0], x[:, 3])


@pytest.mark.parametrize("mask", ["ellipsis_mask", "new_axis_mask", "offset"])
def test_what_tflm_silently_ignores_is_refused(mask):
    """Field failure 32 (c), (d), (e): a wrong slice with no error in TFLM."""
    model = strided_slice([4, 4], [0, 0], [2, 4], [1, 1], [2, 4], **{mask: 1})
    with pytest.raises(RefusedError, match=mask):
        pyref.run(pyref.Model.from_bytes(build(model)), [np.zeros([4, 4], np.int8)])
