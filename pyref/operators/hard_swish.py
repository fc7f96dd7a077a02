"""HARD_SWISH: micro/kernels/hard_swish.cc, hard_swish_common.cc, reference/hard_swish.h.

int8, in 16-bit fixed point, and float32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import (
    divide_toward_zero,
    quantize_multiplier,
    reduce_multiplier,
    rounding_divide_by_pot_int16,
)
from pyref.fixedpoint import saturating_rounding_doubling_high_mul_int16 as multiply
from pyref.operators import scales
from pyref.operators.checks import Checks, FailsAtInvoke, same_size
from pyref.operators.lookup import INT8_VALUES, by_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """HardSwishPrepare and HardSwishEval."""
    check = Checks(node, "hard_swish_common.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    if source.type not in ("FLOAT32", "INT8"):
        return FailsAtInvoke(node, f"Unsupported type {source.type}")
    shape = output.shape
    table = None
    if source.type == "INT8":
        table = _table(node, check)
    if source.type != output.type:
        node.refuse(
            f"HARD_SWISH: {source.type} input with {output.type} output; TFLM does not check and "
            "would misread it"
        )
    same_size(node, source, output)
    if table is not None:
        return by_table(table, shape)
    return lambda inputs: [_real(inputs[0]).reshape(shape)]


def _real(x: Array) -> Array:
    three, six = np.float32(3), np.float32(6)
    result: Array = x * np.clip(x + three, np.float32(0), six) / six
    return result


def _saturate(x: NDArray[np.int64]) -> NDArray[np.int64]:
    clamped: NDArray[np.int64] = np.clip(x, -(2**15), 2**15 - 1)
    return clamped


def _table(node: Node, check: Checks) -> NDArray[np.int8]:
    """All 256 outputs."""
    source, output = node.input(0), node.output()
    f32 = np.float32
    fine_scale = (f32(1) / f32(128)) * source.scale
    with np.errstate(all="ignore"):
        output_real = fine_scale / output.scale
    scales.finite(node, output_real)
    output_multiplier, output_exponent = quantize_multiplier(float(output_real))
    check.true(output_exponent <= 0, "params->output_multiplier_exponent <= 0")
    reluish_multiplier, exponent = quantize_multiplier(float(fine_scale / (f32(3) / f32(32768))))

    fine = (INT8_VALUES - source.zero_point) << 7
    on_output_scale = multiply(fine, reduce_multiplier(output_multiplier))
    reluish = _saturate(fine << (exponent - 1)) if exponent > 0 else fine
    reluish = multiply(reluish, reduce_multiplier(reluish_multiplier))
    if exponent > 0:
        reluish = _saturate(reluish << 1)
    elif exponent < 0:
        reluish = rounding_divide_by_pot_int16(reluish, -exponent)
    reluish = (reluish + (1 << 15)) >> 1
    # SaturatingDoublingHighMul: rounds towards zero.
    product = divide_toward_zero(reluish * on_output_scale, 1 << 15)
    value = rounding_divide_by_pot_int16(product, -output_exponent) + output.zero_point
    return np.clip(value, -128, 127).astype(np.int8)
