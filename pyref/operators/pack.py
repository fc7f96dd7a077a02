"""PACK: micro/kernels/pack.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "INT64")


def prepare(node: Node) -> Eval:
    """Tensors stacked along a new axis; float32, int8, int16, int32, int64.

    TFLM has no Prepare here and asserts sizes in debug builds only.
    """
    output, count = node.output(), node.options.values_count
    if output.type not in TYPES:
        return FailsAtInvoke(node, f"Type '{output.type}' is not supported by pack.")
    rank = len(output.shape)
    axis = node.options.axis
    axis += rank if axis < 0 else 0
    tensors = [node.input(i) for i in range(count)]
    each = output.size // count if count else 0
    fits = 0 <= axis < rank and output.shape[axis] == count and count > 0
    if not fits or any(t.type != output.type or t.size != each for t in tensors):
        shapes = ", ".join(f"{t.type} {list(t.shape)}" for t in tensors)
        node.refuse(
            f"PACK: {shapes} along axis {axis} to {output.type} {list(output.shape)}, unchecked "
            "in TFLM"
        )
    outer = int(np.prod(output.shape[:axis], dtype=np.int64))

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        parts = [x.reshape(outer, -1) for x in inputs[:count]]
        return [np.stack(parts, axis=1).reshape(output.shape)]

    return evaluate
