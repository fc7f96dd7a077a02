"""L2_NORMALIZATION: micro/kernels/l2norm.cc, reference and integer_ops/l2normalization.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import multiply_by_quantized_multiplier, saturate, wrap_int32
from pyref.fixedpoint_math import inverse_square_root
from pyref.operators.checks import Checks, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Each row of channels divided by its Euclidean norm; float32, int8.

    int8 results have scale 1/128 and zero point 0, whatever the output tensor says.
    """
    checks = Checks(node, "l2norm.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.true(len(source.shape) <= 4, "NumDimensions(input) <= 4")
    checks.true(
        output.type in ("FLOAT32", "INT8"),
        "output->type == kTfLiteFloat32 || output->type == kTfLiteInt8",
    )
    checks.types(source.type, output.type, "input->type", "output->type")
    checks.equal(node.options.fused_activation_function, 0, "params->activation", "kTfLiteActNone")
    same_size(node, source, output)
    if not source.shape:
        node.refuse("L2_NORMALIZATION: a scalar has no channels; undefined in TFLM")
    zero_point, shape = source.zero_point, output.shape

    def evaluate_float(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        # Summed in order, as TFLM does; numpy's sum would add in pairs.
        squares = np.add.accumulate(x * x, axis=-1)[..., -1:]
        norm = np.maximum(np.sqrt(squares), np.float32(1e-6))
        return [(x / norm).reshape(shape)]

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0].astype(np.int64) - zero_point
        squares = wrap_int32((x * x).sum(axis=-1, keepdims=True))
        multiplier, shift = inverse_square_root(squares)
        scaled = multiply_by_quantized_multiplier(x, multiplier, shift + 7)
        return [saturate(scaled, output.dtype).reshape(shape)]

    return evaluate if output.type == "INT8" else evaluate_float
