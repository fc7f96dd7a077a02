"""1/sqrt(x) in TFLM's fixed point, for arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import (
    INT32_MAX,
    rounding_divide_by_pot,
    saturating_rounding_multiply_by_pot,
    wrap_int32,
)
from pyref.fixedpoint import saturating_rounding_doubling_high_mul as multiply
from pyref.fixedpoint_math import count_leading_zeros

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]


def inverse_square_root(x: ArrayLike) -> tuple[Ints, Ints]:
    """Multipliers and left shifts of 1/sqrt(x): common.h, `GetInvSqrtQuantizedMultiplierExp`.

    Args:
        x: int32 values, 0 or more; 0 counts as 1.

    Returns:
        Q31 multipliers and the shifts that kReverseShift = -1 makes left shifts.
    """
    x = np.asarray(x, np.int64)
    small = x <= 1
    value = np.where(small, 2, x)
    right_shift = np.full(value.shape, 11, np.int64)
    for _ in range(2):  # an int32 is below 2**31, so two divisions bring it below 2**29
        large = value >= (1 << 29)
        value = np.where(large, value // 4, value)
        right_shift = right_shift + large
    pairs = (count_leading_zeros(value) - 1) // 2 - 1
    right_shift = right_shift - pairs
    value = value << (2 * pairs)
    half = rounding_divide_by_pot(value >> 1, 1)
    guess = np.full(value.shape, 1 << 28, np.int64)  # 1 with 3 integer bits
    for _ in range(5):
        # A product of three values of 3 integer bits has 9, one of two values has 6.
        cube = saturating_rounding_multiply_by_pot(multiply(multiply(guess, guess), guess), 6)
        difference = multiply((1 << 28) + (1 << 27), guess) - multiply(half, cube)
        guess = saturating_rounding_multiply_by_pot(wrap_int32(difference), 3)
    multiplier = multiply(guess, 1518500250)  # sqrt(2) / 2
    multiplier = wrap_int32(multiplier << np.maximum(-right_shift, 0))
    left_shift = np.minimum(-right_shift, 0)
    return np.where(small, INT32_MAX, multiplier), np.where(small, 0, left_shift)
