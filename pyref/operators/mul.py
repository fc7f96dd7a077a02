"""MUL: micro/kernels/mul.cc, mul_common.cc. int8, int16, int32 (wraps) and float32, broadcast.

CMSIS-NN computes the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import quantize_multiplier
from pyref.operators import activation_range, broadcast, scales
from pyref.operators.add import real, same_types
from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """MulPrepare and MulEval."""
    check = Checks(node, "mul_common.cc")
    first, second = node.input(0), node.input(1)
    node.output()
    check.counts(2, 1)
    check.types(first.type, second.type, "input1->type", "input2->type")
    if first.type in ("INT8", "INT16"):
        evaluate = _quantized(node, check)
    elif first.type == "INT32":
        low, high = activation_range.int32(node.options.fused_activation_function)

        def function(x: Array, y: Array) -> Array:
            clamped: Array = np.clip(x * y, low, high)
            return clamped

        evaluate = broadcast.elementwise(node, function)
    elif first.type == "FLOAT32":
        evaluate = real(node, np.multiply)
    else:
        return FailsAtInvoke(node, f"Type {named(first.type)} not supported.")
    same_types(node)
    return evaluate


def _quantized(node: Node, check: Checks) -> Eval:
    first, second, output = node.input(0), node.input(1), node.output()
    if output.type not in ("INT8", "INT16"):
        same_types(node)  # TFLM prepares nothing for it, and runs
    low, high = activation_range.quantized(node, node.options.fused_activation_function, output)
    with np.errstate(all="ignore"):
        factor = np.float64(first.scale) * np.float64(second.scale) / np.float64(output.scale)
    scales.finite(node, factor)
    multiplier, shift = quantize_multiplier(float(factor))
    if first.type == "INT16":
        for text, tensor in (("input1", first), ("input2", second), ("output", output)):
            check.equal(tensor.zero_point, 0, f"data->{text}_zero_point", "0")
    shape, dtype, zero_point = broadcast.output_shape(node, 0, 1), output.dtype, output.zero_point
    offsets = np.int32(first.zero_point), np.int32(second.zero_point)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, y = (value - offset for value, offset in zip(inputs, offsets, strict=True))
        products = (x * y).reshape(-1)
        out = np.empty(products.shape, dtype)
        compiled.rescale(products, 0, multiplier, shift, zero_point, low, high, out)
        return [out.reshape(shape)]

    return evaluate
