"""DYNAMIC_UPDATE_SLICE: micro/kernels/dynamic_update_slice.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The operand with a block replaced, its start clamped inside; float32, int8, int16, int32."""
    checks = Checks(node, "dynamic_update_slice.cc")
    checks.counts(3, 1)
    operand, update, starts = node.input(0), node.input(1), node.input(2)
    checks.types(operand.type, update.type, "operand->type", "update->type")
    checks.true(
        starts.type in ("INT32", "INT64"),
        "start_indices->type == kTfLiteInt32 || start_indices->type == kTfLiteInt64",
    )
    rank = len(operand.shape)
    checks.equal(len(starts.shape), 1, "NumDimensions(start_indices)", "1")
    checks.equal(
        starts.shape[0], rank, "SizeOfDimension(start_indices, 0)", "NumDimensions(operand)"
    )
    checks.equal(len(update.shape), rank, "NumDimensions(update)", "NumDimensions(operand)")
    for a, b in zip(update.shape, operand.shape, strict=True):
        checks.true(a <= b, "SizeOfDimension(update, i) <= SizeOfDimension(operand, i)")
    if operand.type not in ("FLOAT32", "INT8", "INT16", "INT32"):
        return FailsAtInvoke(
            node, f"DYNAMIC_UPDATE_SLICE: Operand type {operand.type} not supported."
        )
    output = node.output()
    same_size(node, operand, output)
    room = np.array(operand.shape, np.int64) - np.array(update.shape, np.int64)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        result = np.array(inputs[0])
        begin = np.minimum(np.maximum(inputs[2].astype(np.int64), 0), room)
        block = tuple(slice(b, b + n) for b, n in zip(begin, update.shape, strict=True))
        result[block] = inputs[1]
        return [result.reshape(output.shape)]

    return evaluate
