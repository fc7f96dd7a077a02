"""EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL: micro/kernels/comparisons.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import multiply_by_quantized_multiplier, wrap_int32
from pyref.operators.broadcast import elementwise
from pyref.operators.checks import FailsAtInvoke, named
from pyref.operators.lookup import INT8_VALUES, index
from pyref.operators.small_multiplier import small_multiplier

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

ORDERED = ("FLOAT32", "INT32", "INT64", "INT8")


def prepare_equal(node: Node) -> Eval:
    """x == y of bool, float32, int32, int64, int8."""
    return _prepare(node, np.equal, ("BOOL", *ORDERED))


def prepare_not_equal(node: Node) -> Eval:
    """x != y of bool, float32, int32, int64, int8."""
    return _prepare(node, np.not_equal, ("BOOL", *ORDERED))


def prepare_greater(node: Node) -> Eval:
    """x > y of float32, int32, int64, int8.

    TFLM takes int16 here, too, but sets its parameters for int8 only: in a fresh arena they are
    zeros, which scale every value to 0, and no value is greater than another. So it is here.
    """
    return _prepare(node, np.greater, (*ORDERED, "INT16"))


def prepare_greater_equal(node: Node) -> Eval:
    """x >= y of float32, int32, int64, int8."""
    return _prepare(node, np.greater_equal, ORDERED)


def prepare_less(node: Node) -> Eval:
    """x < y of float32, int32, int64, int8."""
    return _prepare(node, np.less, ORDERED)


def prepare_less_equal(node: Node) -> Eval:
    """x <= y of float32, int32, int64, int8."""
    return _prepare(node, np.less_equal, ORDERED)


def _prepare(node: Node, compare: Callable[[Any, Any], Array], types: tuple[str, ...]) -> Eval:
    x, y = node.input(0), node.input(1)
    tables = [_table(node, t) for t in (x, y)] if x.type == "INT8" else None
    if x.type not in types:
        return FailsAtInvoke(node, f"Type {named(x.type)} not supported.")
    if y.type != x.type or node.output().type != "BOOL":
        node.refuse(
            f"{node.operator.op}: inputs {x.type} and {y.type}, output {node.output().type}; "
            "TFLM does not check and would misread them"
        )
    if x.type == "INT16":
        return elementwise(node, lambda a, b: np.zeros(np.broadcast(a, b).shape, np.bool_))
    if tables is None:
        return elementwise(node, compare)
    first, second = tables
    return elementwise(node, lambda a, b: compare(first[index(a)], second[index(b)]))


def _table(node: Node, tensor: Tensor) -> Array:
    """Each int8 value scaled to int32 (ComparisonWithScaling). A scale of 1 or more aborts TFLM."""
    multiplier, shift = small_multiplier(node, float(tensor.scale))
    offset = wrap_int32((INT8_VALUES - tensor.zero_point) << 8)
    return multiply_by_quantized_multiplier(offset, multiplier, shift).astype(np.int32)
