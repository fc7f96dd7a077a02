"""READ_VARIABLE: micro/kernels/read_variable.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref import resource_variables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The bytes of a resource variable, as the output's type and shape.

    TFLM asserts the counts of tensors and the handle's type in debug builds only.
    """
    node.input(0)
    output = node.output()

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [resource_variables.read(node, int(inputs[0].reshape(-1)[0]), output)]

    return evaluate
