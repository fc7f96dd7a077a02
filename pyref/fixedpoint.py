"""TFLM's fixed-point arithmetic: every rounding, shift and saturation of pyref is here.

Multipliers are Q31 int32 with a power-of-two shift, left where positive. TFLM rounds twice: a
doubling high multiply that rounds halves up, then a right shift that rounds halves away from
zero (`TFLITE_SINGLE_ROUNDING` is not defined in its builds). Interpreters that round once are
off by one in about one value of a hundred.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

INT32_MIN = -(2**31)
INT32_MAX = 2**31 - 1


def quantize_multiplier(real: float) -> tuple[int, int]:
    """Q31 multiplier and shift of a real factor: kernels/internal/quantization_util.cc, `QuantizeMultiplier`.

    Args:
        real: a double, 0 or more (negative values keep their sign in the multiplier).

    Returns:
        (multiplier, shift) with real ~ multiplier * 2**(shift - 31). Factors below 2**-32 give (0, 0);
        shifts above 30 saturate to (2**31 - 1, 30).
    """
    if real == 0.0:
        return 0, 0
    fraction, shift = math.frexp(real)
    scaled = fraction * 2**31
    multiplier = int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))  # std::round
    if multiplier == 2**31:
        multiplier //= 2
        shift += 1
    if shift < -31:
        return 0, 0
    if shift > 30:
        return INT32_MAX, 30
    return multiplier, shift


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
    high = (product + (1 << 30)) >> 31
    return np.minimum(high, INT32_MAX)


def rounding_divide_by_pot(x: ArrayLike, exponent: ArrayLike) -> NDArray[np.int64]:
    """x / 2**exponent, halves away from zero: gemmlowp fixedpoint.h, `RoundingDivideByPOT`."""
    x = np.asarray(x, np.int64)
    exponent = np.asarray(exponent, np.int64)
    mask = (np.int64(1) << exponent) - 1
    remainder = x & mask
    threshold = (mask >> 1) + (x < 0)
    result: NDArray[np.int64] = (x >> exponent) + (remainder > threshold)
    return result


def multiply_by_quantized_multiplier(
    x: ArrayLike, multiplier: ArrayLike, shift: ArrayLike
) -> NDArray[np.int64]:
    """x * multiplier * 2**(shift - 31), rounded twice: kernels/internal/common.cc of the same name.

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


def wrap_int32(x: ArrayLike) -> NDArray[np.int64]:
    """int64 values as a C int32 would hold them after overflow."""
    return np.asarray(x, np.int64).astype(np.int32).astype(np.int64)


def saturate(x: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Clamps to the range of an integer dtype and converts."""
    info = np.iinfo(dtype)
    return np.clip(x, info.min, info.max).astype(dtype)
