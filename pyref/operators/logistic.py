"""LOGISTIC: micro/kernels/logistic.cc, logistic_common.cc. int8, int16 and float32."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pyref import fixedpoint_math
from pyref.fixedpoint import (
    multiply_by_quantized_multiplier,
    round_half_away,
    rounding_divide_by_pot,
)
from pyref.operators import sigmoid_table
from pyref.operators.checks import Checks, FailsAtInvoke, same_size
from pyref.operators.lookup import INT8_VALUES, by_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

_INTEGER_BITS = 4


def prepare(node: Node) -> Eval:
    """LogisticPrepare and LogisticEval."""
    check = Checks(node, "logistic_common.cc")
    source, output = node.input(0), node.output()
    check.types(source.type, output.type, "input->type", "output->type")
    shape = output.shape
    if source.type == "INT8":
        check.equal(
            output.zero_point,
            -128,
            "output->params.zero_point",
            "std::numeric_limits<int8_t>::min()",
        )
        same_size(node, source, output)
        return by_table(int8_table(source, _int8), shape)
    if source.type == "INT16":
        parameters = sigmoid_table.int16_parameters(check, source, output, (0,))
        same_size(node, source, output)
        return lambda inputs: [sigmoid_table.logistic(inputs[0], *parameters).reshape(shape)]
    if source.type != "FLOAT32":
        return FailsAtInvoke(node, f"Input {source.type}, output {output.type} not supported.")
    same_size(node, source, output)
    return lambda inputs: [_real(inputs[0]).reshape(shape)]


def int8_table(
    source: Tensor, function: Callable[[NDArray[np.int64]], NDArray[np.int64]]
) -> NDArray[np.int8]:
    """All 256 outputs of an int8 operator that works on Q of 4 integer bits.

    Beyond the input radius (CalculateInputRadius) the output is the smallest or largest int8.

    Args:
        source: the operator's input.
        function: raw Q of 4 integer bits to output values.
    """
    fraction, shift = math.frexp(float(source.scale) * 2.0 ** (31 - _INTEGER_BITS))
    multiplier = round_half_away(fraction * 2.0**31)
    radius = math.floor((2**_INTEGER_BITS - 1) * 2.0 ** (31 - _INTEGER_BITS) / 2.0**shift)
    x = INT8_VALUES - source.zero_point
    inside = np.clip(x, 1 - radius, max(radius - 1, 1 - radius))
    value = function(multiply_by_quantized_multiplier(inside, multiplier, shift))
    value = np.where(x >= radius, 127, np.clip(value, -128, 127))
    return np.where(x <= -radius, -128, value).astype(np.int8)


def _int8(x: NDArray[np.int64]) -> NDArray[np.int64]:
    return rounding_divide_by_pot(fixedpoint_math.logistic(x, _INTEGER_BITS), 23) - 128


def _real(x: Array) -> Array:
    """Logistic of reference/logistic.h: cut off above 16.6, the bare exponential below -9."""
    with np.errstate(all="ignore"):
        e = np.exp(-x.astype(np.float64)).astype(np.float32)
        low = np.exp(x.astype(np.float64)).astype(np.float32)
        middle = np.float32(1) / (np.float32(1) + e)
    result = np.where(x < np.float32(-9), low, middle)
    return np.where(x > np.float32(16.619047164916992188), np.float32(1), result)
