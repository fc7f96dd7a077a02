"""exp, tanh, logistic, logarithm, reciprocal and inverse square root in TFLM's fixed point.

Arguments and results are int64 arrays of raw int32 values; "Q of n integer bits" means that the
raw value 2**(31 - n) stands for 1. Every step goes through `pyref.fixedpoint`, in the order of
gemmlowp's fixedpoint.h and kernels/internal/common.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
        x: the bits of uint32 or int32 values, Q of `integer_digits`.
        integer_digits: of `x`.

    Returns:
        1/x scaled into [1/2, 1] as Q of 0 integer bits, and the bits it was scaled by.
    """
    x = np.asarray(x, np.int64) & 0xFFFFFFFF
    if x.size <= 16:  # numpy's calls would cost more than Python's integers
        pairs = [reciprocal(v, integer_digits) for v in x.reshape(-1).tolist()]
        scales, bits = np.array(pairs, np.int64).reshape(-1, 2).T
        return scales.reshape(x.shape), bits.reshape(x.shape)
    headroom_plus_one = count_leading_zeros(x)
    shifted = wrap_int32((x << headroom_plus_one) - (1 << 31))
    return one_over_one_plus_x(shifted), integer_digits - headroom_plus_one


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


def inverse_square_root(x: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Multipliers and left shifts of 1/sqrt(x): `GetInvSqrtQuantizedMultiplierExp`.

    Args:
        x: int32 values, 0 or more; 0 counts as 1.

    Returns:
        Q31 multipliers, and the shifts that kReverseShift = -1 makes left shifts.
    """
    x = np.asarray(x, np.int64)
    if x.size <= 16:  # numpy's calls would cost more than Python's integers
        pairs = [_inverse_square_root(int(v)) for v in x.reshape(-1)]
        multipliers, shifts = np.array(pairs, np.int64).reshape(-1, 2).T
        return multipliers.reshape(x.shape), shifts.reshape(x.shape)
    small = x <= 1
    value = np.where(small, 2, x)
    right_shift = np.full(value.shape, 11, np.int64)
    for _ in range(2):  # an int32 is below 2**31, so two divisions bring it below 2**29
        large = value >= (1 << 29)
        value = np.where(large, value // 4, value)
        right_shift = right_shift + large
    left_bit_pairs = (count_leading_zeros(value) - 1) // 2 - 1
    right_shift = right_shift - left_bit_pairs
    multiplier = _newton_inverse_square_root(value << (2 * left_bit_pairs))
    multiplier = wrap_int32(multiplier << np.maximum(-right_shift, 0))
    left_shift = np.minimum(-right_shift, 0)
    return np.where(small, INT32_MAX, multiplier), np.where(small, 0, left_shift)


def _inverse_square_root(x: int) -> tuple[int, int]:
    """The same of one value."""
    if x <= 1:
        return INT32_MAX, 0
    right_shift = 11
    while x >= 1 << 29:
        x //= 4
        right_shift += 1
    left_bit_pairs = (31 - x.bit_length()) // 2 - 1
    right_shift -= left_bit_pairs
    multiplier = _newton_inverse_square_root(x << (2 * left_bit_pairs))
    wrapped = (multiplier << max(-right_shift, 0)) + 2**31 & 0xFFFFFFFF
    return wrapped - 2**31, min(-right_shift, 0)


def _newton_inverse_square_root(x: Any) -> Any:
    """Five steps from 1 for an x (an integer, or an array of them) in [2**27, 2**29).

    With 3 integer bits, of which a product of three has 9 and one of two has 6. Nothing reaches
    the limits of int32 in this range, so nothing needs to saturate.
    """
    rounding = 1 << 30
    half = (x >> 2) + (x >> 1 & 1)
    y = 1 << 28
    for _ in range(5):
        square = (y * y + rounding) >> 31
        cube = ((square * y + rounding) >> 31) << 6
        three_halves = (((1 << 28) + (1 << 27)) * y + rounding) >> 31
        y = (three_halves - ((half * cube + rounding) >> 31)) << 3
    return (y * 1518500250 + rounding) >> 31  # sqrt(2) / 2
