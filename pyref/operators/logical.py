"""LOGICAL_AND and LOGICAL_OR: micro/kernels/logical.cc, logical_common.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.broadcast import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyref.node import Array, Eval, Node


def prepare_and(node: Node) -> Eval:
    """x and y; bool."""
    return _prepare(node, np.logical_and)


def prepare_or(node: Node) -> Eval:
    """x or y; bool."""
    return _prepare(node, np.logical_or)


def _prepare(node: Node, function: Callable[[Any, Any], Array]) -> Eval:
    types = [node.input(0).type, node.input(1).type, node.output().type]
    if types != ["BOOL"] * 3:
        node.refuse(
            f"{node.operator.op}: {', '.join(types)} are not all BOOL; TFLM does not check and "
            "would misread them"
        )
    return elementwise(node, function)
