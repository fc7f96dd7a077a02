"""SHAPE: micro/kernels/shape.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The stored shape of a tensor of any type, as int32."""
    Checks(node, "shape.cc").counts(1, 1)
    source, output = node.input(0), node.output()
    if output.type != "INT32":
        return FailsAtInvoke(node, f"Output type {named(output.type)} not supported.")
    if output.size != len(source.shape):
        node.refuse(f"SHAPE: {list(output.shape)} cannot hold {list(source.shape)}")
    value = np.array(source.shape, np.int32).reshape(output.shape)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        del inputs
        return [value]

    return evaluate
