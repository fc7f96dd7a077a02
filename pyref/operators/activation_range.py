"""Fused activations as clamps: kernels/kernel_util.cc and .h of TFLM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import INT32_MAX, INT32_MIN, round_half_away
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from pyref.model import Tensor
    from pyref.node import Node

#: ActivationFunctionType of the schema; TANH (4) and SIGN_BIT (5) clamp nothing in TFLM.
NONE, RELU, RELU_N1_TO_1, RELU6 = range(4)

_LIMITS = {RELU: (0.0, None), RELU_N1_TO_1: (-1.0, 1.0), RELU6: (0.0, 6.0)}
_RANGES = {"UINT8": (0, 255), "INT8": (-128, 127), "INT16": (-(2**15), 2**15 - 1)}


def quantized(node: Node, activation: int, output: Tensor) -> tuple[int, int]:
    """Smallest and largest output value: `CalculateActivationRangeQuantized`.

    Args:
        node: the operator, for its refusal.
        activation: ActivationFunctionType.
        output: the tensor whose scale and zero point count.
    """
    check = Checks(node, "kernel_util.cc")
    check.true(output.type in _RANGES, "false")
    lowest, highest = _RANGES[output.type]
    low, high = _LIMITS.get(activation, (None, None))
    if low is not None:
        lowest = max(lowest, _quantize(check, output, low))
    if high is not None:
        highest = min(highest, _quantize(check, output, high))
    return lowest, highest


def _quantize(check: Checks, output: Tensor, value: float) -> int:
    """`Quantize` of kernel_util.cc: in float32, refusing what int32 cannot hold."""
    with np.errstate(all="ignore"):
        steps = np.float32(value) / np.float32(output.scale)
    fits = bool(np.isfinite(steps)) and INT32_MIN <= round_half_away(float(steps)) <= INT32_MAX
    check.true(fits, "no_integer_overflow_from_quantization")
    return output.zero_point + round_half_away(float(steps))


def real(activation: int) -> tuple[np.float32, np.float32]:
    """Smallest and largest float32 output: `CalculateActivationRange`."""
    low, high = _LIMITS.get(activation, (None, None))
    info = np.finfo(np.float32)
    return (
        info.min if low is None else np.float32(low),
        info.max if high is None else np.float32(high),
    )


def int32(activation: int) -> tuple[np.int32, np.int32]:
    """Smallest and largest int32 output: `CalculateActivationRange`."""
    low, high = _LIMITS.get(activation, (None, None))
    return (
        np.int32(INT32_MIN if low is None else low),
        np.int32(INT32_MAX if high is None else high),
    )
