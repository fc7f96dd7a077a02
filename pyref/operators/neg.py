"""NEG: micro/kernels/neg.cc, reference/neg.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import FailsAtInvoke, named, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """-x; float32. TFLM has no Prepare here."""
    source, output = node.input(0), node.output()
    if source.type != "FLOAT32":
        return FailsAtInvoke(node, f"Type {named(source.type)} not supported.")
    same_size(node, source, output)
    if output.type != "FLOAT32":
        node.refuse(f"NEG: FLOAT32 to {output.type}, unchecked in TFLM")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [(-inputs[0]).reshape(output.shape)]

    return evaluate
