"""SUB: micro/kernels/sub.cc, sub_common.cc.

int8, int16, int32 and float32, broadcast. Unlike ADD's, its factors are computed in float32, and
int32 is clamped by the activation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators import activation_range, broadcast
from pyref.operators.add import check_unquantized, left_shift, quantized, real, same_types
from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """SubPrepare and SubEval."""
    first, second, output = node.input(0), node.input(1), node.output()
    if output.type in ("INT8", "INT16"):
        with np.errstate(all="ignore"):
            twice_largest = np.float32(2) * max(first.scale, second.scale)
            reals = (
                first.scale / twice_largest,
                second.scale / twice_largest,
                twice_largest / (np.float32(1 << left_shift(output)) * output.scale),
            )
        evaluate = quantized(node, -1, reals)
    elif output.type == "FLOAT32":
        evaluate = real(node, np.subtract)
    elif output.type == "INT32":
        evaluate = _int32(node)
    else:
        return FailsAtInvoke(node, f"Type {named(output.type)} not supported.")
    same_types(node)
    return evaluate


def _int32(node: Node) -> Eval:
    check = Checks(node, "sub_common.cc")
    check_unquantized(check, node.input(0), node.input(1))
    check.equal(
        int(node.output().quantization is not None),
        0,
        "output->quantization.type",
        "kTfLiteNoQuantization",
    )
    low, high = activation_range.int32(node.options.fused_activation_function)

    def function(x: Array, y: Array) -> Array:
        clamped: Array = np.clip(x - y, low, high)
        return clamped

    return broadcast.elementwise(node, function)
