"""FLOOR_MOD: micro/kernels/floor_mod.cc, reference/floor_mod.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators.broadcast import elementwise
from pyref.operators.floor_div import check_float_pair

if TYPE_CHECKING:
    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """x - floor(x / y) * y by way of fmod; float32. Division by zero gives NaN."""
    return check_float_pair(node, "floor_mod.cc") or elementwise(node, _floor_mod)


def _floor_mod(x: Array, y: Array) -> Array:
    with np.errstate(all="ignore"):
        rest = np.fmod(x, y)
        result: Array = np.where((rest != 0) & ((y < 0) != (rest < 0)), rest + y, rest)
    return result
