"""The fixed-point primitives: against plain integers, figures from the field, and each other."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from pyref import compiled, fixedpoint, fixedpoint_math
from pyref.exact_matmul import ExactWeights, exact_dtype
from pyref.operators import sigmoid_table
from tests.pyref.equal import assert_same

RNG = np.random.default_rng(14)
INT32 = np.array(
    [-(2**31), -(2**31) + 1, -(2**30), -3, -2, -1, 0, 1, 2, 3, 2**30, 2**31 - 1], np.int64
)
MIXED = np.concatenate([INT32, RNG.integers(-(2**31), 2**31, 500) >> RNG.integers(0, 31, 500)])


def exact_multiply(x: int, multiplier: int, shift: int) -> int:
    """TFLM's rule in rational numbers: two roundings, halves up and halves away from zero."""
    shifted = (x << max(shift, 0)) + 2**31
    shifted = shifted % 2**32 - 2**31  # a C int32 after overflow
    high = math.floor(Fraction(shifted * multiplier, 2**31) + Fraction(1, 2))
    value = Fraction(min(high, 2**31 - 1), 2 ** max(-shift, 0))
    return int(math.copysign(math.floor(abs(value) + Fraction(1, 2)), value))


@pytest.mark.parametrize(
    ("x", "expected"),
    [(1, 1), (-2, -1), (5, 2), (-6, -2), (127, 32)],
)
def test_rounds_twice(x, expected):
    """Field failure 14: multiplier 0x40000000, shift -1; single rounding gives 0, 0, 1, -1, 32."""
    assert fixedpoint.multiply_by_quantized_multiplier(x, 0x40000000, -1) == expected


@pytest.mark.parametrize(("x", "expected"), [(203, 3), (-203, -3), (284, 4), (-284, -4)])
def test_rounds_twice_for_a_real_factor(x, expected):
    """Field failure 14: 0.0123 is multiplier 1690499128, shift -6."""
    multiplier, shift = fixedpoint.quantize_multiplier(0.0123)
    assert (multiplier, shift) == (1690499128, -6)
    assert fixedpoint.multiply_by_quantized_multiplier(x, multiplier, shift) == expected


def test_single_rounding_differs_in_312_of_40000():
    """Field failure 14, over -20000 to 19999."""
    x = np.arange(-20000, 20000)
    twice = fixedpoint.multiply_by_quantized_multiplier(x, 1690499128, -6)
    once = (x * 1690499128 + (1 << 36)) >> 37
    assert (twice != once).sum() == 312


@pytest.mark.parametrize("shift", [-31, -30, -7, -1, 0, 1, 5, 30])
@pytest.mark.parametrize("multiplier", [0, 1 << 30, 1690499128, 2**31 - 1])
def test_multiply_by_quantized_multiplier_is_the_rule(multiplier, shift):
    expected = np.array([exact_multiply(int(x), multiplier, shift) for x in MIXED])
    got = fixedpoint.multiply_by_quantized_multiplier(MIXED, multiplier, shift)
    assert_same(got, expected)


@pytest.mark.parametrize(
    ("real", "expected"),
    [
        (0.0, (0, 0)),
        (1.0, (1 << 30, 1)),
        (0.5, (1 << 30, 0)),
        (-0.5, (-(1 << 30), 0)),
        (2.0**-32, (1 << 30, -31)),
        (2.0**-33, (0, 0)),
        (1 - 2.0**-40, (1 << 30, 1)),
        (2.0**40, (1 << 30, 41)),
    ],
)
def test_quantize_multiplier(real, expected):
    """quantization_util.cc: shifts above 30 are saturated only with TFLITE_SINGLE_ROUNDING."""
    assert fixedpoint.quantize_multiplier(real) == expected


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (0.5, 1),
        (-0.5, -1),
        (0.49999999999999994, 0),
        (2.5, 3),
        (-2.4, -2),
        (4503599627370497.0, 4503599627370497),
    ],
)
def test_round_half_away(x, expected):
    assert fixedpoint.round_half_away(x) == expected


def test_float_to_int32_saturates_as_a_cortex_m7_does():
    x = np.array([1e10, -1e10, np.nan, np.inf, -np.inf, -1.9, 1.9])
    expected = [2**31 - 1, -(2**31), 0, 2**31 - 1, -(2**31), -1, 1]
    assert fixedpoint.float_to_int32(x).tolist() == expected


def test_divide_toward_zero():
    assert fixedpoint.divide_toward_zero([7, -7, 7, -7, 0], [2, 2, -2, -2, 3]).tolist() == [
        3,
        -3,
        -3,
        3,
        0,
    ]


@pytest.mark.parametrize("bits", [0, 2, 4, 5, 6, 12])
def test_exp_on_negative_values_is_near_the_exponential(bits):
    x = -np.abs(MIXED)
    got = fixedpoint_math.exp_on_negative_values(x, bits) / 2**31
    expected = np.exp(np.maximum(x / 2.0 ** (31 - bits), -40))
    np.testing.assert_allclose(got, expected, atol=2e-7)


