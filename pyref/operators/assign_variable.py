"""ASSIGN_VARIABLE: micro/kernels/assign_variable.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref import resource_variables
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Copies a value of any type into a resource variable.

    Where the id comes from outside the subgraph, it is not known in Prepare, and another
    ASSIGN_VARIABLE must have sized the variable.
    """
    checks = Checks(node, "assign_variable.cc")
    checks.counts(2, 0)
    handle, value = node.input(0), node.input(1)
    checks.true(
        handle.type in ("RESOURCE", "INT32"),
        "(input_resource_id_tensor->type == kTfLiteResource || input_resource_id_tensor->type == "
        "kTfLiteInt32)",
    )
    checks.equal(handle.size, 1, "NumElements(input_resource_id_tensor->dims)", "1")
    number = node.session.resource_tensors.get((node.subgraph.index, handle.index))
    if number is None and handle.data is not None:
        number = int(handle.data.reshape(-1)[0])
    if number is not None:
        resource_variables.known(node, number, "prepare")
        resource_variables.allocate(node, number, value)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        resource_variables.assign(node, int(inputs[0].reshape(-1)[0]), inputs[1])
        return []

    return evaluate
