"""SPLIT_V: micro/kernels/split_v.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.operators import splitting
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from pyref.node import Eval, Node


def prepare(node: Node) -> Eval:
    """Parts along a constant axis, of the sizes of the outputs; float32, int8, int16, int32.

    TFLM never reads the tensor of sizes.
    """
    checks = Checks(node, "split_v.cc")
    checks.equal(len(node.operator.inputs), 3, "NumInputs(node)", "3")
    axis = node.input(2)
    checks.message(axis.is_constant, "Non-constant >axis< tensor is not supported")
    return splitting.prepare(node, "split_v.cc", node.input(0), axis)
