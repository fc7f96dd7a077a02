"""ABS, SIN, COS, LOG, SQRT, RSQRT, SQUARE, LOGICAL_NOT against TFLM."""

from __future__ import annotations

import numpy as np

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import fed, plain, unary
from tests.pyref.operators.witness import Table


def quantized(op, type_, source, target):
    return one_operator(op, [fed([257], type_, *source)], [fed([257], type_, *target)])


POSITIVE = np.abs(np.random.default_rng(3).normal(size=(2, 3, 4))).astype(np.float32)
EVERY = np.append(np.arange(-128, 128), 5).astype(np.int8)
TABLE = Table(
    {
        "abs-int8": quantized("ABS", "INT8", (0.5, 3), (0.5, 3)),
        "abs-int8-rescaled": quantized("ABS", "INT8", (0.5, -128), (0.3, -20)),
        "abs-int16": quantized("ABS", "INT16", (0.5, 0), (0.5, 0)),
        "abs-int16-rescaled": quantized("ABS", "INT16", (0.5, 0), (0.7, 0)),
        "abs-int16-unquantized": one_operator("ABS", [plain([9], "INT16")], [plain([9], "INT16")]),
        "rsqrt-int8": quantized("RSQRT", "INT8", (0.1, -128), (0.02, -128)),
        "rsqrt-int8-zero-point": quantized("RSQRT", "INT8", (1.0, -128), (0.01, 5)),
        "rsqrt-int8-negative": quantized("RSQRT", "INT8", (0.1, 0), (0.02, -128)),
        "logical-not": unary("LOGICAL_NOT", "BOOL"),
        "refused-abs-int32": unary("ABS", "INT32"),
        "refused-abs-types": unary("ABS", "INT8", to="INT16"),
        "refused-abs-int16-zero-point": quantized("ABS", "INT16", (0.5, 3), (0.5, 0)),
        "refused-abs-int8-unquantized": one_operator(
            "ABS", [plain([9], "INT8")], [plain([9], "INT8")]
        ),
        "refused-rsqrt-int32": unary("RSQRT", "INT32"),
        "refused-sin-int8": unary("SIN", "INT8"),
        "refused-not-int8": unary("LOGICAL_NOT", "INT8"),
        "refused-two-inputs": one_operator(
            "COS", [fed([2], "FLOAT32"), fed([2], "FLOAT32")], [fed([2], "FLOAT32")]
        ),
    },
    inputs={
        "abs-int8": [EVERY],
        "abs-int8-rescaled": [EVERY],
        "rsqrt-int8": [EVERY],
        "rsqrt-int8-zero-point": [EVERY],
        "rsqrt-int8-negative": [EVERY],
        "abs-int16-unquantized": [np.arange(-32768, -32759).astype(np.int16)],
    },
)
INT16_INPUT = np.random.default_rng(4).integers(0, 32767, 257).astype(np.int16)
RSQRT_INT16 = Table(
    {"rsqrt-int16": quantized("RSQRT", "INT16", (0.01, 0), (0.001, 0))},
    inputs={"rsqrt-int16": [INT16_INPUT]},
)
FLOATS = Table(
    {
        name: unary(name, "FLOAT32")
        for name in ("ABS", "SIN", "COS", "LOG", "SQRT", "RSQRT", "SQUARE")
    },
    inputs={name: [POSITIVE] for name in ("LOG", "SQRT", "RSQRT")},
    ulp=1,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@RSQRT_INT16.parametrize
def test_int16_that_prepare_means_to_refuse(case):
    """elementwise.cc tests a typedef where it means the list of types."""
    RSQRT_INT16.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    FLOATS.check(case)


def test_abs_of_the_smallest_int16_wraps():
    (output,) = TABLE.run("abs-int16-unquantized")[0]
    assert output[0] == -32768
