"""EXP: micro/kernels/exp.cc, reference/exp.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators.float_functions import through_double
from pyref.operators.same_shape import float_operator

if TYPE_CHECKING:
    from pyref.node import Eval, Node


def prepare(node: Node) -> Eval:
    """e to the power of x; float32."""
    return float_operator(node, "exp.cc", through_double(np.exp))
