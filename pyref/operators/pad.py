"""PAD and PADV2: micro/kernels/pad.cc, pad_common.cc, reference/pad.h; cmsis_nn/pad.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, int32_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Adds constant borders; float32, int8, int16, int32, up to 5 dimensions.

    Without a constant the border is the output's zero point for int8 and 0 otherwise. The
    paddings are read as int32 whatever their type is, so that int64 ones look like zeros in
    part. A negative padding shortens the output, but does not crop: TFLM copies the input's
    values in order.

    CMSIS-NN's int8 kernel handles the last 4 dimensions only: of 5 it writes one block and
    leaves the rest (zeros here).
    """
    checks = Checks(node, "pad_common.cc")
    count = len(node.operator.inputs)
    checks.true(count in (2, 3), "NumInputs(node) == 2 || NumInputs(node) == 3")
    checks.equal(len(node.operator.outputs), 1, "NumOutputs(node)", "1")
    source, paddings, output = node.input(0), node.input(1), node.output()
    constant = node.input(2) if count == 3 else None
    checks.equal(source.type, output.type, "input->type", "output->type")
    rank = len(source.shape)
    checks.true(rank <= 5, "NumDimensions(input) <= reference_ops::PadKernelMaxDimensionCount()")
    if constant is not None:
        checks.equal(source.type, constant.type, "input->type", "constant_values->type")
        checks.equal(constant.size, 1, "NumElements(constant_values)", "1")
    checks.equal(
        paddings.size,
        len(output.shape) * 2,
        "GetTensorShape(paddings).FlatSize()",
        "output->dims->size * 2",
    )
    checks.message(paddings.is_constant, "Non-constant >paddings< tensor is not supported")
    if len(output.shape) != rank:
        node.refuse(f"{node.operator.op}: {list(source.shape)} to {list(output.shape)}")
    values = int32_values(node, paddings, 2 * rank)
    before, after = values[::2], values[1::2]
    for size, wanted, left, right in zip(source.shape, output.shape, before, after, strict=True):
        checks.equal(wanted, size + left + right, "output_dim", "expected_dim")
    if source.type == "INT8":
        _check_zero_point(node, checks)
    if source.type not in ("FLOAT32", "INT8", "INT16", "INT32"):
        return FailsAtInvoke(node, f"Type {source.type} not currently supported by Pad.")
    fill = output.zero_point if source.type == "INT8" else 0
    inside = tuple(
        slice(max(left, 0), size - max(right, 0))
        for left, right, size in zip(before, after, output.shape, strict=True)
    )
    crops = min(values, default=0) < 0
    one_block = node.kernels == "cmsis_nn" and source.type == "INT8" and rank == 5

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        value = fill if constant is None else inputs[2].reshape(-1)[0]
        result = np.full(output.shape, value, output.dtype)
        if crops:
            hole = result[inside]
            hole[...] = inputs[0].reshape(-1)[: hole.size].reshape(hole.shape)
        else:
            result[inside] = inputs[0]
        return [result]

    def evaluate_block(inputs: Sequence[Any]) -> Sequence[Array]:
        value = fill if constant is None else inputs[2].reshape(-1)[0]
        result = np.zeros(output.shape, output.dtype)
        result[0] = value
        result[0][inside[1:]] = inputs[0][0]
        return [result]

    return evaluate_block if one_block and not crops else evaluate


def _check_zero_point(node: Node, checks: Checks) -> None:
    output = node.output()
    constant = node.optional_input(2)
    if constant is None:
        text = "std::numeric_limits<int8_t>::"
        checks.true(output.zero_point >= -128, f"output->params.zero_point >= {text}min()")
        checks.true(output.zero_point <= 127, f"output->params.zero_point <= {text}max()")
        return
    checks.equal(
        output.zero_point,
        constant.zero_point,
        "output->params.zero_point",
        "constant_values->params.zero_point",
    )
    checks.equal(
        float(output.scale),
        float(constant.scale),
        "static_cast<double>(output->params.scale)",
        "static_cast<double>(constant_values->params.scale)",
    )
