"""RESIZE_BILINEAR: micro/kernels/resize_bilinear.cc, reference/resize_bilinear.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import divide_toward_zero
from pyref.operators import resize
from pyref.operators.checks import TYPE_CODES, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Bilinear interpolation of [n, h, w, c]; float32, int8 (10-bit weights).

    Where the rounded int8 step runs past the last pixel TFLM reads beyond the input; the last
    pixel is read here.
    """
    _, (height, width) = resize.check(node, "resize_bilinear.cc")
    options = node.options
    if options.half_pixel_centers and options.align_corners:
        node.refuse("If half_pixel_centers is True, align_corners must be False.")
    source, output = node.input(0), node.output()
    if output.type not in ("FLOAT32", "INT8"):
        code = TYPE_CODES.get(output.type, 0)
        return FailsAtInvoke(node, f"Output type is {code}, requires float or int8.")
    resize.check_shape(node, height, width)
    corners, centers = bool(options.align_corners), bool(options.half_pixel_centers)
    make = _integer_axis if output.type == "INT8" else _float_axis
    rows, columns = (
        make(source.shape[i], size, corners, centers) for i, size in ((1, height), (2, width))
    )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        from pyref import compiled_resize  # noqa: PLC0415 - imports numba

        result = np.empty(output.shape, output.dtype)
        loop = compiled_resize.bilinear if output.type == "INT8" else compiled_resize.real
        loop(np.ascontiguousarray(inputs[0]), rows, columns, result)
        return [result]

    return evaluate


def _integer_axis(
    size: int, out: int, corners: bool, centers: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Lower and upper pixel and the upper one's weight in 1024ths, for each output pixel."""
    scale = (1024 * size + out // 2) // out
    if corners and out > 1:
        scale = (1024 * (size - 1) + (out - 1) // 2) // (out - 1)
    position = np.arange(out, dtype=np.int64) * scale
    if centers:
        position += scale // 2 - 512
    lower = np.maximum(divide_toward_zero(position, 1024), 0)
    upper = np.minimum(divide_toward_zero(position + 1023, 1024), size - 1)
    weight = (position - 1024 * lower).astype(np.int32)
    return np.minimum(lower, size - 1), upper, weight


def _float_axis(
    size: int, out: int, corners: bool, centers: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    f32 = np.float32
    scale = f32(size) / f32(out)
    if corners and out > 1:
        scale = f32(size - 1) / f32(out - 1)
    position = np.arange(out, dtype=np.float32)
    position = (position + f32(0.5)) * scale - f32(0.5) if centers else position * scale
    lower = np.maximum(np.floor(position).astype(np.int64), 0)
    upper = np.minimum(np.ceil(position).astype(np.int64), size - 1)
    return np.minimum(lower, size - 1), upper, position - lower.astype(np.float32)
