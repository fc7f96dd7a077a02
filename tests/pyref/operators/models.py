"""Short ways to describe the one-operator models of these tests."""

from __future__ import annotations

from typing import Any

from fixtures.writer import Model, Tensor, one_operator

Shape = tuple[int, ...]


def tensor(
    shape: Shape, kind: str = "INT8", scale: float | None = 0.05, zero_point: int = 0, **more: Any
) -> Tensor:
    """An activation; scale None, or FLOAT32, leaves quantisation out."""
    if scale is None or kind in ("FLOAT32", "BOOL"):
        return Tensor(shape, kind, **more)
    return Tensor(shape, kind, scale=scale, zero_point=zero_point, **more)


def unary(
    op: str,
    source: Tensor,
    output: Tensor | None = None,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> Model:
    """One input, one output; the output is like the input unless given."""
    if output is None:
        output = Tensor(source.shape, source.type, scale=source.scale, zero_point=source.zero_point)
    return one_operator(op, [source], [output], options, **more)


def binary(
    op: str,
    first: Shape,
    second: Shape,
    output: Shape,
    *,
    kind: str = "INT8",
    scales: tuple[float, float, float] | None = (0.1, 0.05, 0.07),
    zero_points: tuple[int, int, int] = (-3, 7, 5),
    activation: str = "NONE",
    **options: Any,
) -> Model:
    """Two inputs, one output."""
    shapes = (first, second, output)
    if kind in ("INT16", "INT32", "FLOAT32"):
        zero_points = (0, 0, 0) if kind == "INT16" else zero_points
        scales = None if kind != "INT16" else scales
    tensors = [
        tensor(shape, kind, None if scales is None else scales[i], zero_points[i])
        for i, shape in enumerate(shapes)
    ]
    options["fused_activation_function"] = activation
    return one_operator(op, tensors[:2], tensors[2:], options)
