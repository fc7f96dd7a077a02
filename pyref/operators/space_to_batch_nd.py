"""SPACE_TO_BATCH_ND: micro/kernels/space_to_batch_nd.cc, reference/space_to_batch_nd.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators import space_batch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.node import Eval, Node


def prepare(node: Node) -> Eval:
    """Blocks of pixels moved into the batch; float32, int8; 3 or 4 dimensions.

    Two surprises of TFLM: the stored output shape decides how much is computed, even where
    it disagrees with block shape and paddings; and the padding's value is an unset field,
    0 in a fresh arena and here, not the zero point.
    """
    return space_batch.prepare(node, "space_to_batch_nd.cc", _rows)


def _rows(
    source: tuple[int, ...], output: tuple[int, ...], block: list[int], paddings: list[int]
) -> NDArray[np.int64]:
    batch, height, width, _ = source
    n, y, x = np.ogrid[: output[0], : output[1], : output[2]]
    from_y = y * block[0] + (n // batch) // block[1] - paddings[0]
    from_x = x * block[1] + (n // batch) % block[1] - paddings[2]
    rows = (n % batch * height + from_y) * width + from_x
    inside = (from_y >= 0) & (from_y < height) & (from_x >= 0) & (from_x < width)
    return np.where(inside, rows, -1).reshape(-1)
