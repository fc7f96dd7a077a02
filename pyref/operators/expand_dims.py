"""EXPAND_DIMS: micro/kernels/expand_dims.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import TYPE_CODES, Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The same values with one more dimension of 1; int8, int16, float32."""
    checks = Checks(node, "expand_dims.cc")
    checks.counts(2, 1)
    source, axis_tensor, output = node.input(0), node.input(1), node.output()
    checks.message(axis_tensor.is_constant, "Non-constant >axis< tensor is not supported")
    if len(axis_tensor.shape) > 1:
        node.refuse("Axis has only one element for Expand_Dims.")
    if axis_tensor.type != "INT32":
        node.refuse(f"Axis type {named(axis_tensor.type)} not supported by Expand_Dims.")
    assert axis_tensor.data is not None
    rank = len(source.shape)
    axis = int(axis_tensor.data.reshape(-1)[0])
    axis += rank + 1 if axis < 0 else 0
    checks.true(axis <= rank, "axis_value <= input_shape.DimensionsCount()")
    checks.true(
        len(output.shape) == rank + 1,
        "output_shape.DimensionsCount() == input_shape.DimensionsCount() + 1",
    )
    for i, size in enumerate(output.shape):
        if i == axis:
            checks.true(size == 1, "output_shape.Dims(i) == 1")
        elif i < axis:
            checks.true(size == source.shape[i], "output_shape.Dims(i) == input_shape.Dims(i)")
        else:
            text = "output_shape.Dims(i) == input_shape.Dims(i - 1)"
            checks.true(size == source.shape[i - 1], text)
    if source.type not in ("FLOAT32", "INT16", "INT8"):
        return FailsAtInvoke(
            node,
            "Expand_Dims only currently supports int8, int16 and float32, got "
            f"{TYPE_CODES.get(source.type, 0)}.",
        )
    if output.type != source.type:
        node.refuse(f"EXPAND_DIMS: {source.type} to {output.type}, unchecked in TFLM")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [inputs[0].reshape(output.shape)]

    return evaluate
