"""QuantizeMultiplierSmallerThanOneExp, which aborts where it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.fixedpoint import quantize_multiplier
from pyref.operators.checks import aborts

if TYPE_CHECKING:
    from pyref.node import Node


def small_multiplier(node: Node, real: float) -> tuple[int, int]:
    """Q31 multiplier and shift of a factor in (0, 1): quantization_util.cc of that name.

    Refuses any other factor: TFLM checks with TFLITE_CHECK, which stops the program.
    """
    if not real < 1.0:
        aborts(node, f"TFLITE_CHECK_LT(double_multiplier, 1.) of {real:g}")
    if not real > 0.0:
        aborts(node, f"TFLITE_CHECK_GT(double_multiplier, 0.) of {real:g}")
    multiplier, shift = quantize_multiplier(real)
    if shift > 0:
        aborts(node, f"TFLITE_CHECK_LE(shift, 0) of {real:g}")
    return multiplier, shift
