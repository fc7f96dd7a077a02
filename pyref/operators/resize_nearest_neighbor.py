"""RESIZE_NEAREST_NEIGHBOR: micro/kernels and reference/resize_nearest_neighbor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import round_half_away_float32
from pyref.operators import resize
from pyref.operators.checks import FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The nearest pixel of [n, h, w, c]; float32, int8, int16."""
    _, (height, width) = resize.check(node, "resize_nearest_neighbor.cc")
    source, output = node.input(0), node.output()
    if output.type not in ("FLOAT32", "INT8", "INT16"):
        return FailsAtInvoke(node, f"Output tensor type {named(output.type)} not supported.")
    resize.check_shape(node, height, width)
    options = node.options
    corners, centers = bool(options.align_corners), bool(options.half_pixel_centers)
    rows = _nearest(source.shape[1], height, corners, centers)
    columns = _nearest(source.shape[2], width, corners, centers)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [inputs[0][:, rows[:, None], columns[None, :]]]

    return evaluate


def _nearest(size: int, out: int, corners: bool, centers: bool) -> NDArray[np.int64]:
    """GetNearestNeighbor, in float32."""
    f32 = np.float32
    scale = f32(size - 1) / f32(out - 1) if corners and out > 1 else f32(size) / f32(out)
    position = (np.arange(out, dtype=np.float32) + f32(0.5 if centers else 0)) * scale
    chosen = round_half_away_float32(position) if corners else np.floor(position)
    return np.clip(chosen.astype(np.int64), 0, size - 1)
