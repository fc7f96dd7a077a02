"""EMBEDDING_LOOKUP: micro/kernels/embedding_lookup.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.stored_shape import stored_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Rows of a table by index; float32 or int8 as they are, int8 to float32 dequantised."""
    checks = Checks(node, "embedding_lookup.cc")
    checks.counts(2, 1)
    lookup, value, output = node.input(0), node.input(1), node.output()
    checks.equal(len(lookup.shape), 1, "NumDimensions(lookup)", "1")
    checks.equal(lookup.type, "INT32", "lookup->type", "kTfLiteInt32")
    checks.true(len(value.shape) >= 2, "NumDimensions(value) >= 2")
    checks.true(
        value.type in ("FLOAT32", "INT8"),
        "value->type == kTfLiteFloat32 || value->type == kTfLiteInt8",
    )
    if value.type == "FLOAT32":
        checks.true(output.type == "FLOAT32", "output->type == kTfLiteFloat32")
    else:
        checks.true(
            output.type in ("FLOAT32", "INT8"),
            "output->type == kTfLiteFloat32 || output->type == kTfLiteInt8",
        )
    checks.true(len(output.shape) >= len(value.shape), "output->dims->size >= NumDimensions(value)")
    rows = value.shape[0]
    computed = (lookup.shape[0], *value.shape[1:], *output.shape[len(value.shape) :])
    checks.true(int(np.prod(computed)) <= output.size, "new_dims_size <= output->bytes")
    dequantized = value.type != output.type
    if dequantized:
        checks.equal(value.zero_point, 0, "tensor_1->params.zero_point", "0")
    shape = stored_as(node, computed)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        indices, table = inputs[0], inputs[1]
        wrong = (indices < 0) | (indices >= rows)
        if wrong.any():
            node.refuse(
                "EMBEDDING_LOOKUP: index out of bounds. "
                f"Got {indices[wrong][0]}, and bounds are [0, {rows - 1}]",
                phase="invoke",
            )
        found = table[indices]
        if dequantized:
            found = value.scale * found.astype(np.float32)
        return [found.reshape(shape)]

    return evaluate
