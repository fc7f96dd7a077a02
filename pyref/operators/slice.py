"""SLICE: micro/kernels/slice.cc, reference/slice.h."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """A block given by begin and size (-1: to the end); float32, int32, int8, int16, bool.

    TFLM asserts types, ranks and bounds in debug builds only; what lies outside is refused.
    """
    Checks(node, "slice.cc").counts(3, 1)
    source, begin, size, output = node.input(0), node.input(1), node.input(2), node.output()
    if begin.type not in ("INT32", "INT64"):  # the message names the input's type in TFLM, too
        return FailsAtInvoke(node, f"Begin tensor type {named(source.type)} not supported.")
    if source.type not in ("FLOAT32", "INT32", "INT8", "INT16", "BOOL"):
        return FailsAtInvoke(node, f"Input tensor type {named(source.type)} not supported.")
    rank = len(source.shape)
    if (
        rank > 5
        or size.type != begin.type
        or output.type != source.type
        or (begin.size, size.size) != (rank, rank)
    ):
        node.refuse(
            f"SLICE: {source.type} {list(source.shape)} to {output.type} by {begin.type} "
            f"{list(begin.shape)} and {size.type} {list(size.shape)}, unchecked in TFLM"
        )

    def block(begins: Array, sizes: Array) -> tuple[builtins.slice, ...]:
        parts = []
        for start, count, dim in zip(
            begins.reshape(-1).tolist(), sizes.reshape(-1).tolist(), source.shape, strict=True
        ):
            stop = dim if count == -1 else start + count
            if not 0 <= start <= stop <= dim:
                node.refuse(
                    f"SLICE: begin {start}, size {count} of {dim}; TFLM would go beyond its tensor"
                )
            parts.append(builtins.slice(start, stop))
        kept = int(np.prod([p.stop - p.start for p in parts], dtype=np.int64))
        if kept != output.size:
            node.refuse(f"SLICE: {kept} values for an output of {list(output.shape)}")
        return tuple(parts)

    constants = begin.data, size.data
    known = None
    if constants[0] is not None and constants[1] is not None:
        known = block(constants[0], constants[1])

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        parts = block(inputs[1], inputs[2]) if known is None else known
        return [np.ascontiguousarray(inputs[0][parts]).reshape(output.shape)]

    return evaluate
