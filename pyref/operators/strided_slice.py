"""STRIDED_SLICE: micro/kernels/strided_slice.cc, strided_slice_common.cc, strided_slice_logic.h.

float32, int8, int16, int32, bool; rank 1 to 4. TFLM takes ellipsis_mask, new_axis_mask and
`offset` as 0 without a word and would slice elsewhere than the file says, so they are refused.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, int32_values, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_TYPES = ("FLOAT32", "INT8", "INT16", "INT32", "BOOL")


def prepare(node: Node) -> Eval:
    """StridedSlicePrepare, CheckOutputSize and StridedSliceEval."""
    check = Checks(node, "strided_slice_common.cc")
    check.counts(4, 1)
    source, output, options = node.input(0), node.output(), node.options
    rank = len(source.shape)
    check.message(rank <= 4, "input dim should not exceed 4")
    for i, name in enumerate(("begin", "end", "strides"), start=1):
        check.message(node.input(i).is_constant, f"Non-constant >{name}< tensor is not supported")
    begins, ends, strides = (int32_values(node, node.input(i), rank) for i in (1, 2, 3))
    slices: list[slice] = []
    sizes: list[int] = []
    for axis, (begin, end, stride) in enumerate(zip(begins, ends, strides, strict=True)):
        check.message(stride != 0, "stride value has to be non-zero")
        masks = tuple(
            bool(mask >> axis & 1)
            for mask in (options.begin_mask, options.end_mask, options.shrink_axis_mask)
        )
        start, stop = _range(begin, end, stride, source.shape[axis], masks)
        size = max(math.ceil(float(np.float32(stop - start) / np.float32(stride))), 0)
        if not masks[2]:
            wanted = output.shape[len(sizes)] if len(sizes) < len(output.shape) else None
            check.equal(wanted, size, "output_shape->data[shape_size]", "dim_shape")
            sizes.append(size)
        slices.append(slice(start, None if stop < 0 else stop, stride))
    check.equal(len(output.shape), len(sizes), "output_shape->size", "shape_size")
    for name in ("ellipsis_mask", "new_axis_mask", "offset"):
        if getattr(options, name, 0):
            node.refuse(f"STRIDED_SLICE: {name} is not 0; TFLM takes it for 0 and slices elsewhere")
    if output.type not in _TYPES:
        return FailsAtInvoke(node, f"Type {named(source.type)} not supported.")
    where, shape = tuple(slices), output.shape
    kept = int(
        np.prod([len(range(*s.indices(n))) for s, n in zip(slices, source.shape, strict=True)])
    )
    if kept != output.size:
        node.refuse("STRIDED_SLICE: a shrunk axis begins outside the input; TFLM writes nothing")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.ascontiguousarray(inputs[0][where]).reshape(shape)]

    return evaluate


def _range(
    begin: int, end: int, stride: int, size: int, masks: tuple[bool, ...]
) -> tuple[int, int]:
    """`StartForAxis` and `StopForAxis`: where an axis starts and stops."""
    if size == 0:
        return 0, 0
    begin_mask, end_mask, shrink = masks
    lowest, highest = (0, size) if stride > 0 else (-1, size - 1)
    if begin_mask:
        start = 0 if stride > 0 else size - 1
    else:
        start = min(max(begin + size if begin < 0 else begin, lowest), highest)
    if shrink:
        return start, start + 1
    if end_mask:
        return start, size if stride > 0 else -1
    return start, min(max(end + size if end < 0 else end, lowest), highest)
