"""ADD_N: micro/kernels/add_n.cc, kernels/internal/reference/add_n.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import multiply_by_quantized_multiplier, saturate, wrap_int32
from pyref.operators.checks import Checks, same_size
from pyref.operators.lookup import index
from pyref.operators.sum_scaling import SumScaling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Sum of two or more tensors of one shape; float32 (added in order), int8.

    An int8 sum starts at the scaled negated zero point, not at 0, in TFLM: its comment calls
    that "x = 0".
    """
    checks = Checks(node, "add_n.cc")
    count = len(node.operator.inputs)
    checks.true(count >= 2, "num_inputs >= 2")
    checks.equal(len(node.operator.outputs), 1, "NumOutputs(node)", "1")
    first, output = node.input(0), node.output()
    checks.types(output.type, first.type, "output->type", "input_tensor_first->type")
    for i in range(1, count):
        tensor = node.input(i)
        checks.true(tensor.shape == first.shape, "HaveSameShapes(input_tensor_first, input)")
        checks.types(first.type, tensor.type, "input_tensor_first->type", "input->type")
        if first.type == "INT8":
            checks.true(
                first.zero_point == tensor.zero_point,
                "input_tensor_first->params.zero_point == input->params.zero_point",
            )
            checks.true(
                first.scale == tensor.scale,
                "input_tensor_first->params.scale == input->params.scale",
            )
    same_size(node, first, output)
    shape = output.shape
    if output.type == "FLOAT32":

        def evaluate_float(inputs: Sequence[Any]) -> Sequence[Array]:
            total = np.float32(0) + inputs[0]
            for x in inputs[1:]:
                total = total + x
            return [total.reshape(shape)]

        return evaluate_float
    if output.type != "INT8":
        node.refuse(f"ADD_N only supports FLOAT32 and INT8, got {output.type}.")
    scaling = SumScaling.of(node, first, output, left_shift=20)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        total = np.full(first.shape, scaling.start, np.int64)
        for x in inputs:
            total += scaling.table[index(x)]
        raw = multiply_by_quantized_multiplier(wrap_int32(total), scaling.multiplier, scaling.shift)
        return [saturate(raw + scaling.zero_point, output.dtype).reshape(shape)]

    return evaluate