def test_logistic_and_tanh_are_near_theirs():
    x = MIXED / 2.0**27
    np.testing.assert_allclose(
        fixedpoint_math.logistic(MIXED, 4) / 2**31, 1 / (1 + np.exp(-x)), rtol=0, atol=3e-7
    )
    np.testing.assert_allclose(
        fixedpoint_math.tanh(MIXED, 4) / 2**31, np.tanh(x), rtol=0, atol=3e-7
    )


def test_reciprocals_in_integers_and_in_arrays_agree():
    x = np.abs(MIXED[MIXED > 0])
    values, bits = fixedpoint_math.get_reciprocal(x, 12)
    pairs = [fixedpoint_math.reciprocal(int(v), 12) for v in x]
    assert_same(values, np.array([p[0] for p in pairs]))
    assert_same(bits, np.array([p[1] for p in pairs]))
    np.testing.assert_allclose(values / 2.0**31 * 2.0**-bits, 2.0**19 / x, rtol=1e-6)


def test_sigmoid_table_sums_to_tflms():
    """Length, ends and checksum of common.h's sigmoid_table_uint16."""
    table = sigmoid_table.TABLE
    assert (len(table), table[0], table[1], table[255]) == (256, 32768, 33451, 65535)
    assert (table * np.arange(1, 257)).sum() == 2123733574


CHANNELS = 7
MULTIPLIERS = RNG.integers(1 << 30, 2**31, CHANNELS)
SHIFTS = np.array([-31, -8, -6, -1, 0, 1, 4])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_compiled_requantize_is_the_array_form(dtype):
    small = np.array([0, 1, -1, 203, -203, 284, 8388607, -8388608])
    acc = np.repeat(small[:, None], CHANNELS, axis=1).astype(dtype)
    bias = RNG.integers(-(2**31), 2**31, CHANNELS)
    wrapped = fixedpoint.wrap_int32(acc.astype(np.int64) + bias)
    scaled = fixedpoint.multiply_by_quantized_multiplier(wrapped, MULTIPLIERS, SHIFTS)
    out = np.empty(acc.shape, np.int8)
    compiled.requantize(acc, bias, MULTIPLIERS, SHIFTS, 5, -100, 120, out)
    assert_same(out, np.clip(scaled + 5, -100, 120).astype(np.int8))


def test_compiled_requantize_int64_is_the_array_form():
    acc = RNG.integers(-(2**40), 2**40, (50, CHANNELS)).astype(np.float64)
    bias = RNG.integers(-(2**40), 2**40, CHANNELS)
    shifts = np.array([-31, -8, -6, -1, 0, 1, 7])
    scaled = fixedpoint.multiply_int64_by_quantized_multiplier(
        acc.astype(np.int64) + bias, MULTIPLIERS, shifts
    )
    out = np.empty(acc.shape, np.int16)
    reduced = fixedpoint.reduce_multiplier(MULTIPLIERS)
    compiled.requantize_int64(acc, bias, reduced, shifts, 0, -(2**15), 2**15 - 1, out)
    assert_same(out, np.clip(scaled, -(2**15), 2**15 - 1).astype(np.int16))


@pytest.mark.parametrize("shift", SHIFTS.tolist())
def test_compiled_rescale_is_the_array_form(shift):
    x = MIXED.astype(np.int32)
    expected = fixedpoint.multiply_by_quantized_multiplier(MIXED, 1690499128, shift)
    out = np.empty(x.size, np.int32)
    compiled.rescale(x, 0, 1690499128, shift, 0, -(2**31), 2**31 - 1, out)
    assert_same(out, expected.astype(np.int32))


@pytest.mark.parametrize(
    ("terms", "largest", "expected"),
    [(1032, 128, np.float32), (1033, 128, np.float64), (2**12, 2**15, np.float64)],
)
def test_products_use_the_narrowest_exact_type(terms, largest, expected):
    weights = np.full((2, terms), 127, np.int8)
    assert exact_dtype(weights, largest) is expected


def test_products_at_the_bound_are_exact():
    weights = np.full((3, 1032), 127, np.int8)
    rows = np.full((2, 1032), -128, np.int8)
    rows[1, ::2] = 127
    packed = ExactWeights(weights, 128)
    expected = rows.astype(np.int64) @ weights.T.astype(np.int64)
    assert_same(packed.multiply(rows.astype(packed.dtype)).astype(np.int64), expected)


def test_products_too_large_for_float64_are_still_exact():
    weights = np.full((1, 3), 2**40, np.int64)
    packed = ExactWeights(weights, 2**15)
    assert packed.dtype is np.int64
    assert packed.multiply(np.full((1, 3), 2**15 - 1, np.int64))[0, 0] == 3 * 2**40 * (2**15 - 1)
