"""FLOOR: micro/kernels/floor.cc, reference/floor.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import FailsAtInvoke, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Largest integer not above x; float32. TFLM has no Prepare here."""
    source, output = node.input(0), node.output()
    if source.type != "FLOAT32":
        reason = f"floor.cc input->type != kTfLiteFloat32 ({source.type} != FLOAT32)"
        return FailsAtInvoke(node, reason)
    same_size(node, source, output)
    if output.type != "FLOAT32":
        node.refuse(f"FLOOR: FLOAT32 to {output.type}, unchecked in TFLM")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.floor(inputs[0]).reshape(output.shape)]

    return evaluate
