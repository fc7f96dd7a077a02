"""MEAN, SUM, REDUCE_MAX, REDUCE_MIN and REDUCE_ALL against TFLM; field failure 26."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table


def reduce(
    op,
    shape,
    axes,
    output,
    *,
    kind="INT8",
    keep_dims=False,
    fed=False,
    scales=(0.05, 0.03),
    zero_points=(-3, 7),
    axis_type="INT32",
    output_kind=None,
):
    if op in ("REDUCE_MAX", "REDUCE_MIN"):
        scales, zero_points = (0.05, 0.05), (4, 4)
    axis = Tensor(data=np.array(axes, axis_type.lower()))
    if fed:
        axis = Tensor(axis.data.shape, axis_type)
    return one_operator(
        op,
        [tensor(shape, kind, scales[0], zero_points[0]), axis],
        [tensor(output, output_kind or kind, scales[1], zero_points[1])],
        {"keep_dims": keep_dims},
    )


SHAPES = {
    "last": ((2, 3, 5), [2], (2, 3)),
    "first": ((4, 3), [0], (3,)),
    "middle": ((2, 5, 3), [1], (2, 3)),
    "height-and-width": ((2, 4, 5, 3), [1, 2], (2, 3)),
    "outer-pair": ((3, 2, 4), [0, 2], (2,)),
    "all": ((3, 2, 4), [0, 1, 2], ()),
    "negative-and-double": ((3, 2, 4), [-1, 2], (3, 2)),
    "scalar-axis": ((3, 4), 1, (3,)),
    "no-axis": ((3, 4), [], (3, 4)),
    "long": ((2, 700), [1], (2,)),
    "rank5": ((2, 2, 3, 2, 2), [1, 3], (2, 3, 2)),
}
CASES = {}
for op in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"):
    for kind in ("INT8", "INT16", "FLOAT32"):
        for name, (shape, axes, output) in SHAPES.items():
            CASES[f"{op.lower()}-{kind.lower()}-{name}"] = reduce(
                op, shape, axes, output, kind=kind
            )
        CASES[f"{op.lower()}-{kind.lower()}-keep"] = reduce(
            op, (2, 4, 5, 3), [1, 2], (2, 1, 1, 3), kind=kind, keep_dims=True
        )
    CASES[f"{op.lower()}-refused-axis-type"] = reduce(op, (2, 3), [1], (2,), axis_type="INT64")
    CASES[f"{op.lower()}-refused-int32"] = reduce(op, (2, 3), [1], (2,), kind="INT32")
    CASES[f"{op.lower()}-fed-axis"] = reduce(op, (2, 3), [1], (2,), fed=True)
for name, (shape, axes, output) in SHAPES.items():
    CASES[f"reduce_all-{name}"] = reduce("REDUCE_ALL", shape, axes, output, kind="BOOL")
CASES |= {
    "mean-axis-out-of-range-gives-zeros": reduce("MEAN", (2, 3), [5], (2,)),
    "sum-refused-types": reduce("SUM", (2, 3), [1], (2,), output_kind="INT16"),
    "all-refused-int8": reduce("REDUCE_ALL", (2, 3), [1], (2,)),
    "mean-large-scale": reduce("MEAN", (2, 30), [1], (2,), scales=(1.0, 0.0001)),
    "mean-small-scale": reduce("MEAN", (2, 30), [1], (2,), scales=(1e-7, 3.0)),
    "sum-large": reduce("SUM", (2, 3000), [1], (2,), scales=(0.001, 0.1)),
}
FED: dict[str, list[Any]] = {
    name: [np.arange(6, dtype=np.int8).reshape(2, 3), np.array([1], np.int32)]
    for name in CASES
    if name.endswith("fed-axis")
}
TABLE = Table(CASES, inputs=FED)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 2, 4], 3),
        ([-1, -2, -2, -4], -2),
        ([1, 2, 3, 4], 3),
        ([-1, -2, -3, -4], -3),
        ([-60, -60, -60, -60, -57], -60),
    ],
    ids=str,
)
def test_mean_is_not_the_rounded_mean(values, expected):
    """Field failure 26: 2.25 gives 3, -2.25 gives -2, -297/5 gives -60."""
    made = reduce(
        "MEAN", (1, 1, len(values), 1), [2], (1, 1, 1), scales=(1.0, 1.0), zero_points=(0, 0)
    )
    x = np.array(values, np.int8).reshape(1, 1, -1, 1)
    run = pyref.run(pyref.Model.from_bytes(build(made)), [x])
    assert_same(run.outputs[0], np.full((1, 1, 1), expected, np.int8))


@pytest.mark.parametrize("op", ["REDUCE_MAX", "REDUCE_MIN"])
def test_nan_is_never_chosen(op):
    """reduce_common.cc compares with < and >, starting from the extreme finite float."""
    made = reduce(op, (2, 3), [1], (2,), kind="FLOAT32")
    x = np.array([[np.nan, 1, 2], [np.nan, np.nan, np.nan]], np.float32)
    info = np.finfo(np.float32)
    expected = [2, info.min] if op == "REDUCE_MAX" else [1, info.max]
    run = pyref.run(pyref.Model.from_bytes(build(made)), [x])
    assert_same(run.outputs[0], np.array(expected, np.float32))
