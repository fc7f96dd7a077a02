"""SELECT_V2: micro/kernels/select.cc, reference/select.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """x where a bool condition holds, y elsewhere, broadcast; float32, int8, int16."""
    checks = Checks(node, "select.cc")
    checks.counts(3, 1)
    condition, x, y, output = node.input(0), node.input(1), node.input(2), node.output()
    checks.types(condition.type, "BOOL", "input_condition->type", "kTfLiteBool")
    checks.types(x.type, y.type, "input_x->type", "input_y->type")
    tensors = (condition, x, y)
    scalars = all(t.size == 1 for t in (*tensors, output))
    same = condition.shape == x.shape == y.shape
    if not same and not scalars:
        _check_broadcast(node, checks, tensors)
    if x.type not in ("FLOAT32", "INT8", "INT16"):
        reason = f"Does not support type other than int8|int16|float32, but got {x.type}"
        return FailsAtInvoke(node, reason)
    if output.type != x.type or (same and x.size != output.size):
        node.refuse(
            f"SELECT_V2: {x.type} {list(x.shape)} to {output.type} {list(output.shape)}, "
            "unchecked in TFLM"
        )
    shape = output.shape

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.where(inputs[0], inputs[1], inputs[2]).reshape(shape)]

    return evaluate


def _check_broadcast(node: Node, checks: Checks, tensors: tuple[Tensor, ...]) -> None:
    """CheckBroadcastShape."""
    shapes = [t.shape for t in tensors]
    stored = node.output().shape
    rank = max(len(s) for s in shapes)
    checks.equal(rank, len(stored), "out_dims", "output_shape->size")
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    for i in reversed(range(rank)):
        sizes = [s[i] for s in padded]
        most = 0 if min(sizes) == 0 else max(sizes)
        if any(size not in (1, most) for size in sizes):
            node.refuse("Given shapes are not broadcastable.")
        checks.equal(stored[i], most, "output_shape->data[out_dims - i - 1]", "max_value")
