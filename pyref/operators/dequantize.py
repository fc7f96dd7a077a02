"""DEQUANTIZE: micro/kernels/dequantize.cc, dequantize_common.cc.

int8, int16 and uint8 to float32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """DequantizePrepare; the product is taken in double and rounded once."""
    check = Checks(node, "dequantize_common.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    check.true(
        source.type in ("INT8", "INT16", "UINT8"),
        "input->type == kTfLiteInt8 || input->type == kTfLiteInt16 || input->type == kTfLiteUInt8",
    )
    check.true(output.type == "FLOAT32", "output->type == kTfLiteFloat32")
    same_size(node, source, output)
    scale, zero_point, shape = np.float64(source.scale), source.zero_point, output.shape

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        real = scale * (inputs[0].astype(np.float64) - zero_point)
        return [real.astype(np.float32).reshape(shape)]

    return evaluate
