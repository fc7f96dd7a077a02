"""Elementwise operators of two inputs: TFLM's BroadcastBinaryOpSimple.

Source: kernels/internal/reference/broadcast_loop.h and binary_function.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.node import Array, Eval, Node


def output_shape(node: Node, *inputs: int) -> tuple[int, ...]:
    """The stored output shape, after a check that the inputs broadcast to it.

    TFLM compares nothing here: with shapes that do not fit, it reads or writes beyond its
    tensors, so this refuses them.

    Args:
        node: the operator.
        *inputs: positions of the inputs that broadcast.
    """
    shapes = [node.input(i).shape for i in inputs]
    wanted = node.output().shape
    if all(s == shapes[0] for s in shapes) and node.input(inputs[0]).size == node.output().size:
        return wanted
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        shape = None
    if shape is None or _strip(shape) != _strip(wanted):
        text = ", ".join(str(list(s)) for s in shapes)
        node.refuse(
            f"{node.operator.op}: {text} do not broadcast to {list(wanted)}; TFLM would go "
            "beyond its tensors"
        )
    return wanted


def _strip(shape: tuple[int, ...]) -> tuple[int, ...]:
    start = 0
    while start < len(shape) and shape[start] == 1:
        start += 1
    return shape[start:]


def elementwise(node: Node, function: Callable[[Array, Array], Array]) -> Eval:
    """An evaluation that applies `function` to inputs 0 and 1, broadcast."""
    shape = output_shape(node, 0, 1)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [function(inputs[0], inputs[1]).reshape(shape)]

    return evaluate
