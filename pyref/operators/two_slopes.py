"""Integer operators that scale negative and other values differently: PRELU and LEAKY_RELU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import INT32_MAX, INT32_MIN

if TYPE_CHECKING:
    from pyref.node import Array

Factor = tuple[int, int]


def scale(
    x: Array, negative: Array, factors: tuple[Factor, Factor], zero_point: int, dtype: Any
) -> Array:
    """Rescales `x` where it is 0 or more, `negative` where `x` is below 0.

    Args:
        x: int32, zero point subtracted.
        negative: int32 of the same shape, used where `x` is negative.
        factors: (multiplier, shift) for `x` and for `negative`; a negative multiplier is
            applied as a positive one to the negated product, as leaky_relu.h does.
        zero_point: of the output.
        dtype: of the output.
    """
    limits = np.iinfo(dtype)
    results: list[Array] = []
    for values, (multiplier, shift) in zip((x, negative), factors, strict=True):
        scaled = np.empty(x.size, np.int32)
        compiled.rescale(
            values.reshape(-1), 0, abs(multiplier), shift, 0, INT32_MIN, INT32_MAX, scaled
        )
        results.append(-scaled if multiplier < 0 else scaled)
    chosen = np.where(x.reshape(-1) >= 0, *results) + zero_point
    clamped: Array = np.clip(chosen, limits.min, limits.max).astype(dtype).reshape(x.shape)
    return clamped
