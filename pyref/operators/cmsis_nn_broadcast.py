"""Broadcasting as CMSIS-NN's arm_maximum_s8 and arm_minimum_s8 do it.

Their pointers step through rows by rules of their own, which agree with broadcasting only
where one input is the smaller in every dimension that differs. Here the same steps are made
with indices, once in Prepare.

Source: CMSIS-NN Source/BasicMathFunctions/arm_maximum_s8.c.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.broadcast import output_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

    Indices = NDArray[np.int64]


def elementwise_s8(node: Node, function: Callable[[Any, Any], Array]) -> Eval:
    """An evaluation of a symmetric function of two int8 inputs."""
    shape = output_shape(node, 0, 1)
    shapes = [_four(node, node.input(i).shape) for i in (0, 1)]
    if shapes[0] == shapes[1]:
        return lambda inputs: [
            function(inputs[0].reshape(-1), inputs[1].reshape(-1)).reshape(shape)
        ]
    first, second = _walk(shapes[0], shapes[1], _four(node, shape))
    for indices, s in ((first, shapes[0]), (second, shapes[1])):
        if indices.size != node.output().size or indices.min() < 0 or indices.max() >= np.prod(s):
            node.refuse(
                f"{node.operator.op}: CMSIS-NN goes beyond its tensors for {list(shapes[0])} "
                f"and {list(shapes[1])}"
            )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, y = inputs[0].reshape(-1)[first], inputs[1].reshape(-1)[second]
        return [function(x, y).reshape(shape)]

    return evaluate


def _four(node: Node, shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) > 4:
        node.refuse(f"{node.operator.op}: CMSIS-NN takes at most 4 dimensions, not {list(shape)}")
    return (1,) * (4 - len(shape)) + shape


def _walk(a: tuple[int, ...], b: tuple[int, ...], out: tuple[int, ...]) -> tuple[Indices, Indices]:
    """Indices into both inputs, in the order in which CMSIS-NN writes the output."""
    total = [int(np.prod(s)) for s in (a, b)]
    if 1 in total:
        return _run(0, total[0], total[1]), _run(0, total[1], total[0])
    # What a row's end does to each pointer: back to the row's start where the input has one
    # column only; then back to the first row where it has one row only.
    width = (0 if a[2] >= b[2] else a[3], 0 if b[2] >= a[2] else b[3])
    height = (
        width[0] if a[1] >= b[1] else -a[2] * (a[3] - width[0]),
        width[1] if b[1] >= a[1] else -b[2] * (b[3] - width[1]),
    )
    batch = (total[0] // a[0] if a[0] >= b[0] else 0, total[1] // b[0] if b[0] >= a[0] else 0)
    indices: tuple[list[Indices], list[Indices]] = ([], [])

    def take(at: list[int], sizes: tuple[int, int], advance: tuple[int, int]) -> None:
        for k in (0, 1):
            indices[k].append(_run(at[k], sizes[k], sizes[1 - k]))
            at[k] += advance[k]

    for n in range(out[0]):
        at = [n * batch[0], n * batch[1]]
        sizes = total[0] // a[0], total[1] // b[0]
        if a[1:] == b[1:] or 1 in sizes:
            take(at, sizes, sizes)
            continue
        rows = a[2] * a[3], b[2] * b[3]
        for _ in range(out[1]):
            if a[2:] == b[2:] or 1 in rows:
                take(at, rows, rows)
            else:
                for _ in range(out[2]):
                    take(at, (a[3], b[3]), (a[3], b[3]))
                    at[0] -= width[0]
                    at[1] -= width[1]
            at[0] += height[0]
            at[1] += height[1]
    return np.concatenate(indices[0]), np.concatenate(indices[1])


def _run(start: int, size: int, other: int) -> Indices:
    """`size` consecutive indices, or one repeated to match `other`."""
    if size == 1:
        return np.full(max(other, 1), start, np.int64)
    return np.arange(start, start + size, dtype=np.int64)
