"""QUANTIZE: micro/kernels/quantize.cc, quantize_common.cc.

float32 to int8 and int16; int8, int16, int32 and uint8 among each other as TFLM allows. A
float32 beyond int32 saturates as a Cortex-M7 converts it; C leaves it undefined, and x86-64
gives the smallest value for both ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import (
    float_to_int32,
    quantize_multiplier,
    round_half_away_float32,
    saturate,
    wrap_int32,
)
from pyref.operators import scales
from pyref.operators.checks import Checks, FailsAtInvoke, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

_FROM = ("FLOAT32", "INT32", "INT16", "INT8", "UINT8")
_TO = ("INT8", "INT16", "INT32", "UINT8")
_PAIRS = {
    "FLOAT32": ("INT8", "INT16"),
    "INT32": ("INT8", "INT16"),
    "INT16": ("INT8", "INT16", "INT32"),
    "INT8": ("INT8", "UINT8", "INT16", "INT32"),
    "UINT8": ("INT8",),
}


def prepare(node: Node) -> Eval:
    """PrepareQuantizeReference and EvalQuantizeReference."""
    check = Checks(node, "quantize_common.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    affine = "kTfLiteAffineQuantization"
    check.equal(int(output.quantization is not None), 1, "output->quantization.type", affine)
    assert output.quantization is not None
    check.true(output.quantization.scale.size == 1, "affine_quantization->scale->size == 1")
    check.true(source.type in _FROM, _any_of("input->type", _FROM))
    check.true(output.type in _TO, _any_of("output->type", _TO))
    if output.type not in _PAIRS[source.type]:
        text = f"Input {source.type}, output {output.type} not supported."
        return FailsAtInvoke(node, text)
    same_size(node, source, output)
    if source.type == "FLOAT32":
        return _from_float(output)
    return _requantize(node, source, output)


def _any_of(what: str, types: tuple[str, ...]) -> str:
    names = {"FLOAT32": "Float32", "UINT8": "UInt8"}
    return " || ".join(f"{what} == kTfLite{names.get(t, t.capitalize())}" for t in types)


def _from_float(output: Tensor) -> Eval:
    """AffineQuantize of reference/quantize.h: in float32, halves away from zero."""
    scale, zero_point = np.float32(output.scale), output.zero_point
    shape, dtype = output.shape, output.dtype

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        with np.errstate(all="ignore"):
            steps = float_to_int32(round_half_away_float32(inputs[0] / scale))
        return [saturate(wrap_int32(steps + zero_point), dtype).reshape(shape)]

    return evaluate


def _requantize(node: Node, source: Tensor, output: Tensor) -> Eval:
    """Requantize of reference/requantize.h; its path for uint8 to int8 by flipping a bit agrees."""
    with np.errstate(all="ignore"):
        effective = np.float64(source.scale) / np.float64(output.scale)
    scales.finite(node, effective)
    multiplier, shift = quantize_multiplier(float(effective))
    shape, dtype, zero_point = output.shape, output.dtype, output.zero_point
    offset = -source.zero_point
    limits = np.iinfo(dtype)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        out = np.empty(inputs[0].size, dtype)
        compiled.rescale(
            inputs[0].reshape(-1),
            offset,
            multiplier,
            shift,
            zero_point,
            limits.min,
            limits.max,
            out,
        )
        return [out.reshape(shape)]

    return evaluate
