"""ADD: micro/kernels/add.cc, add_common.cc.

int8, int16, int32 and float32, broadcast. int32 ignores the activation and wraps. Only the
output's type is looked at; inputs of another type, which TFLM would misread, are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import quantize_multipliers
from pyref.operators import activation_range, broadcast
from pyref.operators.checks import Checks, FailsAtInvoke, aborts, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """AddPrepare and AddEval."""
    first, second, output = node.input(0), node.input(1), node.output()
    if node.kernels == "cmsis_nn":
        _check_cmsis_nn(node)
    if output.type in ("INT8", "INT16"):
        # A TFLITE_CHECK that aborts in 2026-08, a refusal in later releases.
        unquantized = "output->quantization.type != kTfLiteNoQuantization"
        Checks(node, "add_common.cc").true(output.quantization is not None, unquantized)
        with np.errstate(all="ignore"):
            twice_largest = 2 * np.float64(max(first.scale, second.scale))
            reals = (
                np.float64(first.scale) / twice_largest,
                np.float64(second.scale) / twice_largest,
                twice_largest / ((1 << left_shift(output)) * np.float64(output.scale)),
            )
        evaluate = quantized(node, 1, reals)
    elif output.type == "FLOAT32":
        evaluate = real(node, np.add)
    elif output.type == "INT32":
        check_unquantized(Checks(node, "add_common.cc"), first, second)
        evaluate = broadcast.elementwise(node, np.add)
    else:
        return FailsAtInvoke(node, f"Type {named(output.type)} not supported.")
    same_types(node)
    return evaluate


def left_shift(output: Tensor) -> int:
    """How far inputs are shifted before they are scaled."""
    return 15 if output.type == "INT16" else 20


def same_types(node: Node) -> None:
    """Refuses inputs that TFLM would read as what they are not."""
    first, second, output = node.input(0), node.input(1), node.output()
    if not first.type == second.type == output.type:
        node.refuse(
            f"{node.operator.op}: inputs {first.type} and {second.type} with {output.type} "
            "output; TFLM would misread them"
        )


def check_unquantized(check: Checks, first: Tensor, second: Tensor) -> None:
    """An int32 sum takes no quantisation."""
    for i, tensor in enumerate((first, second), start=1):
        check.equal(
            int(tensor.quantization is not None),
            0,
            f"input{i}->quantization.type",
            "kTfLiteNoQuantization",
        )


def _check_cmsis_nn(node: Node) -> None:
    """PrepareAdd of cmsis_nn/add.cc."""
    check = Checks(node, "add.cc")
    first, second, output = node.input(0), node.input(1), node.output()
    check.equal(first.type, output.type, "input1->type", "output->type")
    check.message(
        first.type in ("FLOAT32", "INT32", "INT16", "INT8"), "Input data type not supported"
    )
    check.message(first.type == second.type, "Hybrid models are not supported on TFLite Micro.")
    if first.type == "INT16":
        check.equal(first.zero_point, 0, "input1->params.zero_point", "0")
        check.equal(second.zero_point, 0, "input2->params.zero_point", "0")
        check.equal(output.zero_point, 0, "output->params.zero_point", "0")


def quantized(node: Node, sign: int, reals: Sequence[np.floating[Any]]) -> Eval:
    """input 0 + `sign` * input 1 of int8 or int16.

    Args:
        node: the operator.
        sign: 1 or -1.
        reals: factors of input 0, input 1 and the output, as the kernel computes them.
    """
    first, second, output = node.input(0), node.input(1), node.output()
    for factor in reals:
        if not 0 < factor < 1:
            aborts(node, f"QuantizeMultiplierSmallerThanOneExp's check of 0 < {factor} < 1")
    multipliers, shifts = quantize_multipliers(float(factor) for factor in reals)
    offsets = np.array([-first.zero_point, -second.zero_point], np.int64)
    low, high = activation_range.quantized(node, node.options.fused_activation_function, output)
    shape, dtype, zero_point = broadcast.output_shape(node, 0, 1), output.dtype, output.zero_point
    left = left_shift(output)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, y = inputs[:2]  # TFLM does not look at their number
        if x.shape != y.shape:
            common = np.broadcast(x, y).shape
            x, y = np.broadcast_to(x, common), np.broadcast_to(y, common)
        out = np.empty(x.size, dtype)
        compiled.add(
            x.reshape(-1),
            y.reshape(-1),
            sign,
            offsets,
            left,
            multipliers,
            shifts,
            zero_point,
            low,
            high,
            out,
        )
        return [out.reshape(shape)]

    return evaluate


def real(node: Node, operation: Callable[[Array, Array], Array]) -> Eval:
    """A float32 operation, clamped by the activation."""
    low, high = activation_range.real(node.options.fused_activation_function)

    def function(x: Array, y: Array) -> Array:
        clamped: Array = np.clip(operation(x, y), low, high)
        return clamped

    return broadcast.elementwise(node, function)
