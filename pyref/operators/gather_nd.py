"""GATHER_ND: micro/kernels/gather_nd.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.stored_shape import stored_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

MOST_INDICES = 5


def prepare(node: Node) -> Eval:
    """Slices by int32 index tuples; float32, int8.

    TFLM checks only where a slice starts and ends in the flat tensor, so that an index outside
    its own dimension can still be taken.
    """
    checks = Checks(node, "gather_nd.cc")
    checks.counts(2, 1)
    params, indices = node.input(0), node.input(1)
    if params.type not in ("FLOAT32", "INT8"):
        node.refuse(f"Params of type '{params.type}' are not supported by gather_nd.")
    if indices.type != "INT32":
        node.refuse(f"Indices of type '{indices.type}' are not supported by gather_nd.")
    rank = len(params.shape)
    if rank < 1:
        node.refuse("Params must be at least a vector.")
    if len(indices.shape) < 1:
        node.refuse("Indices must be at least a vector.")
    count = indices.shape[-1]
    if count > rank:
        node.refuse("Index innermost dimension length must be <= params rank.")
    if count > MOST_INDICES:
        node.refuse(f"Index innermost dimension length must not exceed {MOST_INDICES}.")
    shape = stored_as(node, (*indices.shape[:-1], *params.shape[count:]))
    strides = np.array(
        [int(np.prod(params.shape[i + 1 :], dtype=np.int64)) for i in range(count)], np.int64
    )
    slice_size = int(np.prod(params.shape[count:], dtype=np.int64))

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        starts = inputs[1].reshape(-1, count).astype(np.int64) @ strides
        if (starts < 0).any() or (starts + slice_size > params.size).any():
            node.refuse("gather_nd index out of bounds", phase="invoke")
        return [inputs[0].reshape(-1)[starts[:, None] + np.arange(slice_size)].reshape(shape)]

    return evaluate
