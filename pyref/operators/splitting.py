"""What SPLIT and SPLIT_V share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import FailsAtInvoke, int32_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node


def prepare(node: Node, file: str, source: Tensor, axis_tensor: Tensor) -> Eval:
    """An evaluation that cuts `source` into the outputs along an axis.

    TFLM asserts sizes in debug builds only; outputs that do not add up are refused.
    """
    rank, outputs = len(source.shape), node.outputs
    axis = int32_values(node, axis_tensor, 1)[0]
    axis += rank if axis < 0 else 0
    for holds, text in (
        (axis >= 0, "axis_value >= 0"),
        (axis < rank, "axis_value < input->dims->size"),
    ):
        if not holds:
            return FailsAtInvoke(node, f"{file} {text} was not true.")
    if source.type not in ("FLOAT32", "INT8", "INT16", "INT32"):
        return FailsAtInvoke(node, f"Type {source.type} currently not supported.")
    sizes = [t.shape[axis] if axis < len(t.shape) else 0 for t in outputs]
    per_unit = source.size // source.shape[axis] if source.shape[axis] else 0
    if sum(sizes) != source.shape[axis] or any(
        t.type != source.type or t.size != n * per_unit for t, n in zip(outputs, sizes, strict=True)
    ):
        shapes = ", ".join(f"{t.type} {list(t.shape)}" for t in outputs)
        node.refuse(
            f"{node.operator.op}: {source.type} {list(source.shape)} along axis {axis} to "
            f"{shapes}, unchecked in TFLM"
        )
    position = node.operator.inputs.index(source.index)
    ends = np.cumsum(sizes).tolist()
    before = (slice(None),) * axis
    parts = [(*before, slice(end - n, end)) for n, end in zip(sizes, ends, strict=True)]

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[position]
        return [
            np.ascontiguousarray(x[part]).reshape(t.shape)
            for part, t in zip(parts, outputs, strict=True)
        ]

    return evaluate
