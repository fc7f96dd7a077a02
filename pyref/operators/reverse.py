"""REVERSE_V2: micro/kernels/reverse.cc, reference/reverse.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

TYPES = ("INT32", "FLOAT32", "UINT8", "INT8", "INT16", "INT64", "BOOL")


def prepare(node: Node) -> Eval:
    """Reverses neighbouring axes; int8, uint8, int16, int32, int64, bool, float32."""
    checks = Checks(node, "reverse.cc")
    checks.counts(2, 1)
    source, axes_tensor, output = node.input(0), node.input(1), node.output()
    rank = len(source.shape)
    checks.equal(len(axes_tensor.shape), 1, "NumDimensions(axis)", "1")
    checks.true(rank <= 6, "NumDimensions(input) <= kMaxDimensions")
    checks.true(rank >= axes_tensor.size, "NumDimensions(input) >= NumElements(axis)")
    if source.type not in TYPES:
        node.refuse(f"Type '{source.type}' is not supported by reverse.")
    if axes_tensor.type != "INT32":
        node.refuse(f"Axis Type '{axes_tensor.type}' is not supported by reverse.")
    checks.equal(source.type, output.type, "input->type", "output->type")
    if source.size != output.size or not axes_tensor.size:
        node.refuse(f"REVERSE_V2: {list(source.shape)} to {list(output.shape)}, unchecked in TFLM")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        axes = sorted(int(a) + (rank if a < 0 else 0) for a in inputs[1])
        for axis in axes:
            checks.invoke_true(0 <= axis < rank, "axes_data[i] >= 0 && axes_data[i] < rank")
        if axes != list(range(axes[0], axes[0] + len(axes))):
            node.refuse("Non-contiguous `axes` not supported", phase="invoke")
        return [np.ascontiguousarray(np.flip(inputs[0], tuple(axes))).reshape(output.shape)]

    return evaluate
