"""SignalPCAN: signal/micro/kernels/pcan.cc, signal/src/pcan_argc_fixed.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.fixedpoint import wrap_int32
from pyref.fixedpoint_math import count_leading_zeros
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

SNR_BITS, OUTPUT_BITS = 12, 6


def prepare(node: Node) -> Eval:
    """Per-channel automatic gain control by the noise estimate; uint32, int16 gain table."""
    shift = CustomOptions(node).integer(0)
    checks = Checks(node, "pcan.cc")
    checks.counts(3, 1)
    source, noise, table, output = node.input(0), node.input(1), node.input(2), node.output()
    tensors = {"input": source, "noise_estimate": noise, "gain_lut": table, "output": output}
    for name, tensor in tensors.items():
        checks.equal(len(tensor.shape), 1, f"NumDimensions({name})", "1")
    for name, tensor in tensors.items():
        wanted, text = ("INT16", "Int16") if tensor is table else ("UINT32", "UInt32")
        checks.types(tensor.type, wanted, f"{name}->type", f"kTfLite{text}")
    if output.size != source.size or noise.size < source.size or not 0 <= shift < 64:
        node.refuse(
            f"SignalPCAN: {source.size} channels, {noise.size} estimates, {output.size} outputs, a "
            f"shift of {shift}; undefined in TFLM"
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        estimate = inputs[1][: source.size].astype(np.int64)
        highest = int(estimate.max(initial=0))
        last = highest if highest <= 2 else 4 * highest.bit_length() - 4
        if last >= table.size:
            node.refuse(
                f"SignalPCAN: a noise estimate of {highest} reads entry {last} of a gain table of "
                f"{table.size}; undefined in TFLM",
                phase="invoke",
            )
        gain = wide_dynamic_function(estimate, inputs[2].astype(np.int64))
        product = inputs[0].astype(np.uint64) * gain.astype(np.uint32).astype(np.uint64)
        return [_shrink((product >> np.uint64(shift)).astype(np.uint32))]

    return evaluate


def wide_dynamic_function(x: NDArray[np.int64], table: NDArray[np.int64]) -> NDArray[np.int64]:
    """WideDynamicFunction: a quadratic piece for each power of two; int16 results."""
    interval = 32 - count_leading_zeros(x)
    at = np.maximum(4 * interval - 6, 0)
    shifted = np.where(
        interval < 11, x << np.maximum(11 - interval, 0), x >> np.maximum(interval - 11, 0)
    )
    fraction = shifted & 0x3FF
    small = x <= 2
    at = np.where(small, 0, at)
    result = ((table[at + 2] * fraction) >> 5) + (table[at + 1] << 5)
    result = (wrap_int32(result * fraction) + (1 << 14)) >> 15
    result = np.where(small, table[np.minimum(x, 2)], result + table[at])
    return result.astype(np.int16).astype(np.int64)


def _shrink(x: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """PcanShrink: x**2 / 4 below 2, x - 1 from there on, in 12 fractional bits to 6."""
    square = (x * x) >> np.uint32(2 + 2 * SNR_BITS - OUTPUT_BITS)
    line = (x >> np.uint32(SNR_BITS - OUTPUT_BITS)) - np.uint32(1 << OUTPUT_BITS)
    return np.where(x < (2 << SNR_BITS), square, line)
