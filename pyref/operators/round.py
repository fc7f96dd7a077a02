"""ROUND: micro/kernels/round.cc, reference/round.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators.same_shape import float_operator

if TYPE_CHECKING:
    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Nearest integer, halves to even; float32.

    Values between -0.5 and 0 give +0, where `numpy.rint` gives -0: TFLM adds 1 to the floor.
    """
    return float_operator(node, "round.cc", _round)


def _round(x: Array) -> Array:
    with np.errstate(invalid="ignore"):
        floor = np.floor(x)
        rest = x - floor
        down = (rest < np.float32(0.5)) | ((rest == np.float32(0.5)) & (np.fmod(floor, 2) == 0))
        result: Array = np.where(down, floor, floor + np.float32(1))
    return result
