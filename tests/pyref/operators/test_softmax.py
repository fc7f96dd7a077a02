"""SOFTMAX against TFLM; field failure 23."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build
from pyref.errors import RefusedError
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.witness import Table


def softmax(shape, source="INT8", output=None, *, scale=0.1, beta=1.0, to=None, zero_point=3):
    output = output or source
    to = to or {"INT8": (1 / 256, -128), "INT16": (1 / 32768, 0)}.get(output, (0.1, 0))
    if (source, output) == ("INT8", "INT16"):
        to = (1 / 65536, -32768)
    return unary(
        "SOFTMAX",
        tensor(shape, source, scale, 0 if source == "INT16" else zero_point),
        tensor(shape, output, *to),
        {"beta": beta},
    )


TABLE = Table(
    {
        "row": softmax((1, 10)),
        "rows": softmax((7, 12)),
        "pixels": softmax((1, 9, 8, 3)),
        "pixels-int16": softmax((1, 9, 8, 3), "INT8", "INT16"),
        "rank4": softmax((1, 3, 2, 5)),
        "rank1": softmax((6,)),
        "one-class": softmax((3, 1)),
        "300-classes": softmax((2, 300)),
        "small-scale": softmax((3, 40), scale=0.001),
        "large-scale": softmax((3, 40), scale=3.5),
        "huge-scale": softmax((3, 40), scale=40.0),
        "beta": softmax((3, 40), beta=0.3),
        "int8-int16": softmax((5, 20), "INT8", "INT16"),
        "int8-int16-small-scale": softmax((5, 20), "INT8", "INT16", scale=0.01),
        "int16": softmax((5, 20), "INT16", scale=0.0003),
        "int16-row": softmax((1, 3), "INT16", scale=0.00005),
        "int16-one-class": softmax((2, 1), "INT16"),
        "int16-many": softmax((2, 700), "INT16", scale=0.00001),
        "refused-output-scale": softmax((1, 10), to=(1 / 255, -128)),
        "refused-zero-point": softmax((1, 10), to=(1 / 256, 0)),
        "refused-int16-zero-point": softmax((1, 10), "INT16", to=(1 / 32768, 1)),
        "refused-int16-scale": softmax((1, 10), "INT16", to=(1 / 32000, 0)),
        "refused-int32": softmax((1, 10), "INT32"),
        "refused-types": softmax((1, 10), "INT8", "INT32"),
    },
    invocations=4,
)
FLOATS = Table(
    {
        "float": softmax((4, 33), "FLOAT32"),
        "float-pixels": softmax((1, 9, 8, 3), "FLOAT32"),
        "float-beta": softmax((2, 3, 4), "FLOAT32", beta=0.7),
    },
    ulp=4,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    FLOATS.check(case)


def test_every_row_is_computed():
    """Field failure 23."""
    x = np.array([[10, 0, -20, -128]] * 2, np.int8)
    x[1] += 5
    x[1, 3] = -123
    model = pyref.Model.from_bytes(build(softmax((2, 4), zero_point=0)))
    assert_same(pyref.run(model, [x]).outputs[0], np.array([[53, -62, -119, -128]] * 2, np.int8))


def test_a_row_whose_exponentials_sum_to_512_is_refused():
    """reference/softmax.h: TFLITE_CHECK(0 <= exponent && exponent <= 31) aborts TFLM."""
    model = pyref.Model.from_bytes(build(softmax((1, 512))))
    with pytest.raises(RefusedError, match="exponent <= 31"):
        pyref.run(model, [np.zeros((1, 512), np.int8)])


def test_cmsis_nn_wraps_where_a_sum_is_just_below_a_power_of_two():
    """arm_softmax_s16.c narrows the normalised sum to int16 without saturating it.

    Eight times 32762 (e to the power of 0) and one 47 are 2**18 - 1, whose reciprocal is then
    twice as large.
    """
    x = np.full((20000, 9), 32767, np.int16)
    x[:, 8] = np.arange(-20000, 0)
    table = Table(
        {"x": softmax(x.shape, "INT16", scale=10 / 65535)}, inputs={"x": [x]}, invocations=1
    )
    reference, cmsis_nn = (table.run("x", kernels)[0][0] for kernels in ("reference", "cmsis_nn"))
    wrapped = (reference != cmsis_nn).any(axis=1)
    assert 0 < wrapped.sum() < len(x)
    assert (abs(cmsis_nn[wrapped, :8].astype(int) - 2 * reference[wrapped, :8]) <= 2).all()
    table.check("x")
