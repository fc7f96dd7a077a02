"""Prepare of CEIL, EXP and ROUND: one float32 input, an output of its very shape.

Source: CeilPrepare, ExpPrepare and RoundPrepare of micro/kernels, alike but for the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.node import Array, Eval, Node


def float_operator(node: Node, file: str, function: Callable[[Array], Array]) -> Eval:
    """An evaluation that applies a float32 function, after TFLM's checks.

    Args:
        node: the operator.
        file: TFLM's source file.
        function: float32 to float32 of the same shape.
    """
    checks = Checks(node, file)
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.types(source.type, "FLOAT32", "input->type", "kTfLiteFloat32")
    checks.types(output.type, source.type, "output->type", "input->type")
    checks.equal(output.size * 4, source.size * 4, "output->bytes", "input->bytes")
    ranks = len(output.shape), len(source.shape)
    checks.equal(*ranks, "output->dims->size", "input->dims->size")
    for a, b in zip(output.shape, source.shape, strict=True):
        checks.equal(a, b, "output->dims->data[i]", "input->dims->data[i]")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [function(inputs[0])]

    return evaluate
