"""TFLM's fixed-point arithmetic: every rounding, shift and saturation of pyref is here.

Multipliers are Q31 int32 with a power-of-two shift, left where positive. TFLM rounds twice: a
doubling high multiply that rounds halves up, then a right shift that rounds halves away from
zero (`TFLITE_SINGLE_ROUNDING` is not defined in its builds). Interpreters that round once are
off by one in about one value of a hundred.

Three forms: Python numbers for what Prepare computes, arrays (int64 that hold int32 values) for
tables and small tensors, and the loops of `pyref.compiled` for everything large, which
`tests/pyref/test_fixedpoint.py` holds equal to the arrays here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

INT32_MIN = -(2**31)
INT32_MAX = 2**31 - 1


def quantize_multiplier(real: float) -> tuple[int, int]:
    """Q31 multiplier and shift of a real factor: quantization_util.cc, `QuantizeMultiplier`.

    Args:
        real: a double, 0 or more (negative values keep their sign in the multiplier).

    Returns:
        (multiplier, shift) with real ~ multiplier * 2**(shift - 31). Factors below 2**-32 give
        (0, 0). Shifts above 30 stay as they are: TFLM saturates them only when it rounds once.
    """
    if real == 0.0:
        return 0, 0
    fraction, shift = math.frexp(real)
    multiplier = round_half_away(fraction * 2**31)
    if multiplier == 2**31:
        multiplier //= 2
        shift += 1
    if shift < -31:
        return 0, 0
    return multiplier, shift


def quantize_multipliers(reals: Iterable[float]) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    """`quantize_multiplier` of each: multipliers and shifts as arrays, narrow since they stay."""
    pairs = [quantize_multiplier(float(real)) for real in reals]
    multipliers, shifts = np.array(pairs, np.int64).reshape(-1, 2).T
    return multipliers.astype(np.int32), shifts.astype(np.int16)


def round_half_away(x: float) -> int:
    """std::round of a double, as an integer: TfLiteRound of cppmath.h."""
    magnitude = abs(x)
    whole = math.floor(magnitude)
    whole += magnitude - whole >= 0.5
    return int(math.copysign(whole, x))


def round_half_away_float32(x: ArrayLike) -> NDArray[np.float32]:
    """std::round of floats: TfLiteRound of cppmath.h (float64 holds a float32 plus a half)."""
    wide = np.asarray(x, np.float32).astype(np.float64)
    rounded: NDArray[np.float32] = np.trunc(wide + np.copysign(0.5, wide)).astype(np.float32)
    return rounded


def float_to_int32(x: ArrayLike) -> NDArray[np.int64]:
    """static_cast<int32_t> of a float as a Cortex-M7 does it (VCVT): saturates, NaN gives 0.

    C leaves values beyond int32 undefined; x86-64 gives -2**31 for all of them.
    """
    wide = np.nan_to_num(np.asarray(x, np.float64), nan=0.0, posinf=2.0**31, neginf=-(2.0**31))
    return np.clip(np.trunc(wide), INT32_MIN, INT32_MAX).astype(np.int64)


def saturating_rounding_doubling_high_mul(a: ArrayLike, b: ArrayLike) -> NDArray[np.int64]:
    """High 32 bits of 2ab, halves rounded up: gemmlowp fixedpoint.h of the same name.

    Args:
        a: int32 values of any shape.
        b: int32 values, broadcast against `a`.

    Returns:
        int64 array of int32 values.
    """
    product = np.asarray(a, np.int64) * np.asarray(b, np.int64)
    # (ab + nudge) / 2**31 truncated, with gemmlowp's sign-dependent nudge, is this floor.
    high: NDArray[np.int64] = np.minimum((product + (1 << 30)) >> 31, INT32_MAX)
    return high


def saturating_rounding_doubling_high_mul_int16(a: ArrayLike, b: ArrayLike) -> NDArray[np.int64]:
    """High 16 bits of 2ab for int16 values, halves rounded up: the same, for int16."""
    product = np.asarray(a, np.int64) * np.asarray(b, np.int64)
    high: NDArray[np.int64] = np.minimum((product + (1 << 14)) >> 15, 2**15 - 1)
    return high


def rounding_divide_by_pot(x: ArrayLike, exponent: ArrayLike) -> NDArray[np.int64]:
    """x / 2**exponent, halves away from zero: gemmlowp fixedpoint.h, `RoundingDivideByPOT`."""
    x = np.asarray(x, np.int64)
    exponent = np.asarray(exponent, np.int64)
    mask = (np.int64(1) << exponent) - 1
    remainder = x & mask
    threshold = (mask >> 1) + (x < 0)
    result: NDArray[np.int64] = (x >> exponent) + (remainder > threshold)
    return result


def rounding_divide_by_pot_int16(x: ArrayLike, exponent: int) -> NDArray[np.int64]:
    """The same for int16 values, whose mask is all ones from exponent 16 on.

    So 0 and positive values give 1 there, and negative ones -1.
    """
    if exponent < 16:
        return rounding_divide_by_pot(x, exponent)
    return np.where(np.asarray(x, np.int64) < 0, -1, 1)


def saturating_rounding_multiply_by_pot(x: ArrayLike, exponent: int) -> NDArray[np.int64]:
    """x * 2**exponent: saturates to int32 to the left, rounds to the right.

    gemmlowp fixedpoint.h, `SaturatingRoundingMultiplyByPOT`; `Rescale` is the same function.
    """
    x = np.asarray(x, np.int64)
    if exponent <= 0:
        return rounding_divide_by_pot(x, -exponent)
    limit = (1 << (31 - exponent)) - 1
    result = np.where(x > limit, INT32_MAX, x << exponent)
    return np.where(x < -limit, INT32_MIN, result)


def multiply_by_quantized_multiplier(
    x: ArrayLike, multiplier: ArrayLike, shift: ArrayLike
) -> NDArray[np.int64]:
    """x * multiplier * 2**(shift - 31), rounded twice: kernels/internal/common.cc of the same name.

    Its variants `...SmallerThanOneExp` and `...GreaterThanOne` (common.h) give the same values
    for shifts of their sign.

    Args:
        x: int32 values.
        multiplier: Q31, broadcast against `x`.
        shift: power of two, broadcast against `x`; left where positive.

    Returns:
        int64 array of int32 values. The left shift wraps in 32 bits, as TFLM's does.
    """
    shift = np.asarray(shift, np.int64)
    left = np.maximum(shift, 0)
    shifted = wrap_int32(np.asarray(x, np.int64) << left)
    high = saturating_rounding_doubling_high_mul(shifted, multiplier)
    return rounding_divide_by_pot(high, np.maximum(-shift, 0))


def multiply_int64_by_quantized_multiplier(
    x: ArrayLike, multiplier: ArrayLike, shift: ArrayLike
) -> NDArray[np.int64]:
    """The overload for int64 accumulators (int16 activations): common.cc, the same name.

    The multiplier is first rounded to 15 bits, then there is one rounding, halves up; so an
    int16 operator with int64 bias is another function than one with int32 bias.

    Args:
        x: int64 values below 2**47 in magnitude.
        multiplier: Q31, 0 or more.
        shift: -31 to 7.
    """
    multiplier = np.asarray(multiplier, np.int64)
    total = 15 - np.asarray(shift, np.int64)
    product = np.asarray(x, np.int64) * reduce_multiplier(multiplier)
    return wrap_int32((product + (np.int64(1) << (total - 1))) >> total)


def reduce_multiplier(multiplier: ArrayLike) -> NDArray[np.int64]:
    """A Q31 multiplier rounded to Q15, as the int64 overload of common.cc does it."""
    multiplier = np.asarray(multiplier, np.int64)
    return np.where(multiplier < 0x7FFF0000, (multiplier + (1 << 15)) >> 16, 0x7FFF)


def divide_toward_zero(a: ArrayLike, b: ArrayLike) -> NDArray[np.int64]:
    """C's integer division; numpy's // rounds down."""
    a, b = np.asarray(a, np.int64), np.asarray(b, np.int64)
    quotient = np.abs(a) // np.abs(b)
    signed: NDArray[np.int64] = np.where((a < 0) != (b < 0), -quotient, quotient)
    return signed


def wrap_int32(x: ArrayLike) -> NDArray[np.int64]:
    """int64 values as a C int32 would hold them after overflow."""
    wrapped: NDArray[np.int64] = np.asarray(x, np.int64).astype(np.int32).astype(np.int64)
    return wrapped


def saturate(x: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Clamps to the range of an integer dtype and converts."""
    info = np.iinfo(dtype)
    clamped: NDArray[Any] = np.clip(x, info.min, info.max).astype(dtype)
    return clamped
