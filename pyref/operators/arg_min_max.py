"""ARG_MAX and ARG_MIN: micro/kernels/arg_min_max.cc, reference/arg_min_max.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.node import Array, Eval, Node


def prepare_max(node: Node) -> Eval:
    """Index of the first largest value along an axis; float32 and int8 to int32."""
    return _prepare(node, np.argmax, -np.inf)


def prepare_min(node: Node) -> Eval:
    """Index of the first smallest value along an axis; float32 and int8 to int32."""
    return _prepare(node, np.argmin, np.inf)


def _prepare(node: Node, find: Callable[..., Any], last: float) -> Eval:
    """TFLM has no Prepare here.

    The comparison is a plain > or <: a NaN never wins, and nothing wins over a NaN that
    comes first.
    """
    source, axis_tensor, output = node.input(0), node.input(1), node.output()
    if axis_tensor.type != "INT32":
        return FailsAtInvoke(node, f"Only int32_t are supported currently, got {axis_tensor.type}.")
    if output.type != "INT32":
        return FailsAtInvoke(node, f"Only int32_t are supported currently, got {output.type}.")
    if source.type not in ("FLOAT32", "INT8"):
        reason = f"Only float32, uint8_t and int8_t are supported currently, got {source.type}."
        return FailsAtInvoke(node, reason)
    rank, shape = len(source.shape), output.shape

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        axis = int(inputs[1].reshape(-1)[0])
        axis += rank if axis < 0 else 0
        if not 0 <= axis < rank or x.size != output.size * x.shape[axis]:
            node.refuse(
                f"{node.operator.op}: axis {axis} of {list(x.shape)} does not give {list(shape)}; "
                "TFLM would go beyond its tensors",
                phase="invoke",
            )
        if x.dtype.kind == "f" and np.isnan(x).any():
            first = np.isnan(np.take(x, 0, axis))
            found = find(np.where(np.isnan(x), np.float32(last), x), axis)
            return [np.where(first, 0, found).astype(np.int32).reshape(shape)]
        return [find(x, axis).astype(np.int32).reshape(shape)]

    return evaluate
