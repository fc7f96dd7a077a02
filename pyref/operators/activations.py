"""RELU and RELU6: micro/kernels/activations.cc, activations_common.cc. int8, int16, float32.

RELU requantises; RELU6 only clamps, in the input's quantisation, and copies values as they are.
Where the input has no scale, 6/0 saturates as a Cortex-M7 converts it (C leaves it undefined).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import quantize_multiplier, round_half_away
from pyref.operators import scales
from pyref.operators.checks import Checks, FailsAtInvoke, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_TYPES = ("FLOAT32", "INT8", "INT16")


def _common(node: Node) -> Eval | None:
    """What both check; the refusal at run time where there is one."""
    source, output = node.input(0), node.output()
    if source.type not in _TYPES:
        text = f"Only float32/int8/int16 is supported currently, got {source.type}"
        return FailsAtInvoke(node, text)
    if source.type != output.type:
        node.refuse(
            f"{node.operator.op}: {source.type} input with {output.type} output; TFLM does not "
            "check and would misread it"
        )
    same_size(node, source, output)
    return None


def prepare_relu(node: Node) -> Eval:
    """ReluPrepare and ReluEval."""
    source, output = node.input(0), node.output()
    if source.type == "INT16":
        check = Checks(node, "activations_common.cc")
        check.equal(source.zero_point, 0, "input->params.zero_point", "0")
        check.equal(output.zero_point, 0, "output->params.zero_point", "0")
    failure = _common(node)
    if failure is not None:
        return failure
    shape, dtype = output.shape, output.dtype
    if source.type == "FLOAT32":
        return lambda inputs: [np.where(inputs[0] < 0, np.float32(0), inputs[0]).reshape(shape)]
    with np.errstate(all="ignore"):
        real = source.scale / output.scale
    scales.finite(node, real)
    multiplier, shift = quantize_multiplier(float(real))
    limits = np.iinfo(dtype)
    zero_point, offset = output.zero_point, -source.zero_point
    low = max(limits.min, zero_point)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        out = np.empty(inputs[0].size, dtype)
        compiled.rescale(
            inputs[0].reshape(-1), offset, multiplier, shift, zero_point, low, limits.max, out
        )
        return [out.reshape(shape)]

    return evaluate


def prepare_relu6(node: Node) -> Eval:
    """Relu6Prepare and Relu6Eval."""
    failure = _common(node)
    if failure is not None:
        return failure
    source, shape = node.input(0), node.output().shape
    low: Any = np.float32(0)
    high: Any = np.float32(6)
    if source.type != "FLOAT32":
        limits, dtype = np.iinfo(source.dtype), source.dtype.type
        with np.errstate(all="ignore"):
            six = np.float32(6) / np.float32(source.scale)
        whole = 2**31 - 1 if not np.isfinite(six) else round_half_away(float(six))
        high = dtype(min(max(whole + source.zero_point, limits.min), limits.max))
        low = dtype(source.zero_point)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        clamped = np.where(x > high, high, np.where(x < low, low, x))
        return [clamped.reshape(shape)]

    return evaluate
