"""FILL: micro/kernels/fill.cc, reference/fill.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import TYPE_CODES, Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """A tensor of one value; float32, int32, int8."""
    checks = Checks(node, "fill.cc")
    dims, value, output = node.input(0), node.input(1), node.output()
    checks.equal(len(value.shape), 0, "NumDimensions(value)", "0")
    checks.equal(value.type, output.type, "value->type", "output->type")
    checks.message(dims.is_constant, "Non-constant >dims< tensor is not supported")
    assert dims.data is not None
    checks.equal(len(dims.shape), 1, "NumDimensions(tensor)", "1")
    checks.equal(len(output.shape), dims.shape[0], "array->size", "tensor_len")
    if dims.type not in ("INT8", "INT16", "INT32", "INT64"):
        code = TYPE_CODES.get(dims.type, 0)
        node.refuse(f"cannot compare int array to tensor of type {code}.")
    for a, b in zip(output.shape, dims.data, strict=True):
        checks.equal(a, int(b), "array->data[i]", "GetTensorData<T>(tensor)[i]")
    if value.type not in ("FLOAT32", "INT32", "INT8"):
        # TFLM goes on ", got" and prints the address of the type's name.
        return FailsAtInvoke(node, "Fill only currently supports float32 for input 1")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.full(output.shape, inputs[1].reshape(()), output.dtype)]

    return evaluate
