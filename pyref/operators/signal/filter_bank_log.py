"""SignalFilterBankLog: signal/micro/kernels/filter_bank_log.cc, signal/src/log.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.fixedpoint_math import count_leading_zeros
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

#: log2(1 + i/128) - i/128 in 16 fractional bits: log.cc, kLogLut.
SEGMENTS = np.floor(
    65536 * (np.log2(1 + np.arange(129) / 128) - np.arange(129) / 128) + 0.5
).astype(np.int64)
#: ln 2 in 16 fractional bits: log.cc, kLogCoeff.
LN2 = 45426


def prepare(node: Node) -> Eval:
    """Natural logarithms times a scale, at most 32767; uint32 to int16."""
    options = CustomOptions(node)
    correction, scale = options.integer(0), options.integer(1)
    checks = Checks(node, "filter_bank_log.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.equal(len(source.shape), 1, "NumDimensions(input)", "1")
    checks.equal(len(output.shape), 1, "NumDimensions(output)", "1")
    checks.types(source.type, "UINT32", "input->type", "kTfLiteUInt32")
    checks.types(output.type, "INT16", "output->type", "kTfLiteInt16")
    if output.size < source.size or not 0 <= correction < 32:
        node.refuse(
            f"SignalFilterBankLog: {source.size} channels into {output.size}, a shift of "
            f"{correction}; undefined in TFLM"
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        scaled = (inputs[0] << np.uint32(correction)).astype(np.int64)
        logs = np.minimum(log32(np.maximum(scaled, 1), scale), 32767)
        result = np.zeros(output.shape, np.int16)
        result[: source.size] = np.where(scaled > 1, logs, 0)
        return [result]

    return evaluate


def log32(x: NDArray[np.int64], scale: int) -> NDArray[np.int64]:
    """Log32 of signal/src/log.cc, in 32-bit unsigned arithmetic.

    Args:
        x: uint32 values, 1 or more.
        scale: of the result.
    """
    integer = 31 - count_leading_zeros(x)
    fraction = x - (np.int64(1) << integer)
    fraction = np.where(
        integer < 16,
        fraction << np.maximum(16 - integer, 0),
        fraction >> np.maximum(integer - 16, 0),
    )
    segment = fraction >> 9
    low, high = SEGMENTS[segment], SEGMENTS[segment + 1]
    fraction = fraction + low + (((high - low) * (fraction - (segment << 9))) >> 16)
    natural = (LN2 * ((integer << 16) + fraction) + 32768) >> 16
    scaled: NDArray[np.int64] = (scale * natural + 32768) % 2**32
    return scaled >> 16
