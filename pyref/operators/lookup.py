"""8-bit operators as tables of 256 entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import float_to_int32, round_half_away_float32

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pyref.model import Tensor
    from pyref.node import Array, Eval

#: Every int8 value, in the order in which its byte counts: 0 .. 127, -128 .. -1.
INT8_VALUES = np.arange(256, dtype=np.uint8).view(np.int8).astype(np.int64)


def index(x: Array) -> NDArray[np.uint8]:
    """An int8 array as indices into a table in the order of `INT8_VALUES`."""
    return x.view(np.uint8)


def by_table(table: Array, shape: tuple[int, ...]) -> Eval:
    """An evaluation that looks input 0 up in a table.

    Args:
        table: 256 output values in the order of `INT8_VALUES`.
        shape: the output's.
    """

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [table[index(inputs[0])].reshape(shape)]

    return evaluate


def float_table(
    source: Tensor, output: Tensor, transform: Callable[[NDArray[np.float32]], NDArray[np.float32]]
) -> NDArray[np.int8]:
    """PopulateLookupTable of micro/kernels/elu.cc: dequantise, transform, quantise in float32.

    Args:
        source: int8 input, for its scale and zero point.
        output: int8 output, likewise.
        transform: float32 to float32, elementwise.

    Returns:
        int8 table in the order of `INT8_VALUES`. A value beyond int32 saturates, as a
        Cortex-M7 converts it (C leaves it undefined).
    """
    f32 = np.float32
    with np.errstate(all="ignore"):
        inverse = f32(1) / f32(output.scale)
        values = (INT8_VALUES - source.zero_point).astype(f32) * f32(source.scale)
        rescaled = round_half_away_float32(transform(values) * inverse)
        quantized = float_to_int32(rescaled + f32(output.zero_point))
    return np.clip(quantized, -128, 127).astype(np.int8)
