"""Quotients of scales as multipliers, where a scale may be 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pyref.fixedpoint import quantize_multiplier

if TYPE_CHECKING:
    from pyref.node import Node


def factor(node: Node, numerator: Any, denominator: Any) -> tuple[int, int]:
    """`quantize_multiplier` of a quotient, divided in the type of its operands.

    Some kernels divide in double and some in float32 (`numpy.float32` here). Where a scale is 0
    (or a tensor has no quantisation), TFLM makes integers of an infinity or a NaN, which C leaves
    undefined; this refuses them.
    """
    if denominator == 0 or not math.isfinite(numerator / denominator):
        node.refuse(
            f"{node.operator.op}: scales give a factor of {numerator:g} / {denominator:g}; "
            "undefined in TFLM"
        )
    return quantize_multiplier(float(numerator / denominator))
