"""SOFTMAX: micro/kernels/softmax.cc, softmax_common.cc, reference/softmax.h.

int8 to int8 or int16, int16, float32; over the last dimension. CMSIS-NN differs in how the
int16 kernel treats a sum just below a power of two: it wraps where TFLM saturates.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled_softmax
from pyref.fixedpoint import (
    multiply_by_quantized_multiplier,
    quantize_multiplier,
    rounding_divide_by_pot,
    wrap_int32,
)
from pyref.fixedpoint_math import count_leading_zeros, exp_on_negative_values, get_reciprocal
from pyref.operators import int16_lookup
from pyref.operators.checks import Checks, aborts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

_DIFFERENCE_BITS = 5
_SUM_BITS = 12


def prepare(node: Node) -> Eval:
    """SoftmaxPrepare, CalculateSoftmaxParams and SoftmaxEval."""
    check = Checks(node, "softmax_common.cc")
    source, output = node.input(0), node.output()
    if node.kernels == "cmsis_nn":
        check = Checks(node, "softmax.cc")
    check.counts(1, 1)
    check.true(len(source.shape) >= 1, "NumDimensions(input) >= 1")
    if node.kernels == "cmsis_nn":
        check.message(
            source.type == output.type or (source.type, output.type) == ("INT8", "INT16"),
            "Input and output data types are not supported together.",
        )
        check.message(source.type in ("FLOAT32", "INT16", "INT8"), "Input data type not supported")
        check = Checks(node, "softmax_common.cc")
    if output.type == "INT16":
        check.true(
            source.type in ("INT8", "INT16"),
            "input->type == kTfLiteInt8 || input->type == kTfLiteInt16",
        )
    else:
        check.equal(source.type, output.type, "input->type", "output->type")
    if source.shape != output.shape:
        node.refuse(
            f"SOFTMAX: input {list(source.shape)} and output {list(output.shape)} differ; TFLM "
            "would go beyond its tensors"
        )
    beta = float(node.options.beta)
    if source.type == "INT16":
        _near(check, output, 1 / 32768, zero_point=0, source=source)
        return _int16(source, output, beta, wraps=node.kernels == "cmsis_nn")
    if source.type == "INT8":
        if output.type == "INT16":
            _near(check, output, 1 / 65536, zero_point=-32768)
        else:
            check.types(output.type, "INT8", "output->type", "kTfLiteInt8")
            check.equal(output.zero_point, -128, "output->params.zero_point", "-128")
            check.true(output.scale == 1 / 256, "output->params.scale == 1.f / 256")
        return _int8(node, source, output, beta)
    check.types(source.type, "FLOAT32", "input->type", "kTfLiteFloat32")
    return _real(beta)


def _near(
    check: Checks, output: Tensor, scale: float, *, zero_point: int, source: Tensor | None = None
) -> None:
    if source is not None:
        check.equal(output.zero_point, 0, "output->params.zero_point", "0")
        check.equal(source.zero_point, 0, "input->params.zero_point", "0")
    check.equal(output.zero_point, zero_point, "output->params.zero_point", str(zero_point))
    near = abs(np.float32(output.scale) - np.float32(scale)) <= np.float32(0.001) * np.float32(
        scale
    )
    text = f"1.f / {round(1 / scale)}"
    if not near:
        check.node.refuse(
            f"{check.file} output->params.scale not near {text} "
            f"({float(output.scale):f} != {scale:f})"
        )


def _int8(node: Node, source: Tensor, output: Tensor, beta: float) -> Eval:
    """Softmax of reference/softmax.h: all that depends on one difference stands in tables.

    The output, `shifted_scale * exp` rounded to the right, is what `rescale` computes with the
    row's scale as multiplier. Differences that do not count have an exponential of 0 there,
    which gives the smallest output, as TFLM's other branch does.
    """
    largest = 2.0**31 - 1
    factor = min(beta * float(source.scale) * 2.0 ** (31 - _DIFFERENCE_BITS), largest)
    if not factor > 1:
        aborts(node, f"QuantizeMultiplierGreaterThanOne's check of {factor} > 1")
    multiplier, shift = quantize_multiplier(factor)
    radius = math.floor((2**_DIFFERENCE_BITS - 1) * 2.0 ** (31 - _DIFFERENCE_BITS) / 2.0**shift)
    difference = -np.arange(256)
    scaled = multiply_by_quantized_multiplier(difference, multiplier, shift)
    exps = np.where(difference >= -radius, exp_on_negative_values(scaled, _DIFFERENCE_BITS), 0)
    addends = rounding_divide_by_pot(exps, _SUM_BITS)
    limits, dtype, shape = np.iinfo(output.dtype), output.dtype, output.shape
    low, high, output_bits = limits.min, limits.max, limits.bits

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        rows = inputs[0].reshape(-1, shape[-1])
        largest, totals = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        compiled_softmax.sums(rows, addends, largest, totals)
        scales, bits = get_reciprocal(totals, _SUM_BITS)
        exponents = bits + 31 - output_bits
        if exponents.max(initial=0) > 31:
            node.refuse("TFLITE_CHECK of exponent <= 31 fails and TFLM aborts", phase="invoke")
        out = np.empty(rows.shape, dtype)
        compiled_softmax.scaled(rows, largest, exps, scales, -exponents, low, high, out)
        return [out.reshape(shape)]

    return evaluate


def _int16(source: Tensor, output: Tensor, beta: float, *, wraps: bool) -> Eval:
    """SoftmaxInt16 of reference/softmax.h, with its two interpolated tables."""
    span = np.float32(65535)
    exp_table = int16_lookup.populate(
        np.float32(10) / span, 32767, np.float32(2) / span, 0, int16_lookup.exp
    )
    reciprocal_table = int16_lookup.populate(
        np.float32(1) / span, -32768, np.float32(2) / span, 0, _one_over_one_plus
    )
    multiplier, shift = quantize_multiplier(float(source.scale) * beta / (10.0 / 65535.0))
    shape = output.shape

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        rows = inputs[0].reshape(-1, shape[-1]).astype(np.int64)
        difference = rows - rows.max(axis=1, keepdims=True)
        scaled = multiply_by_quantized_multiplier(difference, multiplier, shift)
        exps = int16_lookup.look_up(exp_table, np.clip(scaled + 32767, -32768, 32767))
        sums = wrap_int32(exps.sum(axis=1, keepdims=True))
        headroom = count_leading_zeros(sums)
        shifted = ((sums << (headroom - 1)) + (1 << 13)) >> 14
        centred = shifted - ((1 << 15) + (1 << 16))
        if wraps:
            centred = centred.astype(np.int16).astype(np.int64)
        scale = int16_lookup.look_up(reciprocal_table, np.clip(centred, -32768, 32767))
        right = 31 - headroom
        value = (exps * scale + (np.int64(1) << (right - 1))) >> right
        return [np.clip(value, 0, 32767).astype(np.int16).reshape(shape)]

    return evaluate


def _one_over_one_plus(x: Array) -> Array:
    result: Array = np.float32(1) / (np.float32(1) + x)
    return result


def _real(beta: float) -> Eval:
    """float32: the sum is taken in order, as TFLM's."""
    b = np.float32(beta)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        rows = x.reshape(-1, x.shape[-1])
        scaled = np.empty_like(rows)
        compiled_softmax.below_largest(rows, b, scaled)
        exps = int16_lookup.exp(scaled)
        compiled_softmax.shares(exps)
        return [exps.reshape(x.shape)]

    return evaluate
