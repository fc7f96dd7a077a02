"""SLICE, SPLIT and SPLIT_V against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def cut(shape, begin, size, target, type_="INT8", *, index="INT32", given=False):
    inputs = [fed(shape, type_), constant(begin, index), constant(size, index)]
    if given:
        inputs[1] = fed([len(begin)], index)
    return one_operator("SLICE", inputs, [fed(target, type_)], {})


def split(shape, axis, targets, type_="INT8", *, sizes=None):
    axis_tensor = constant(axis)
    inputs = [axis_tensor, fed(shape, type_)]
    op, options = "SPLIT", {"num_splits": len(targets)}
    if sizes is not None:
        op, inputs = "SPLIT_V", [inputs[1], constant(sizes), axis_tensor]
    return one_operator(op, inputs, [fed(t, type_) for t in targets], options)


TABLE = Table(
    {
        **{
            f"slice-{t}": cut([2, 4, 5], [0, 1, 2], [2, 2, 3], [2, 2, 3], t)
            for t in ("FLOAT32", "INT32", "INT8", "INT16", "BOOL")
        },
        "slice-to-the-end": cut([4, 5], [1, 2], [-1, -1], [3, 3]),
        "slice-int64": cut([4, 5], [1, 2], [2, 2], [2, 2], index="INT64"),
        "slice-rank5": cut([2, 2, 2, 2, 3], [1, 0, 1, 0, 1], [1, 2, 1, 2, 2], [1, 2, 1, 2, 2]),
        "slice-begin-given": cut([4, 5], [0, 2], [2, 2], [2, 2], given=True),
        "refused-slice-uint8": cut([4], [1], [2], [2], "UINT8"),
        "refused-slice-int64": cut([4], [1], [2], [2], "INT64"),
        **{
            f"split-{t}": split([2, 6], 1, [[2, 3]] * 2, t)
            for t in ("FLOAT32", "INT8", "INT16", "INT32")
        },
        "split-first": split([4, 3], 0, [[1, 3]] * 4),
        "split-negative": split([4, 3, 2], [-2], [[4, 1, 2]] * 3),
        "refused-split-uint8": split([4], 0, [[2]] * 2, "UINT8"),
        "refused-split-fed-axis": one_operator(
            "SPLIT", [fed([], "INT32"), fed([4])], [fed([2]), fed([2])], {"num_splits": 2}
        ),
        "split-v": split([2, 6], 1, [[2, 1], [2, 3], [2, 2]], sizes=[1, 3, 2]),
        "split-v-sizes-are-not-read": split([6], 0, [[4], [2]], sizes=[3, 3]),
        "split-v-float": split([5, 2], 0, [[1, 2], [4, 2]], "FLOAT32", sizes=[1, 4]),
        "refused-split-v-bool": split([4], 0, [[2]] * 2, "BOOL", sizes=[2, 2]),
    },
    inputs={
        "slice-begin-given": [
            np.arange(20, dtype=np.int8).reshape(4, 5),
            np.array([1, 3], np.int32),
        ]
    },
)

SILENT = Table(
    {
        "axis": split([4, 3], 2, [[4, 3]]),
        "negative": split([4, 3], -3, [[4, 3]]),
        "v-axis": split([4, 3], 2, [[4, 3]], sizes=[3]),
    }
)


@SILENT.parametrize
def test_axis_outside_fails_when_it_runs(case):
    """The release of 2026-08 says which ensure fails, the package of autumn 2026 nothing."""
    assert SILENT.results[case].refusal == "Interpreter invocation failed."
    with pytest.raises(RefusedError, match=r"split(_v)?.cc axis_value .* was not true.") as caught:
        SILENT.run(case)
    assert caught.value.phase == "invoke"


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (cut([4], [2], [3], [3]), "begin 2, size 3 of 4"),
        (cut([4], [-1], [1], [1]), "begin -1, size 1 of 4"),
        (cut([4], [1], [2], [3]), r"2 values for an output of \[3\]"),
        (split([5], 0, [[2], [2]]), "unchecked in TFLM"),
        (split([5], 0, [[2], [4]], sizes=[2, 4]), "unchecked in TFLM"),
    ],
    ids=["slice-end", "slice-begin", "slice-output", "split-sizes", "split-v-sizes"],
)
def test_what_tflm_asserts_in_debug_builds_is_refused(model, reason):
    with pytest.raises(RefusedError, match=reason):
        Interpreter(pyref.Model.from_bytes(build(model)))
