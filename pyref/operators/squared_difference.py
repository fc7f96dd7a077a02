"""SQUARED_DIFFERENCE: micro/kernels/squared_difference.cc."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import (
    multiply_by_quantized_multiplier,
    saturate,
    wrap_int32,
)
from pyref.operators.broadcast import elementwise
from pyref.operators.checks import TYPE_CODES, Checks, FailsAtInvoke
from pyref.operators.factor import factor
from pyref.operators.small_multiplier import small_multiplier

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyref.node import Array, Eval, Node

#: Shift of the inputs before they are scaled, by type.
LEFT_SHIFT = {"INT8": 7, "INT16": 0}


def prepare(node: Node) -> Eval:
    """(x - y)**2, broadcast; float32, int32 (wraps), int8, int16 (zero points 0)."""
    checks = Checks(node, "squared_difference.cc")
    checks.counts(2, 1)
    x, y, output = node.input(0), node.input(1), node.output()
    checks.types(x.type, y.type, "input1->type", "input2->type")
    names = ("input1", "input2", "output")
    points = {
        f"{name}_quantization_params.zero_point": tensor.zero_point
        for name, tensor in zip(names, (x, y, output), strict=True)
    }
    if x.type == "INT8":
        for text, value in points.items():
            checks.true(value >= -128, f"{text} >= integer_type_min")
            checks.true(value <= 127, f"{text} <= integer_type_max")
    elif x.type == "INT16":
        for text, value in points.items():
            checks.true(value == 0, f"{text} == 0")
    if output.type not in ("FLOAT32", "INT32", "INT8", "INT16"):
        return FailsAtInvoke(
            node,
            "SquaredDifference only supports FLOAT32, INT32 , INT16 and INT8 now, got "
            f"{TYPE_CODES.get(output.type, 0)}.",
        )
    if output.type != x.type:
        node.refuse(
            f"SQUARED_DIFFERENCE: inputs {x.type}, output {output.type}; TFLM does not check "
            "and would misread them"
        )
    if x.type in ("FLOAT32", "INT32"):
        return elementwise(node, _plain)
    return elementwise(node, _quantized(node))


def _plain(x: Array, y: Array) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        difference = x - y
        result: Array = difference * difference
    return result


def _quantized(node: Node) -> Callable[[Array, Array], Array]:
    """x and y scaled to twice the larger scale, subtracted, squared, scaled to the output."""
    x, y, output = node.input(0), node.input(1), node.output()
    left_shift = LEFT_SHIFT[x.type]
    twice = 2.0 * float(max(x.scale, y.scale))
    scalings = [
        (t.zero_point, *small_multiplier(node, float(t.scale) / twice if twice else math.nan))
        for t in (x, y)
    ]
    # int times float: the product is rounded to float32 before it becomes a double.
    divisor = float(np.float32(1 << (2 * left_shift)) * output.scale)
    multiplier, shift = factor(node, twice * twice, divisor)

    def scale(v: Array, zero_point: int, multiplier: int, shift: int) -> Array:
        shifted = (v.astype(np.int64) - zero_point) << left_shift
        return multiply_by_quantized_multiplier(shifted, multiplier, shift)

    def function(a: Array, b: Array) -> Array:
        difference = scale(a, *scalings[0]) - scale(b, *scalings[1])
        square = wrap_int32(difference * difference)
        raw = multiply_by_quantized_multiplier(square, multiplier, shift) + output.zero_point
        return saturate(raw, output.dtype)

    return function
