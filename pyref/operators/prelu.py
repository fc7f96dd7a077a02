"""PRELU: micro/kernels/prelu.cc, prelu_common.cc.

int8, int16 with int8 alpha, float32; broadcast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import quantize_multiplier
from pyref.operators import broadcast, scales, two_slopes
from pyref.operators.checks import Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """PreluPrepare and PreluEval."""
    check = Checks(node, "prelu_common.cc")
    source, alpha, output = node.input(0), node.input(1), node.output()
    if output.type == "INT16":
        check.true(alpha.type == "INT8", "alpha->type == kTfLiteInt8")
    if source.type not in ("FLOAT32", "INT8", "INT16"):
        return FailsAtInvoke(node, f"Input type '{source.type}' is not supported.")
    alpha_type = "FLOAT32" if source.type == "FLOAT32" else "INT8"
    if source.type != output.type or alpha.type != alpha_type:
        node.refuse(
            f"PRELU: {source.type} input with {alpha.type} alpha and {output.type} output; TFLM "
            "would misread them"
        )
    if source.type == "FLOAT32":
        return broadcast.elementwise(node, _real)
    return _quantized(node)


def _real(x: Array, alpha: Array) -> Array:
    result: Array = np.where(x >= 0, x, x * alpha)
    return result


def _quantized(node: Node) -> Eval:
    source, alpha, output = node.input(0), node.input(1), node.output()
    with np.errstate(all="ignore"):
        scale = np.float64(source.scale)
        identity = scale / np.float64(output.scale)
        slope = scale * np.float64(alpha.scale) / np.float64(output.scale)
    scales.finite(node, identity, slope)
    factors = quantize_multiplier(float(identity)), quantize_multiplier(float(slope))
    shape = broadcast.output_shape(node, 0, 1)
    zero_points = np.int32(source.zero_point), np.int32(alpha.zero_point)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, a = (v - z for v, z in zip(inputs[:2], zero_points, strict=True))
        x, product = np.broadcast_arrays(x, x * a)
        return [
            two_slopes.scale(x, product, factors, output.zero_point, output.dtype).reshape(shape)
        ]

    return evaluate
