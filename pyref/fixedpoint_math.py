"""exp, tanh, logistic, reciprocal and inverse square root in TFLM's fixed point.

Arguments and results are int64 arrays of raw int32 values; "Q of n integer bits" means that the
raw value 2**(31 - n) stands for 1. Every step goes through `pyref.fixedpoint`, in the order of
gemmlowp's fixedpoint.h and kernels/internal/common.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import (
    INT32_MAX,
    INT32_MIN,
    divide_toward_zero,
    rounding_divide_by_pot,
    saturating_rounding_multiply_by_pot,
    wrap_int32,
)
from pyref.fixedpoint import saturating_rounding_doubling_high_mul as multiply

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: exp(-2**k) in Q of 0 integer bits, for k from -2 on: fixedpoint.h, `exp_on_negative_values`.
_EXP_FACTORS = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)
_EXP_MINUS_EIGHTH = 1895147668
_THIRD = 715827883
_48_OVER_17 = 1515870810
_MINUS_32_OVER_17 = -1010580540

#: Of common.h's logarithm, in Q of 0 integer bits.
_LOG_2, _SQRT_HALF, _SQRT_SQRT_HALF = 1488522236, 1518500250, 1805811301
_ALPHA_N, _ALPHA_D, _ALPHA_I, _ALPHA_F = 117049297, 127690142, 1057819769, 638450708


def exp_on_negative_values(a: ArrayLike, integer_bits: int) -> NDArray[np.int64]:
    """exp(a) for a <= 0: gemmlowp fixedpoint.h of the same name.

    Args:
        a: Q of `integer_bits`.
        integer_bits: 0 to 31.

    Returns:
        Q of 0 integer bits; exp(0) is the largest value.
    """
    a = np.asarray(a, np.int64)
    fractional_bits = 31 - integer_bits
    quarter = np.int64(1 << (fractional_bits - 2))
    remainder_part = (a & (quarter - 1)) - quarter
    result = _exp_minus_quarter_to_0(
        saturating_rounding_multiply_by_pot(remainder_part, integer_bits)
    )
    rest = remainder_part - a
    for k, factor in enumerate(_EXP_FACTORS, start=-2):
        if integer_bits > k:
            bit = np.int64(1 << (fractional_bits + k))
            result = np.where(rest & bit, multiply(result, factor), result)
    if integer_bits > 5:
        result = np.where(a < -(1 << (36 - integer_bits)), 0, result)
    return np.where(a == 0, INT32_MAX, result)


def _exp_minus_quarter_to_0(a: NDArray[np.int64]) -> NDArray[np.int64]:
    """exp(a) for a in [-1/4, 0): Taylor's series around -1/8, in gemmlowp's order."""
    x = a + (1 << 28)
    x2 = multiply(x, x)
    x3 = multiply(x2, x)
    x4_over_4 = rounding_divide_by_pot(multiply(x2, x2), 2)
    series = rounding_divide_by_pot(multiply(x4_over_4 + x3, _THIRD) + x2, 1)
    return _EXP_MINUS_EIGHTH + multiply(_EXP_MINUS_EIGHTH, x + series)


def _newton_reciprocal(a: NDArray[np.int64]) -> NDArray[np.int64]:
    """2 / (1 + a) in Q of 2 integer bits, for a in [0, 1) of 0 integer bits."""
    half_denominator = divide_toward_zero(a + INT32_MAX + 1, 2)  # RoundingHalfSum, a >= 0
    x = wrap_int32(_48_OVER_17 + multiply(half_denominator, _MINUS_32_OVER_17))
    for _ in range(3):
        error = wrap_int32((1 << 29) - multiply(half_denominator, x))
        step = saturating_rounding_multiply_by_pot(multiply(x, error), 2)
        x = wrap_int32(x + step)
    return x


def one_over_one_plus_x(a: ArrayLike) -> NDArray[np.int64]:
    """1 / (1 + a) for a in [0, 1), both Q of 0: `one_over_one_plus_x_for_x_in_0_1`."""
    half = _newton_reciprocal(np.asarray(a, np.int64))
    return saturating_rounding_multiply_by_pot(half, 1)


def one_minus_x_over_one_plus_x(a: ArrayLike) -> NDArray[np.int64]:
    """(1 - a) / (1 + a) for a in [0, 1), both Q of 0: fixedpoint.h of that name."""
    x = _newton_reciprocal(np.asarray(a, np.int64))
    return saturating_rounding_multiply_by_pot(wrap_int32(x - (1 << 29)), 2)


def logistic(a: ArrayLike, integer_bits: int) -> NDArray[np.int64]:
    """1 / (1 + exp(-a)): gemmlowp fixedpoint.h, `logistic`.

    Args:
        a: Q of `integer_bits`.
        integer_bits: of `a`.

    Returns:
        Q of 0 integer bits.
    """
    a = np.asarray(a, np.int64)
    positive = one_over_one_plus_x(exp_on_negative_values(-np.abs(a), integer_bits))
    result = np.where(a > 0, positive, INT32_MAX - positive)
    return np.where(a == 0, 1 << 30, result)


def tanh(a: ArrayLike, integer_bits: int) -> NDArray[np.int64]:
    """Hyperbolic tangent: gemmlowp fixedpoint.h, `tanh`.

    Args:
        a: Q of `integer_bits`.
        integer_bits: of `a`.

    Returns:
        Q of 0 integer bits.
    """
    a = np.asarray(a, np.int64)
    # ExactMulByPot<1> keeps the raw value and counts one more integer bit.
    t = one_minus_x_over_one_plus_x(exp_on_negative_values(-np.abs(a), integer_bits + 1))
    result = np.where(a < 0, -t, t)
    return np.where(a == 0, 0, result)


def count_leading_zeros(x: ArrayLike) -> NDArray[np.int64]:
    """Of uint32 values: common.h, `CountLeadingZeros`; 32 for 0."""
    _, bits = np.frexp(np.asarray(x, np.int64).astype(np.float64))
    return np.asarray(32 - bits, np.int64)


def log_x_for_x_at_least_1(x: ArrayLike, input_bits: int, output_bits: int) -> NDArray[np.int64]:
    """Natural logarithm: common.h, `log_x_for_x_greater_than_or_equal_to_1`.

    Args:
        x: positive, Q of `input_bits`.
        input_bits: of `x`.
        output_bits: of the result.
    """
    x = np.asarray(x, np.int64)
    bits = output_bits + 1
    quarter = rounding_divide_by_pot(1 << 29, bits)
    headroom_plus_one = count_leading_zeros(x)
    r_a = _shift_left(multiply(_shift_left(x, headroom_plus_one - 1), _SQRT_HALF), 1)
    power_a = _shift_left(input_bits - headroom_plus_one, 31 - bits) + quarter
    headroom = count_leading_zeros(multiply(x, _SQRT_HALF)) - 1
    r_b = _shift_left(x, headroom)
    power_b = _shift_left(input_bits - headroom, 31 - bits) - quarter
    r = np.minimum(r_a, r_b)
    power = np.clip(np.maximum(power_a, power_b), INT32_MIN, INT32_MAX)
    p = divide_toward_zero(r + _SQRT_SQRT_HALF + 1, 2)
    q = 2 * (r - _SQRT_SQRT_HALF)
    square = multiply(q, q)
    numerator = multiply(q, r) + multiply(multiply(q, square), _ALPHA_N)
    denominator = multiply(p, _ALPHA_I + q + multiply(_ALPHA_D, square)) + multiply(_ALPHA_F, q)
    ratio = multiply(rounding_divide_by_pot(numerator, bits), one_over_one_plus_x(denominator))
    return saturating_rounding_multiply_by_pot(multiply(power, _LOG_2) + ratio, 1)


def _shift_left(x: ArrayLike, exponent: ArrayLike) -> NDArray[np.int64]:
    """`SaturatingRoundingMultiplyByPOTParam` of common.h, for exponents of 0 or more."""
    shifted = np.asarray(x, np.int64) << np.asarray(exponent, np.int64)
    clamped: NDArray[np.int64] = np.clip(shifted, INT32_MIN, INT32_MAX)
    return clamped


def get_reciprocal(
    x: ArrayLike, integer_digits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """1/x: common.h, `GetReciprocal`.

    Args:
        x: positive, Q of `integer_digits`.
        integer_digits: of `x`.

    Returns:
        1/x scaled into [1/2, 1] as Q of 0 integer bits, and the bits it was scaled by.
    """
    x = np.asarray(x, np.int64)
    headroom_plus_one = count_leading_zeros(x)
    shifted = wrap_int32((x << headroom_plus_one) - (1 << 31))
    return one_over_one_plus_x(shifted), integer_digits - headroom_plus_one


def inverse_sqrt_multiplier(x: int, reverse_shift: int) -> tuple[int, int]:
    """Multiplier and shift of 1/sqrt(x): common.h, `GetInvSqrtQuantizedMultiplierExp`.

    Args:
        x: 0 or more.
        reverse_shift: the factor on the resulting right shift, -1 for a left one.
    """
    if x <= 1:
        return INT32_MAX, 0
    shift = 11
    while x >= 1 << 29:
        x //= 4
        shift += 1
    left_bit_pairs = (31 - x.bit_length()) // 2 - 1
    shift -= left_bit_pairs
    x <<= 2 * left_bit_pairs
    value = np.int64(x >> 1)
    half = rounding_divide_by_pot(value, 1)
    three_halves = np.int64((1 << 28) + (1 << 27))
    y = np.asarray(1 << 28, np.int64)
    for _ in range(5):
        # A product of three values of 3 integer bits has 9, one of two values has 6.
        cube = saturating_rounding_multiply_by_pot(multiply(multiply(y, y), y), 6)
        difference = multiply(three_halves, y) - multiply(half, cube)
        y = saturating_rounding_multiply_by_pot(difference, 3)
    result = int(multiply(y, 1518500250))
    if shift < 0:
        result = int(wrap_int32(result << -shift))
        shift = 0
    return result, shift * reverse_shift


def reciprocal(x: int, integer_digits: int) -> tuple[int, int]:
    """`get_reciprocal` of one number, in plain integers: many times faster than arrays of one.

    Args:
        x: the bits of a uint32 or int32, Q of `integer_digits`.
        integer_digits: of `x`.
    """
    headroom_plus_one = 32 - (x & 0xFFFFFFFF).bit_length()
    a = ((x << headroom_plus_one) & 0xFFFFFFFF) - (1 << 31)
    half_denominator = (a + INT32_MAX + 1) >> 1
    y = _48_OVER_17 + ((half_denominator * _MINUS_32_OVER_17 + (1 << 30)) >> 31)
    for _ in range(3):
        error = (1 << 29) - ((half_denominator * y + (1 << 30)) >> 31)
        y += _shift_left_saturating((y * error + (1 << 30)) >> 31, 2)
    return _shift_left_saturating(y, 1), integer_digits - headroom_plus_one


def _shift_left_saturating(x: int, exponent: int) -> int:
    limit = (1 << (31 - exponent)) - 1
    if x > limit:
        return INT32_MAX
    return INT32_MIN if x < -limit else x << exponent
