"""MAXIMUM and MINIMUM: micro/kernels/maximum_minimum.cc and its CMSIS-NN namesake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.broadcast import elementwise
from pyref.operators.checks import FailsAtInvoke, named
from pyref.operators.cmsis_nn_broadcast import elementwise_s8

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyref.node import Array, Eval, Node

TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "INT64")


def prepare_maximum(node: Node) -> Eval:
    """The larger of x and y, y where they compare false (NaN); float32, int8 to int64."""
    return _prepare(node, lambda x, y: np.where(x > y, x, y), np.maximum)


def prepare_minimum(node: Node) -> Eval:
    """The smaller of x and y, y where they compare false (NaN); float32, int8 to int64."""
    return _prepare(node, lambda x, y: np.where(x < y, x, y), np.minimum)


def _prepare(
    node: Node,
    choose: Callable[[Array, Array], Array],
    choose_integers: Callable[[Any, Any], Array],
) -> Eval:
    """TFLM has no Prepare here, compares raw values and never looks at quantisation."""
    output = node.output()
    if output.type not in TYPES:
        reason = f"Type {named(output.type)} is not supported by Maximum/Minimum."
        return FailsAtInvoke(node, reason)
    if node.input(0).type != output.type or node.input(1).type != output.type:
        node.refuse(
            f"{node.operator.op}: inputs {node.input(0).type} and {node.input(1).type}, output "
            f"{output.type}; TFLM does not check and would misread them"
        )
    if output.type == "INT8" and node.kernels == "cmsis_nn":
        return elementwise_s8(node, choose_integers)
    return elementwise(node, choose if output.type == "FLOAT32" else choose_integers)
