"""FLOOR_DIV: micro/kernels/floor_div.cc, reference/floor_div.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.broadcast import elementwise
from pyref.operators.checks import Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def check_float_pair(node: Node, file: str) -> Eval | None:
    """Prepare of FLOOR_DIV and FLOOR_MOD: equal types; None where they are float32."""
    checks = Checks(node, file)
    checks.counts(2, 1)
    x, y, output = node.input(0), node.input(1), node.output()
    checks.types(x.type, y.type, "input1->type", "input2->type")
    checks.types(x.type, output.type, "input1->type", "output->type")
    if x.type != "FLOAT32":
        return FailsAtInvoke(node, f"Type '{x.type}' is not supported by {node.operator.op}.")
    return None


def prepare(node: Node) -> Eval:
    """floor(x / y), divided as doubles; float32. A zero anywhere in y is an error."""
    failure = check_float_pair(node, "floor_div.cc")
    if failure is not None:
        return failure
    divide = elementwise(node, _floor_div)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        if not inputs[1].all():
            node.refuse("Division by 0", phase="invoke")
        return divide(inputs)

    return evaluate


def _floor_div(x: Array, y: Array) -> Array:
    with np.errstate(all="ignore"):
        result: Array = np.floor(x.astype(np.float64) / y.astype(np.float64)).astype(np.float32)
    return result
