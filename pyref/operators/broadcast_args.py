"""BROADCAST_ARGS: micro/kernels/broadcast_args.cc, reference/broadcast_args.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The shape that two shapes broadcast to; int32, int64 (whose values wrap to int32)."""
    checks = Checks(node, "broadcast_args.cc")
    checks.true(len(node.operator.inputs) == 2, "NumInputs(node) == 2")
    checks.equal(len(node.operator.outputs), 1, "NumOutputs(node)", "1")
    first, second, output = node.input(0), node.input(1), node.output()
    checks.true(
        first.type in ("INT32", "INT64"),
        "shape1->type == kTfLiteInt32 || shape1->type == kTfLiteInt64",
    )
    checks.equal(first.type, second.type, "shape1->type", "shape2->type")
    checks.equal(first.type, output.type, "shape1->type", "output->type")
    for name, tensor in (("shape1", first), ("shape2", second), ("output", output)):
        checks.equal(len(tensor.shape), 1, f"NumDimensions({name})", "1")
    count = output.size

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        a, b = (_aligned(x, count) for x in inputs)
        if ((a != b) & (a != 1) & (b != 1)).any():
            node.refuse("TFLITE_CHECK_EQ(shape1_i, shape2_i) fails and TFLM aborts", phase="invoke")
        return [np.where(a == 1, b, a).astype(output.dtype)]

    return evaluate


def _aligned(x: Array, count: int) -> Array:
    """The last `count` values as C ints, ones before them where there are fewer."""
    result = np.ones(count, np.int32)
    kept = x[max(len(x) - count, 0) :].astype(np.int32)
    result[count - len(kept) :] = kept
    return result
