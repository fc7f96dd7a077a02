"""PACK and UNPACK against TFLM."""

from __future__ import annotations

import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import fed
from tests.pyref.operators.witness import Table


def pack(shape, count, axis, target, type_="INT8"):
    inputs = [fed(shape, type_) for _ in range(count)]
    return one_operator("PACK", inputs, [fed(target, type_)], {"values_count": count, "axis": axis})


def unpack(shape, axis, target, type_="INT8"):
    count = shape[axis]
    outputs = [fed(target, type_) for _ in range(count)]
    return one_operator("UNPACK", [fed(shape, type_)], outputs, {"num": count, "axis": axis})


TYPES = ("FLOAT32", "INT8", "INT16", "INT32")
TABLE = Table(
    {
        **{f"pack-{t}": pack([2, 3], 3, 1, [2, 3, 3], t) for t in (*TYPES, "INT64")},
        "pack-first": pack([2, 3], 2, 0, [2, 2, 3]),
        "pack-last": pack([2, 3], 2, -1, [2, 3, 2]),
        "pack-scalars": pack([], 3, 0, [3]),
        "refused-pack-uint8": pack([2], 2, 0, [2, 2], "UINT8"),
        "refused-pack-bool": pack([2], 2, 0, [2, 2], "BOOL"),
        **{f"unpack-{t}": unpack([2, 3, 4], 1, [2, 4], t) for t in TYPES},
        "unpack-first": unpack([3, 4], 0, [4]),
        "unpack-last": unpack([3, 2], -1, [3]),
        "refused-unpack-int64": unpack([2, 2], 0, [2], "INT64"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(
    "model",
    [pack([2, 3], 2, 0, [2, 2, 4]), unpack([2, 2, 3], 0, [2, 2])],
    ids=["pack-sizes", "unpack-sizes"],
)
def test_sizes_that_tflm_asserts_in_debug_builds_are_refused(model):
    with pytest.raises(RefusedError, match="unchecked in TFLM"):
        Interpreter(pyref.Model.from_bytes(build(model)))
