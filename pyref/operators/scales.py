"""What a missing or zero scale does to an operator's factors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pyref.node import Node


def finite(node: Node, *factors: Any) -> None:
    """Refuses factors that a division by a scale of 0 made infinite or not a number.

    QuantizeMultiplier converts such a factor to an integer, which C leaves undefined: x86-64
    happens to arrive at a multiplier of 0, a Cortex-M7 does not.
    """
    if not all(np.isfinite(factor).all() for factor in factors):
        node.refuse(
            f"{node.operator.op}: a scale is 0 or absent; what TFLM computes then is undefined"
        )
