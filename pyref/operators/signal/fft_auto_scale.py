"""SignalFftAutoScale: signal/micro/kernels/fft_auto_scale_*.cc, signal/src/fft_auto_scale.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Samples shifted left as far as the largest allows, and by how much; int16, int32."""
    checks = Checks(node, "fft_auto_scale_common.cc")
    checks.counts(1, 2)
    source, output, bits = node.input(0), node.output(0), node.output(1)
    checks.equal(len(source.shape), 1, "NumDimensions(input)", "1")
    checks.equal(len(output.shape), 1, "NumDimensions(output)", "1")
    checks.equal(len(bits.shape), 0, "NumDimensions(scale_bit)", "0")
    checks.types(source.type, "INT16", "input->type", "kTfLiteInt16")
    checks.types(output.type, "INT16", "output->type", "kTfLiteInt16")
    checks.types(bits.type, "INT32", "scale_bit->type", "kTfLiteInt32")
    same_size(node, source, output)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        largest = max_abs(x)
        shift = 0 if largest <= 0 else 15 - largest.bit_length()
        return [x << np.int16(shift), np.array(shift, np.int32)]

    return evaluate


def max_abs(x: NDArray[np.int16]) -> int:
    """MaxAbs16 of signal/src/max_abs.cc.

    -(-32768) wraps to -32768 when TFLM stores it as int16, which restarts the search there: what
    comes after the last -32768 decides.
    """
    if not x.size:
        return 0
    low, high = int(x.min()), int(x.max())
    if low > -32768:
        return max(high, -low)
    largest = -32768
    for value in x[int(np.flatnonzero(x == low)[-1]) + 1 :].tolist():
        if value > largest:
            largest = value
        elif -value > largest:
            largest = -value
    return largest
