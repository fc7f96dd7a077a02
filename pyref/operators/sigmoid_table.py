"""int16 logistic and tanh by table: reference/integer_ops/logistic.h and tanh.h.

The table holds 65536 / (1 + exp(-i/24)) for i from 0 to 255 (kernels/internal/common.h,
sigmoid_table_uint16); tanh(x) is 2 * logistic(2x) - 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import wrap_int32

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.model import Tensor
    from pyref.operators.checks import Checks

#: Entries of TFLM's table that are one more than the rounded value.
_ONE_HIGHER = [
    4,
    8,
    12,
    14,
    15,
    16,
    17,
    19,
    20,
    21,
    22,
    25,
    27,
    28,
    29,
    30,
    31,
    33,
    34,
    35,
    37,
    39,
    40,
    41,
    43,
    44,
    45,
    46,
    49,
    50,
    54,
    62,
    63,
    64,
    66,
    82,
    86,
    93,
    100,
    103,
    112,
    116,
    135,
    255,
]

TABLE: NDArray[np.int64] = np.floor(65536 / (1 + np.exp(-np.arange(256) / 24)) + 0.5).astype(
    np.int64
)
TABLE[_ONE_HIGHER] += 1


def checked_log2(x: np.float32) -> tuple[bool, int]:
    """`CheckedLog2` of quantization_util.cc: whether a float is nearly a power of two; which."""
    with np.errstate(all="ignore"):
        log2 = np.log(x) * (np.float32(1) / np.log(np.float32(2)))
        whole = np.trunc(log2 + np.copysign(np.float32(0.5), log2))
    if not np.isfinite(whole):
        return False, -(2**31)
    return bool(abs(log2 - whole) < np.float32(1e-3)), int(whole)


def int16_parameters(
    check: Checks, source: Tensor, output: Tensor, powers: tuple[int, ...]
) -> tuple[int, int]:
    """Multiplier and left shift that bring an int16 input to the table's scale.

    Args:
        check: of logistic_common.cc or tanh.cc.
        source: input.
        output: output.
        powers: left shifts that are done without a multiplier.
    """
    check.equal(source.zero_point, 0, "input->params.zero_point", "0")
    check.equal(output.zero_point, 0, "output->params.zero_point", "0")
    is_power, log2 = checked_log2(np.float32(source.scale))
    shift, multiplier = 12 + log2, 0
    if not (is_power and shift in powers):
        real = float(source.scale) * 4096.0 * 3.0
        shift = 0
        while real <= 32767.0 / 2.0 and shift <= 30:
            shift += 1
            real *= 2.0
        multiplier = int(real)
    is_power, log2 = checked_log2(np.float32(output.scale))
    check.true(is_power, "CheckedLog2(output->params.scale, &output_scale_log2_rounded)")
    check.equal(log2, -15, "output_scale_log2_rounded", "-kOutputFractionalBits")
    return multiplier, shift


def _scaled(x: NDArray[np.int16], multiplier: int, left_shift: int) -> NDArray[np.int64]:
    if multiplier == 0:  # a scale of 0 also gets here, with a shift of 31, and wraps
        return wrap_int32(x.astype(np.int64) * wrap_int32(3 << left_shift))
    half = 1 << (left_shift - 1) if left_shift > 0 else 0
    # Scales above 2.67 make the product wrap.
    return wrap_int32(x.astype(np.int64) * multiplier + half) >> left_shift


def _interpolate(x: NDArray[np.int64], bits: int, saturated: int) -> NDArray[np.int64]:
    """Table value of |x|, with `bits` fractional bits."""
    magnitude = np.abs(x)
    whole = np.minimum(magnitude >> bits, 254)
    fraction = magnitude & ((1 << bits) - 1)
    value = (TABLE[whole] << bits) + fraction * (TABLE[whole + 1] - TABLE[whole])
    return np.where(magnitude >> bits >= 255, saturated, value)


def logistic(x: NDArray[np.int16], multiplier: int, left_shift: int) -> NDArray[np.int16]:
    """Logistic(int16) of integer_ops/logistic.h.

    Args:
        x: int16 values.
        multiplier: 0 where the input's scale is a power of two.
        left_shift: see `int16_parameters`.

    Returns:
        int16 of scale 2**-15.
    """
    scaled = _scaled(x, multiplier, left_shift)
    value = _interpolate(scaled, 9, 0x7FFF << 10)
    value = np.where(scaled >= 0, value + (1 << 9), (1 << 25) - value + (1 << 9) - 1)
    return (value >> 10).astype(np.int16)


def tanh(x: NDArray[np.int16], multiplier: int, left_shift: int) -> NDArray[np.int16]:
    """Tanh(int16) of integer_ops/tanh.h.

    Args:
        x: int16 values.
        multiplier: 0 where the input's scale is a power of two.
        left_shift: see `int16_parameters`.

    Returns:
        int16 of scale 2**-15.
    """
    scaled = _scaled(x, multiplier, left_shift)
    value = _interpolate(scaled, 8, 0xFFFF << 8)
    value = np.where(scaled >= 0, value - (1 << 23) + (1 << 7), -value + (1 << 23) + (1 << 7) - 1)
    return (value >> 8).astype(np.int16)
