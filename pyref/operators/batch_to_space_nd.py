"""BATCH_TO_SPACE_ND: micro/kernels/batch_to_space_nd.cc, reference/batch_to_space_nd.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators import space_batch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.node import Eval, Node


def prepare(node: Node) -> Eval:
    """Batches moved back into blocks of pixels; float32, int8; 3 or 4 dimensions.

    The stored output shape decides what is kept. Pixels that no input reaches are not written
    in TFLM; they are zeros here.
    """
    return space_batch.prepare(node, "batch_to_space_nd.cc", _rows)


def _rows(
    source: tuple[int, ...], output: tuple[int, ...], block: list[int], crops: list[int]
) -> NDArray[np.int64]:
    n, y, x = np.ogrid[: source[0], : source[1], : source[2]]
    to_y = y * block[0] + (n // output[0]) // block[1] - crops[0]
    to_x = x * block[1] + (n // output[0]) % block[1] - crops[2]
    to = (n % output[0] * output[1] + to_y) * output[2] + to_x
    inside = (to_y >= 0) & (to_y < output[1]) & (to_x >= 0) & (to_x < output[2])
    rows = np.full(output[0] * output[1] * output[2], -1, np.int64)
    rows[to[inside]] = np.arange(to.size).reshape(to.shape)[inside]  # the last one wins
    return rows
