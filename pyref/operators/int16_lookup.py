"""Interpolated tables of 513 entries for int16: kernels/internal/common.h.

`LUTPopulateInt16` and `LUTLookup`: 9 bits choose an entry, 7 bits interpolate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import round_half_away_float32

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_STEPS = 512


def exp(x: Floats) -> Floats:
    """std::exp of floats, rounded once from double."""
    with np.errstate(all="ignore"):
        result: Floats = np.exp(x.astype(np.float64)).astype(np.float32)
    return result


def populate(
    input_scale: Any,
    input_zero_point: int,
    output_scale: Any,
    output_zero_point: int,
    transform: Callable[[Floats], Floats],
) -> NDArray[np.int64]:
    """The table of a function, each entry moved by half the error at its midpoint.

    Args:
        input_scale: float32.
        input_zero_point: of the input.
        output_scale: float32.
        output_zero_point: of the output.
        transform: float32 to float32, elementwise.

    Returns:
        513 int16 values, as int64.
    """
    f32 = np.float32
    low, high = f32(-32768), f32(32767)
    input_min = f32(input_scale) * f32(-32768 - input_zero_point)
    input_max = f32(input_scale) * f32(32767 - input_zero_point)
    output_min = f32(output_scale) * f32(-32768 - output_zero_point)
    output_max = f32(output_scale) * f32(32767 - output_zero_point)
    step = (input_max - input_min) / f32(_STEPS)
    inverse = f32(65536) / (output_max - output_min)
    i = np.arange(_STEPS, dtype=f32)
    value = transform(input_min + i * step)
    middle = transform(input_min + i * step + step / f32(2))
    following = transform(input_min + (i + f32(1)) * step)
    sample = round_half_away_float32(value * inverse)
    interpolated = round_half_away_float32((following * inverse + sample) / f32(2))
    error = interpolated - round_half_away_float32(middle * inverse)
    entries = np.clip(sample - round_half_away_float32(error / f32(2)), low, high)
    end = transform(np.array([input_max], f32))
    last = np.clip(round_half_away_float32(end * inverse), low, high)
    return np.concatenate([entries, last]).astype(np.int64)


def look_up(table: NDArray[np.int64], x: NDArray[np.int64]) -> NDArray[np.int64]:
    """int16 values (as int64) through a table: `LUTLookup`; sums wrap in 16 bits."""
    index = 256 + (x >> 7)
    base = table[index]
    slope = (table[index + 1] - base).astype(np.int16).astype(np.int64)
    delta = (slope * (x & 0x7F) + 64) >> 7
    value: NDArray[np.int64] = (base + delta).astype(np.int16).astype(np.int64)
    return value
