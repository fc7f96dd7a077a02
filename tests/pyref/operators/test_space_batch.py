"""SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND against TFLM; field failure 19."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def move(op, source, block, amounts, *rest, fed_block=False):
    target, type_ = (*rest, "INT8")[:2]
    inputs = [fed(source, type_, 0.5, 3), constant(block), constant(amounts)]
    if fed_block:
        inputs[1] = fed([len(block)], "INT32")
    return one_operator(op, inputs, [fed(target, type_, 0.5, 3)], {})


def to_batch(*args, **more):
    return move("SPACE_TO_BATCH_ND", *args, **more)


def to_space(*args, **more):
    return move("BATCH_TO_SPACE_ND", *args, **more)


NONE = [[0, 0], [0, 0]]
TABLE = Table(
    {
        "to-batch": to_batch([1, 8, 8, 1], [2, 2], NONE, [4, 4, 4, 1]),
        "to-batch-stored-shape-of-ones": to_batch([1, 8, 8, 1], [2, 2], NONE, [1, 4, 4, 1]),
        "to-batch-padded": to_batch([2, 3, 5, 2], [2, 3], [[1, 0], [0, 1]], [12, 2, 2, 2]),
        "to-batch-float": to_batch([1, 4, 4, 2], [2, 2], NONE, [4, 2, 2, 2], "FLOAT32"),
        "to-batch-rank3": to_batch([2, 5, 3], [2], [[1, 0]], [4, 3, 3]),
        "to-batch-block-given": to_batch([1, 4, 4, 1], [2, 2], NONE, [4, 2, 2, 1], fed_block=True),
        "to-space": to_space([4, 4, 4, 1], [2, 2], NONE, [1, 8, 8, 1]),
        "to-space-cropped": to_space([12, 2, 2, 2], [2, 3], [[1, 0], [0, 1]], [2, 3, 5, 2]),
        "to-space-float": to_space([4, 2, 2, 2], [2, 2], NONE, [1, 4, 4, 2], "FLOAT32"),
        "to-space-rank3": to_space([4, 3, 3], [2], [[1, 0]], [2, 5, 3]),
        "refused-rank2": to_batch([4, 4], [2], [[0, 0]], [8, 2]),
        "refused-rank5": to_space([4, 1, 1, 1, 1], [2, 2], NONE, [1, 2, 2, 1, 1]),
        "refused-int16": to_batch([1, 4, 4, 1], [2, 2], NONE, [4, 2, 2, 1], "INT16"),
    },
    inputs={
        "to-batch-block-given": [
            np.arange(16, dtype=np.int8).reshape(1, 4, 4, 1),
            np.array([2, 2], np.int32),
        ]
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_stored_shape_of_ones_gives_the_first_phase_only():
    """Field failure 19: even rows and columns, no error."""
    x = np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)
    model = to_batch([1, 8, 8, 1], [2, 2], NONE, [1, 4, 4, 1])
    (output,) = Table({"x": model}, inputs={"x": [x]}).run("x")[0]
    assert output.tolist() == x[:, ::2, ::2].tolist()


@pytest.mark.parametrize("type_", ["INT8", "FLOAT32"])
def test_padding_is_0_and_not_the_zero_point(type_):
    model = to_batch([1, 1, 1, 1], [2, 2], [[1, 0], [1, 0]], [4, 1, 1, 1], type_)
    (output,) = Table({"x": model}).run("x")[0]
    assert output.reshape(-1)[:3].tolist() == [0, 0, 0]
