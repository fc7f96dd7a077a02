"""LOG_SOFTMAX: micro/kernels/log_softmax.cc, reference/log_softmax.h. int8 and float32."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import (
    INT32_MIN,
    multiply_by_quantized_multiplier,
    quantize_multiplier,
    rounding_divide_by_pot,
    wrap_int32,
)
from pyref.fixedpoint_math import exp_on_negative_values, log_x_for_x_at_least_1
from pyref.operators.checks import Checks, FailsAtInvoke, aborts
from pyref.operators.int16_lookup import exp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

_INPUT_BITS, _SUM_BITS, _OUTPUT_BITS = 5, 12, 4


def prepare(node: Node) -> Eval:
    """LogSoftmaxPrepare and LogSoftmaxEval."""
    check = Checks(node, "log_softmax.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    check.types(source.type, output.type, "input->type", "output->type")
    check.true(source.shape == output.shape, "HaveSameShapes(input, output)")
    if not source.shape:
        node.refuse("LOG_SOFTMAX: a scalar has no last dimension; TFLM reads beyond its shape")
    if source.type == "INT8":
        check.true(output.scale == np.float32(1 / 16), "output->params.scale == kOutputScale")
        check.true(output.zero_point == 127, "output->params.zero_point == kOutputZeroPoint")
        return _int8(node, source)
    if source.type != "FLOAT32":
        return FailsAtInvoke(node, f"LOG_SOFTMAX only supports float32, int8, got {source.type}.")
    return _real


def _real(inputs: Sequence[Any]) -> Sequence[Array]:
    """float32: the sum is taken in order, as TFLM's."""
    x = inputs[0]
    shifted = x - x.max(axis=-1, keepdims=True)
    sums = np.cumsum(exp(shifted), axis=-1, dtype=np.float32)[..., -1:]
    return [shifted - np.log(sums.astype(np.float64)).astype(np.float32)]


def _int8(node: Node, source: Tensor) -> Eval:
    """LogSoftmaxQuantized."""
    real = min(float(source.scale) * 2.0 ** (31 - _INPUT_BITS), 2.0**31 - 1)
    if not real > 1:
        aborts(node, f"QuantizeMultiplierGreaterThanOne's check of {real} > 1")
    multiplier, shift = quantize_multiplier(real)
    reverse = 2.0 ** (31 - shift) / multiplier
    if not reverse < 1:
        aborts(node, f"QuantizeMultiplierSmallerThanOneExp's check of {reverse} < 1")
    reverse_multiplier = quantize_multiplier(reverse)
    radius = math.floor((2**_INPUT_BITS - 1) * 2.0 ** (31 - _INPUT_BITS) / 2.0**shift)
    difference = -np.arange(256)
    scaled = multiply_by_quantized_multiplier(difference, multiplier, shift)
    exps = np.where(difference >= -radius, exp_on_negative_values(scaled, _INPUT_BITS), 0)
    addends = rounding_divide_by_pot(exps, _SUM_BITS)
    shape = source.shape

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        rows = inputs[0].reshape(-1, shape[-1]).astype(np.intp)
        below_max = rows.max(axis=1, keepdims=True) - rows
        sums = wrap_int32(addends[below_max].sum(axis=1, keepdims=True))
        log_sums = log_x_for_x_at_least_1(sums, _SUM_BITS, _INPUT_BITS)
        smallest = multiply_by_quantized_multiplier(
            wrap_int32(log_sums + INT32_MIN), *reverse_multiplier
        )
        counts = -below_max > np.maximum(-radius - 1, smallest)
        value = rounding_divide_by_pot(
            wrap_int32(scaled[below_max] - log_sums), 31 - _INPUT_BITS - _OUTPUT_BITS
        )
        value = np.where(counts, np.clip(value + 127, -128, 127), -128)
        return [value.astype(np.int8).reshape(shape)]

    return evaluate
