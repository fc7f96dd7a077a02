"""Quotients of scales as multipliers, where a scale may be 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pyref.fixedpoint import quantize_multiplier

if TYPE_CHECKING:
    from pyref.node import Node


def factor(node: Node, numerator: float, denominator: float) -> tuple[int, int]:
    """`quantize_multiplier` of a quotient of doubles.

    TFLM makes integers of an infinity or a NaN where a scale is 0 (or a tensor has no
    quantisation), which C leaves undefined; this refuses them.
    """
    if denominator == 0 or not math.isfinite(numerator / denominator):
        node.refuse(
            f"{node.operator.op}: scales give a factor of {numerator:g} / {denominator:g}; "
            "undefined in TFLM"
        )
    return quantize_multiplier(numerator / denominator)
