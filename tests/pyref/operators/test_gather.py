"""GATHER and GATHER_ND against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def gather(source, coords, target, type_="INT8", *, coords_type="INT32", **options):
    inputs = [fed(source, type_), constant(coords, coords_type)]
    return one_operator("GATHER", inputs, [fed(target, type_)], options)


def gather_nd(source, indices, target, type_="INT8", index_type="INT32"):
    inputs = [fed(source, type_), constant(indices, index_type)]
    return one_operator("GATHER_ND", inputs, [fed(target, type_)], {})


TABLE = Table(
    {
        "axis0": gather([4, 3], [2, 0, 2], [3, 3]),
        "axis1": gather([2, 4, 3], [3, 0], [2, 2, 3], axis=1),
        "axis-last-float": gather([2, 4], [[0, 3], [1, 1]], [2, 2, 2], "FLOAT32", axis=-1),
        "scalar-coordinate": gather([4, 3], 2, [3]),
        "batch": gather([2, 3, 4], [[2, 0], [1, 1]], [2, 2, 4], axis=1, batch_dims=1),
        "batch-outer": gather([2, 2, 4], [[2, 0], [1, 3]], [2, 2, 2], axis=2, batch_dims=1),
        "refused-int16": gather([4, 3], [2], [1, 3], "INT16"),
        "refused-coords": gather([4, 3], [2], [1, 3], coords_type="INT64"),
        "refused-axis": gather([4, 3], [2], [1, 3], axis=2),
        "refused-batch-dims": gather([2, 3], [[1], [0]], [2, 1], axis=0, batch_dims=1),
        "refused-batch-size": gather([2, 3], [[1]], [1, 1], axis=1, batch_dims=1),
        "nd-rows": gather_nd([4, 3], [[2], [0]], [2, 3]),
        "nd-elements": gather_nd([4, 3], [[2, 1], [0, 2]], [2], "FLOAT32"),
        "nd-deep": gather_nd([2, 3, 4], [[[1, 2]], [[0, 1]]], [2, 1, 4]),
        "nd-index-outside-its-dimension": gather_nd([4, 3], [[1, 4], [2, -1]], [2]),
        "refused-nd-outside": gather_nd([4, 3], [[4]], [1, 3]),
        "refused-nd-negative": gather_nd([4, 3], [[-1]], [1, 3]),
        "refused-nd-int16": gather_nd([4, 3], [[1]], [1, 3], "INT16"),
        "refused-nd-int64-index": gather_nd([4, 3], [[1]], [1, 3], index_type="INT64"),
        "refused-nd-too-deep": gather_nd([4], [[1, 0]], [1]),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize("position", [4, -1])
def test_positions_outside_are_refused(position):
    """TFLM reads whatever lies there."""
    model = pyref.Model.from_bytes(build(gather([4, 3], [position], [1, 3])))
    with pytest.raises(RefusedError, match=r"a position is outside \[0, 3\]"):
        Interpreter(model).invoke([np.zeros((4, 3), np.int8)])
