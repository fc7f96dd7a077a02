"""QUANTIZE and DEQUANTIZE against TFLM; field failure 35."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.witness import Table

SHAPE = (3, 70)
TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "UINT8")


def quantize(source, output, scales=(0.1, 0.04), zero_points=(-10, 3)):
    zero_points = [
        0 if t == "INT16" else z for t, z in zip((source, output), zero_points, strict=True)
    ]
    return unary(
        "QUANTIZE",
        tensor(SHAPE, source, scales[0], zero_points[0]),
        tensor(SHAPE, output, scales[1], zero_points[1]),
    )


TABLE = Table(
    {f"{a.lower()}-{b.lower()}": quantize(a, b) for a in TYPES for b in TYPES}
    | {
        "uint8-int8-flip": quantize("UINT8", "INT8", (0.1, 0.1), (128, 0)),
        "int8-uint8-flip": quantize("INT8", "UINT8", (0.1, 0.1), (0, 128)),
        "int8-same": quantize("INT8", "INT8", (0.1, 0.1), (4, 4)),
        "int16-up": quantize("INT16", "INT32", (0.1, 0.0001)),
        "int8-down": quantize("INT8", "INT8", (0.001, 3.0)),
    }
)
DEQUANTIZE = Table(
    {
        kind.lower(): unary("DEQUANTIZE", tensor(SHAPE, kind, 0.0123, 5), tensor(SHAPE, "FLOAT32"))
        for kind in TYPES
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@DEQUANTIZE.parametrize
def test_dequantize_like_tflm(case):
    DEQUANTIZE.check(case)


@pytest.mark.parametrize(
    ("source", "output", "x", "expected"),
    [
        (("UINT8", 0.1, 128), ("INT8", 0.1, 0), [0, 127, 128, 255], [-128, -1, 0, 127]),
        (("INT8", 0.1, -10), ("INT8", 0.04, 3), [-128, -1, 0, 1, 127], [-128, 26, 28, 31, 127]),
    ],
    ids=["uint8-to-int8-flips-a-bit", "int8-to-int8"],
)
def test_field_failure_35(source, output, x, expected):
    shape = (len(x),)
    made = unary("QUANTIZE", tensor(shape, *source), tensor(shape, *output))
    model = pyref.Model.from_bytes(build(made))
    run = pyref.run(model, [np.array(x, source[0].lower())])
    assert_same(run.outputs[0], np.array(expected, np.int8))


def test_floats_beyond_int32_saturate_as_on_a_cortex_m7():
    """VCVT saturates and takes NaN for 0; x86-64 gives the smallest int32 for all of them."""
    made = unary("QUANTIZE", tensor((5,), "FLOAT32"), tensor((5,), "INT8", 1.0, -1))
    x = np.array([1e30, -1e30, np.nan, np.inf, -np.inf], np.float32)
    run = pyref.run(pyref.Model.from_bytes(build(made)), [x])
    assert_same(run.outputs[0], np.array([127, 127, -1, 127, 127], np.int8))
