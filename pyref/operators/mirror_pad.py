"""MIRROR_PAD: micro/kernels/mirror_pad.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

REFLECT = 0


def prepare(node: Node) -> Eval:
    """Pads by mirroring, with the edge (SYMMETRIC) or without (REFLECT); float32, int8.

    The stored output shape decides how much is computed. Paddings of a type other than int32
    and int64 count as zeros in TFLM.
    """
    checks = Checks(node, "mirror_pad.cc")
    source, paddings, output = node.input(0), node.input(1), node.output()
    rank = len(source.shape)
    checks.equal(len(paddings.shape), 2, "NumDimensions(padding_matrix)", "2")
    checks.equal(
        paddings.shape[0], rank, "SizeOfDimension(padding_matrix, 0)", "NumDimensions(input_tensor)"
    )
    offset = 1 if node.options.mode == REFLECT else 0
    if output.type not in ("FLOAT32", "INT8"):
        return FailsAtInvoke(node, f"MIRROR_PAD: type {output.type}; TFLM fails without a word")
    if source.type != output.type or len(output.shape) != rank or paddings.shape[1] != 2:
        node.refuse(
            f"MIRROR_PAD: {source.type} {list(source.shape)} to {output.type} "
            f"{list(output.shape)} by {list(paddings.shape)}, unchecked in TFLM"
        )
    counted = paddings.type in ("INT32", "INT64")

    def maps(values: Array) -> tuple[Any, ...]:
        pads = values.astype(np.int64) if counted else np.zeros((rank, 2), np.int64)
        rows = [
            _source_index(np.arange(output.shape[i]), int(pads[i, 0]), source.shape[i], offset)
            for i in range(rank)
        ]
        for row, size in zip(rows, source.shape, strict=True):
            if row.size and (row.min() < 0 or row.max() >= size):
                node.refuse(
                    f"MIRROR_PAD: {pads.tolist()} goes beyond {list(source.shape)}, undefined in "
                    "TFLM"
                )
        return np.ix_(*rows)

    known = None if paddings.data is None else maps(paddings.data)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        chosen = maps(inputs[1]) if known is None else known
        return [np.ascontiguousarray(inputs[0][chosen])]

    return evaluate


def _source_index(
    padded: NDArray[np.int64], left: int, size: int, offset: int
) -> NDArray[np.int64]:
    """GetInputDimension: where an output index of one dimension reads."""
    before = left + offset - 1 - np.minimum(padded, left - 1)
    inside = padded - left
    last = size - (1 + offset)
    after = last - np.minimum(inside - size, last)
    return np.where(padded < left, before, np.where(inside >= size, after, inside))
