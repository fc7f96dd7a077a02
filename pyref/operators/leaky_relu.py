"""LEAKY_RELU: micro/kernels/leaky_relu.cc, leaky_relu_common.cc. int8, int16 and float32.

The factors are computed in float32; a negative alpha scales by its magnitude and negates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import quantize_multiplier
from pyref.operators import scales, two_slopes
from pyref.operators.checks import Checks, FailsAtInvoke, same_size
from pyref.operators.lookup import INT8_VALUES, by_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """LeakyReluPrepare and LeakyReluEval."""
    check = Checks(node, "leaky_relu_common.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    check.types(source.type, output.type, "input->type", "output->type")
    if source.type not in ("FLOAT32", "INT8", "INT16"):
        text = f"Only float32, int8 are supported by LEAKY_RELU, got {source.type}."
        return FailsAtInvoke(node, text)
    same_size(node, source, output)
    alpha, shape = np.float32(node.options.alpha), output.shape
    if source.type == "FLOAT32":
        return lambda inputs: [_real(inputs[0], alpha).reshape(shape)]
    with np.errstate(all="ignore"):
        identity = source.scale / output.scale
        slope = np.float32(source.scale * alpha) / output.scale
    scales.finite(node, identity, slope)
    factors = quantize_multiplier(float(identity)), quantize_multiplier(float(slope))
    zero_point = np.int32(source.zero_point)

    def apply(x: Array) -> Array:
        centred = x - zero_point
        return two_slopes.scale(centred, centred, factors, output.zero_point, output.dtype)

    if source.type == "INT8":
        return by_table(apply(INT8_VALUES.astype(np.int32)), shape)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [apply(inputs[0]).reshape(shape)]

    return evaluate


def _real(x: Array, alpha: np.float32) -> Array:
    result: Array = np.where(x > 0, x, x * alpha)
    return result
