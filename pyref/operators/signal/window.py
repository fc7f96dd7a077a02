"""SignalWindow: signal/micro/kernels/window.cc, signal/src/window.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.fixedpoint import saturate
from pyref.operators.checks import Checks, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Samples times window weights, shifted right, saturated; int16."""
    shift = CustomOptions(node).integer(0)
    checks = Checks(node, "window.cc")
    checks.counts(2, 1)
    source, weights, output = node.input(0), node.input(1), node.output()
    checks.true(len(source.shape) >= 1, "NumDimensions(input) >= 1")
    checks.equal(len(weights.shape), 1, "NumDimensions(weights)", "1")
    ranks = len(source.shape), len(output.shape)
    checks.equal(*ranks, "NumDimensions(input)", "NumDimensions(output)")
    for name, tensor in (("input", source), ("weights", weights), ("output", output)):
        checks.types(tensor.type, "INT16", f"{name}->type", "kTfLiteInt16")
    same_size(node, source, output)
    if source.size % weights.size or not 0 <= shift < 32:
        node.refuse(
            f"SignalWindow: {source.size} samples by {weights.size} weights and a shift of "
            f"{shift}; undefined in TFLM"
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        product = inputs[0].reshape(-1, weights.size).astype(np.int32) * inputs[1]
        return [saturate(product >> shift, output.dtype).reshape(output.shape)]

    return evaluate
