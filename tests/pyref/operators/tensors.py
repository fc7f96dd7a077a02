"""Short descriptions of tensors and models of one operator."""

from __future__ import annotations

from typing import Any

import numpy as np

from fixtures.writer import Model, Tensor, one_operator


def fed(shape: Any, type_: str = "INT8", scale: float = 0.5, zero_point: int = 0) -> Tensor:
    """A tensor of the arena; 8- and 16-bit ones are quantised."""
    if type_ in ("INT8", "UINT8", "INT16"):
        return Tensor(list(shape), type_, scale=scale, zero_point=zero_point)
    return Tensor(list(shape), type_)


def plain(shape: Any, type_: str) -> Tensor:
    """A tensor of the arena without quantisation."""
    return Tensor(list(shape), type_)


def constant(values: Any, type_: str = "INT32", **more: Any) -> Tensor:
    """A constant."""
    dtype = {"FLOAT32": "float32", "BOOL": "bool"}.get(type_, type_.lower())
    return Tensor(data=np.array(values, dtype), type=type_, **more)


def unary(
    op: str, type_: str, shape: Any = (2, 3, 4), to: str | None = None, **options: Any
) -> Model:
    """An operator of one input, of the output's shape."""
    return one_operator(op, [fed(shape, type_)], [fed(shape, to or type_)], options or None)


def binary(
    op: str,
    type_: str,
    shapes: Any = ((2, 3, 4), (2, 3, 4)),
    *,
    to: str | None = None,
    scales: tuple[float, float, float] = (0.5, 0.25, 0.75),
    zero_points: tuple[int, int, int] = (3, -5, 7),
    options: Any = None,
) -> Model:
    """An operator of two inputs that broadcast."""
    if type_ == "INT16":
        zero_points = (0, 0, 0)
    shape = np.broadcast_shapes(*shapes)
    inputs: list[Tensor | None] = [
        fed(s, type_, scales[i], zero_points[i]) for i, s in enumerate(shapes)
    ]
    return one_operator(op, inputs, [fed(shape, to or type_, scales[2], zero_points[2])], options)


#: Shapes that broadcast, by what is special about them.
BROADCASTS = {
    "same": ((2, 3, 4), (2, 3, 4)),
    "scalar": ((2, 3, 4), ()),
    "one": ((1, 1), (2, 3)),
    "channel": ((1, 2, 2, 3), (3,)),
    "row": ((1, 2, 2, 3), (1, 2, 1, 1)),
    "both": ((2, 1, 3), (1, 2, 1)),
    "rank5": ((2, 1, 2, 1, 3), (1, 3, 1, 2, 1)),
}
