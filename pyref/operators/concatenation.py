"""CONCATENATION: micro/kernels/concatenation.cc.

float32, int8, int16, int32, int64, bool; up to 10 inputs. int8 scales and zero points must equal
the output's; int16 scales are not compared, so unequal ones are copied unscaled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators import activation_range
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "INT64", "BOOL")


def prepare(node: Node) -> Eval:
    """ConcatenationPrepare."""
    check = Checks(node, "concatenation.cc")
    first, output, options = node.input(0), node.output(), node.options
    check.equal(
        options.fused_activation_function,
        activation_range.NONE,
        "params->activation",
        "kTfLiteActNone",
    )
    check.true(
        first.type in _TYPES,
        "input_type == kTfLiteFloat32 || input_type == kTfLiteInt8 || input_type == "
        "kTfLiteInt16 || input_type == kTfLiteInt32 || input_type == kTfLiteInt64 || "
        "input_type == kTfLiteBool",
    )
    check.types(output.type, first.type, "output_type", "input_type")
    count = len(node.operator.inputs)
    check.true(count <= 10, "num_inputs <= kMaxInputNum")
    for i in range(count):
        source = node.input(i)
        check.types(source.type, first.type, "input->type", "input_type")
        rank = len(source.shape)
        if rank > 6:
            node.refuse(
                "Op Concatenation does not currently support num dimensions > 6 "
                f"Tensor has {rank} dimensions."
            )
        if first.type == "INT8":
            if source.scale != output.scale:  # TFLM prints doubles with %d, so no values here
                node.refuse(
                    "concatenation.cc static_cast<double>(input->params.scale) != "
                    "static_cast<double>(output_tensor->params.scale)"
                )
            check.equal(
                source.zero_point,
                output.zero_point,
                "input->params.zero_point",
                "output_tensor->params.zero_point",
            )
        elif first.type == "INT16":
            check.equal(source.zero_point, 0, "input->params.zero_point", "0")
    if first.type == "INT16":
        check.equal(output.zero_point, 0, "output_tensor->params.zero_point", "0")
    axis = options.axis + len(output.shape) if options.axis < 0 else options.axis
    shape = output.shape
    shapes = [node.input(i).shape for i in range(count)]
    try:
        joined = np.concatenate([np.empty(s, np.int8) for s in shapes], axis=axis).shape
    except ValueError:
        joined = None
    if joined != shape:
        node.refuse(
            f"CONCATENATION: inputs {[list(s) for s in shapes]} do not fill {list(shape)} along "
            f"axis {options.axis}; TFLM would go beyond its tensors"
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.concatenate(inputs, axis=axis)]

    return evaluate
