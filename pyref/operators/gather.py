"""GATHER: micro/kernels/gather.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.stored_shape import stored_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Slices along an axis by int32 positions, with batch dimensions; float32, int8.

    TFLM asserts the positions' range in debug builds only; outside it, this refuses.
    """
    checks = Checks(node, "gather.cc")
    checks.counts(2, 1)
    source, coords = node.input(0), node.input(1)
    if coords.type != "INT32":
        node.refuse(f"Positions of type '{coords.type}' are not supported by gather.")
    if source.type not in ("FLOAT32", "INT8"):
        node.refuse(f"Type '{source.type}' is not supported by gather.")
    rank = len(source.shape)
    axis = node.options.axis
    axis += rank if axis < 0 else 0
    checks.true(0 <= axis < rank, "0 <= axis && axis < NumDimensions(input)")
    batch_dims = node.options.batch_dims
    batch_dims += len(coords.shape) if batch_dims < 0 else 0
    checks.true(batch_dims <= axis, "batch_dims <= axis")
    checks.true(0 <= batch_dims < rank, "0 <= batch_dims && batch_dims < NumDimensions(input)")
    checks.true(batch_dims <= len(coords.shape), "batch_dims <= NumDimensions(coords)")
    for i in range(batch_dims):
        checks.equal(
            source.shape[i], coords.shape[i], "input->dims->data[i]", "coords->dims->data[i]"
        )
    if node.output().type != source.type:
        node.refuse(f"GATHER: {source.type} to {node.output().type}, unchecked in TFLM")
    shape = stored_as(
        node, (*source.shape[:axis], *coords.shape[batch_dims:], *source.shape[axis + 1 :])
    )

    def product(sizes: tuple[int, ...]) -> int:
        return int(np.prod(sizes, dtype=np.int64))

    size = source.shape[axis]
    batch = product(source.shape[:batch_dims])
    outer = product(source.shape[batch_dims:axis])
    inner = product(source.shape[axis + 1 :])

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        positions = inputs[1].reshape(batch, 1, -1)
        if positions.size and (positions.min() < 0 or positions.max() >= size):
            node.refuse(
                f"GATHER: a position is outside [0, {size - 1}]; undefined in TFLM",
                phase="invoke",
            )
        table = inputs[0].reshape(batch, outer, size, inner)
        n, k = np.arange(batch)[:, None, None], np.arange(outer)[None, :, None]
        return [table[n, k, positions].reshape(shape)]

    return evaluate
