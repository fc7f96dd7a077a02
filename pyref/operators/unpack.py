"""UNPACK: micro/kernels/unpack.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Slices of one axis as tensors of their own; float32, int32, int16, int8.

    TFLM has no Prepare here and asserts sizes in debug builds only.
    """
    source, outputs = node.input(0), node.outputs
    if source.type not in ("FLOAT32", "INT32", "INT16", "INT8"):
        return FailsAtInvoke(node, f"Type '{source.type}' is not supported by unpack.")
    rank = len(source.shape)
    axis = node.options.axis
    axis += rank if axis < 0 else 0
    count = len(outputs)
    fits = 0 <= axis < rank and source.shape[axis] == count == node.options.num
    if not fits or any(t.type != source.type or t.size * count != source.size for t in outputs):
        node.refuse(
            f"UNPACK: {list(source.shape)} along axis {axis} to {count} tensors, unchecked in TFLM"
        )
    outer = int(np.prod(source.shape[:axis], dtype=np.int64))

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        parts = np.ascontiguousarray(inputs[0].reshape(outer, count, -1).swapaxes(0, 1))
        return [part.reshape(t.shape) for part, t in zip(parts, outputs, strict=True)]

    return evaluate
