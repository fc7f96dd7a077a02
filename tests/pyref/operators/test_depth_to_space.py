"""DEPTH_TO_SPACE and SPACE_TO_DEPTH against TFLM."""

from __future__ import annotations

import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import fed
from tests.pyref.operators.witness import Table


def move(op, source, target, block, type_="INT8"):
    return one_operator(op, [fed(source, type_)], [fed(target, type_)], {"block_size": block})


TABLE = Table(
    {
        "depth2": move("DEPTH_TO_SPACE", [2, 2, 3, 12], [2, 4, 6, 3], 2),
        "depth3-float": move("DEPTH_TO_SPACE", [1, 2, 1, 9], [1, 6, 3, 1], 3, "FLOAT32"),
        "depth1": move("DEPTH_TO_SPACE", [1, 2, 1, 9], [1, 2, 1, 9], 1),
        "space2": move("SPACE_TO_DEPTH", [2, 4, 6, 3], [2, 2, 3, 12], 2),
        "space3-float": move("SPACE_TO_DEPTH", [1, 6, 3, 1], [1, 2, 1, 9], 3, "FLOAT32"),
        "refused-depth": move("DEPTH_TO_SPACE", [1, 2, 2, 6], [1, 4, 4, 1], 2),
        "refused-space": move("SPACE_TO_DEPTH", [1, 3, 4, 1], [1, 1, 2, 4], 2),
        "refused-rank": move("DEPTH_TO_SPACE", [2, 2, 4], [4, 4, 1], 2),
        "refused-int16": move("SPACE_TO_DEPTH", [1, 2, 2, 1], [1, 1, 1, 4], 2, "INT16"),
        "refused-block": move("DEPTH_TO_SPACE", [1, 2, 2, 4], [1, 2, 2, 4], 0),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_stored_shape_of_another_size_is_refused():
    """TFLM would give the output, and the operators after it, the computed shape."""
    model = build(move("DEPTH_TO_SPACE", [1, 2, 2, 4], [1, 4, 4, 2], 2))
    with pytest.raises(RefusedError, match=r"the output is \[1, 4, 4, 1\], the file says"):
        Interpreter(pyref.Model.from_bytes(model))
