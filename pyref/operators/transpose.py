"""TRANSPOSE: micro/kernels/transpose.cc, transpose_common.cc, cmsis_nn/transpose.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pyref.operators.checks import Checks, FailsAtInvoke, int32_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Permutes up to 5 dimensions; float32, int8, int16.

    TFLM checks the permutation's values, not that they differ, and reads by the stored output
    shape.

    CMSIS-NN's int8 kernel ignores the permutation of 1 and 2 dimensions: it copies a vector and
    always swaps a matrix. With 5 dimensions it fails, TFLM drops the error, and the output
    stays unwritten (zeros here).
    """
    checks = Checks(node, "transpose_common.cc")
    checks.counts(2, 1)
    source, perm_tensor, output = node.input(0), node.input(1), node.output()
    rank = len(source.shape)
    checks.message(rank <= 5, "Transpose op only supports 1D-5D input arrays.")
    checks.types(source.type, output.type, "op_context.input->type", "op_context.output->type")
    checks.message(perm_tensor.is_constant, "Non-constant >perm< tensor is not supported")
    checks.equal(len(perm_tensor.shape), 1, "NumDimensions(op_context.perm)", "1")
    checks.equal(perm_tensor.shape[0], rank, "op_context.perm->dims->data[0]", "dims")
    perm = int32_values(node, perm_tensor, rank)
    for axis in perm:
        checks.message(0 <= axis < rank, "Transpose op permutations array is out of bounds.")
    if source.type not in ("FLOAT32", "INT8", "INT16"):
        return FailsAtInvoke(
            node,
            f"Type {source.type} is currently not supported by Transpose. "
            "Only float32, int8 and int16 are supported",
        )
    if source.type == "INT8" and node.kernels == "cmsis_nn":
        if rank == 5:
            return lambda inputs: [np.zeros(output.shape, inputs[0].dtype)]
        if rank in (1, 2):
            perm = list(reversed(range(rank)))
            if output.size != source.size:
                node.refuse(f"TRANSPOSE: {list(source.shape)} to {list(output.shape)}")
            return lambda inputs: [
                np.ascontiguousarray(inputs[0].transpose(perm)).reshape(output.shape)
            ]
    if tuple(source.shape[axis] for axis in perm) == output.shape and len(set(perm)) == rank:
        return lambda inputs: [np.ascontiguousarray(inputs[0].transpose(perm))]
    return _by_strides(node, perm)


def _by_strides(node: Node, perm: list[int]) -> Eval:
    """Reading by the stored output shape where it is not the permuted input's."""
    source, output = node.input(0), node.output()
    strides = np.cumprod((1, *source.shape[:0:-1]))[::-1]
    chosen = [int(strides[axis]) for axis in perm]
    fits = len(output.shape) == len(perm)
    last = sum((n - 1) * s for n, s in zip(output.shape, chosen, strict=fits))
    if not fits or last >= source.size:
        node.refuse(
            f"TRANSPOSE: {list(source.shape)} by {perm} to {list(output.shape)}; TFLM would go "
            "beyond its tensors"
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = np.ascontiguousarray(inputs[0])
        steps = [s * x.itemsize for s in chosen]
        return [np.array(as_strided(x, output.shape, steps, writeable=False))]

    return evaluate
