"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR against TFLM."""

from __future__ import annotations

import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table

SIZES = {
    "up2": ((2, 3, 4, 3), (6, 8)),
    "up-odd": ((1, 3, 5, 2), (7, 11)),
    "down": ((1, 9, 8, 2), (4, 3)),
    "same": ((1, 4, 4, 2), (4, 4)),
    "to-one": ((1, 5, 6, 2), (1, 1)),
    "from-one": ((1, 1, 1, 3), (3, 5)),
    "one-axis": ((1, 4, 6, 1), (4, 13)),
}
MODES = {
    "plain": {},
    "corners": {"align_corners": True},
    "centers": {"half_pixel_centers": True},
}


def resize(op, shape, size, type_="INT8", *, target=None, size_type="INT32", **options):
    inputs = [fed(shape, type_), constant(list(size), size_type)]
    target = target or [shape[0], *size, shape[-1]]
    return one_operator(op, inputs, [fed(target, type_)], options)


def cases(op, types):
    return {
        f"{mode}-{size}-{type_}": resize(op, shape, to, type_, **options)
        for mode, options in MODES.items()
        for size, (shape, to) in SIZES.items()
        for type_ in types
    }


BILINEAR = Table(
    {
        **cases("RESIZE_BILINEAR", ["INT8", "FLOAT32"]),
        "refused-int16": resize("RESIZE_BILINEAR", (1, 2, 2, 1), (4, 4), "INT16"),
        "refused-both": resize(
            "RESIZE_BILINEAR", (1, 2, 2, 1), (4, 4), align_corners=True, half_pixel_centers=True
        ),
        "refused-rank": resize("RESIZE_BILINEAR", (2, 2, 1), (4, 4), target=[4, 4, 1]),
        "refused-size-type": resize("RESIZE_BILINEAR", (1, 2, 2, 1), (4, 4), size_type="INT64"),
    }
)
NEAREST = Table(
    {
        **cases("RESIZE_NEAREST_NEIGHBOR", ["INT8", "INT16", "FLOAT32"]),
        "both": resize(
            "RESIZE_NEAREST_NEIGHBOR",
            (1, 3, 3, 1),
            (5, 7),
            align_corners=True,
            half_pixel_centers=True,
        ),
        "refused-int32": resize("RESIZE_NEAREST_NEIGHBOR", (1, 2, 2, 1), (4, 4), "INT32"),
        "refused-size": resize("RESIZE_NEAREST_NEIGHBOR", (1, 2, 2, 1), (4,), target=[1, 4, 2, 1]),
        "refused-size-type": resize(
            "RESIZE_NEAREST_NEIGHBOR", (1, 2, 2, 1), (4, 4), size_type="INT64"
        ),
    }
)


@BILINEAR.parametrize
def test_bilinear_like_tflm(case):
    BILINEAR.check(case)


@NEAREST.parametrize
def test_nearest_like_tflm(case):
    NEAREST.check(case)


@pytest.mark.parametrize("op", ["RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"])
def test_stored_shape_other_than_the_size_is_refused(op):
    """TFLM writes by one and counts by the other."""
    model = resize(op, (1, 2, 2, 1), (4, 4), target=[1, 4, 2, 1])
    with pytest.raises(RefusedError, match=r"INT8 \[1, 4, 4, 1\] expected, the file says"):
        Interpreter(pyref.Model.from_bytes(build(model)))
