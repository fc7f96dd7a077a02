"""SignalEnergy: signal/micro/kernels/energy.cc, signal/src/energy.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Squared magnitude of int16 complex bins from start_index to end_index, as uint32.

    Bins outside are not written by TFLM; they are zeros here.
    """
    options = CustomOptions(node)
    end, start = options.integer(0), options.integer(1)
    checks = Checks(node, "energy.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.equal(len(source.shape), 1, "NumDimensions(input)", "1")
    checks.equal(len(output.shape), 1, "NumDimensions(output)", "1")
    checks.types(source.type, "INT16", "input->type", "kTfLiteInt16")
    checks.types(output.type, "UINT32", "output->type", "kTfLiteUInt32")
    end = max(end, start)
    if start < 0 or end > min(source.size // 2, output.size):
        node.refuse(
            f"SignalEnergy: bins {start} to {end} of {source.size // 2}, into {output.size}; TFLM "
            "would go beyond its tensors"
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        bins = inputs[0][2 * start : 2 * end].astype(np.int64)
        squares = bins * bins
        result = np.zeros(output.shape, np.uint32)
        result[start:end] = squares[::2] + squares[1::2]
        return [result]

    return evaluate
