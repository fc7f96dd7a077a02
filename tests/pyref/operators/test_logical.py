"""LOGICAL_AND and LOGICAL_OR against TFLM."""

from __future__ import annotations

import pytest

import pyref
from fixtures.writer import build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import BROADCASTS, binary
from tests.pyref.operators.witness import Table

TABLE = Table(
    {
        f"{op}-{k}": binary(op, "BOOL", s)
        for op in ("LOGICAL_AND", "LOGICAL_OR")
        for k, s in BROADCASTS.items()
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_other_types_are_refused():
    """TFLM does not look at the type and reads the bytes as bool."""
    model = pyref.Model.from_bytes(build(binary("LOGICAL_AND", "INT8")))
    with pytest.raises(RefusedError, match="INT8, INT8, INT8 are not all BOOL"):
        Interpreter(model)
