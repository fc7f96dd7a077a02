"""BROADCAST_TO: micro/kernels/broadcast_to.cc, reference/broadcast_to.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_BROADCASTABLE = "Output shape must be broadcastable from input shape."


def prepare(node: Node) -> Eval:
    """Repeats a tensor of any type along dimensions of 1, up to 5 dimensions."""
    checks = Checks(node, "broadcast_to.cc")
    checks.true(len(node.operator.inputs) == 2, "NumInputs(node) == 2")
    checks.equal(len(node.operator.outputs), 1, "NumOutputs(node)", "1")
    source, shape, output = node.input(0), node.input(1), node.output()
    rank, wanted = len(source.shape), output.shape
    checks.message(rank <= 5, "BroadcastTo only supports 1-5D tensor.")
    checks.true(
        shape.type in ("INT32", "INT64"),
        "shape->type == kTfLiteInt32 || shape->type == kTfLiteInt64",
    )
    checks.equal(source.type, output.type, "input->type", "output->type")
    checks.message(shape.is_constant, "Non-constant >shape< tensor is not supported")
    assert shape.data is not None
    checks.equal(len(shape.shape), 1, "NumDimensions(shape)", "1")
    checks.message(
        len(wanted) == shape.shape[0], "Output must match with the expected shape dimension."
    )
    checks.message(rank <= len(wanted), _BROADCASTABLE)
    checks.message(len(wanted) <= 5, "BroadcastTo only supports 1-5D tensor.")
    target = [int(v) for v in shape.data]
    for size, value in zip(source.shape, target[len(target) - rank :], strict=True):
        checks.message(size in (1, value), _BROADCASTABLE)
    for size, value in zip(wanted, target, strict=True):
        checks.true(size == value, "output_shape.Dims(idx) == get_shape_data(idx)")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.ascontiguousarray(np.broadcast_to(inputs[0], wanted))]

    return evaluate
