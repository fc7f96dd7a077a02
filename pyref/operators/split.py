"""SPLIT: micro/kernels/split.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.operators import splitting
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from pyref.node import Eval, Node


def prepare(node: Node) -> Eval:
    """Equal parts along a constant axis; float32, int8, int16, int32."""
    axis = node.input(0)
    Checks(node, "split.cc").message(
        axis.is_constant, "Non-constant >axis< tensor is not supported"
    )
    return splitting.prepare(node, "split.cc", node.input(1), axis)
