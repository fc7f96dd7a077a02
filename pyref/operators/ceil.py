"""CEIL: micro/kernels/ceil.cc, reference/ceil.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators.same_shape import float_operator

if TYPE_CHECKING:
    from pyref.node import Eval, Node


def prepare(node: Node) -> Eval:
    """Smallest integer not below x; float32."""
    return float_operator(node, "ceil.cc", np.ceil)
