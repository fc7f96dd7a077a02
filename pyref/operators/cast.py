"""CAST: micro/kernels/cast.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import float_to_int32
from pyref.operators.checks import Checks, FailsAtInvoke, named, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

INPUTS = ("INT8", "INT16", "INT32", "UINT32", "FLOAT32", "BOOL")
OUTPUTS = ("INT8", "INT16", "INT32", "UINT32", "FLOAT32")


def prepare(node: Node) -> Eval:
    """Conversion of types; the values of int8, int16, int32, uint32, float32 and bool.

    static_cast of C: integers wrap, float32 goes towards zero. A float32 beyond the integer's
    range is undefined in C; here it saturates to int32 (or uint32) and then wraps to the
    narrower type, as a Cortex-M7 does it. Bool outputs, which TFLM 2026-08 refuses when it runs,
    are taken by later releases.
    """
    Checks(node, "cast.cc").counts(1, 1)
    source, output = node.input(0), node.output()
    if source.type not in INPUTS:
        return FailsAtInvoke(node, f"Input type {named(source.type)} not supported.")
    if output.type not in OUTPUTS:
        return FailsAtInvoke(node, f"Output type {named(output.type)} not supported.")
    same_size(node, source, output)
    shape, dtype = output.shape, output.dtype
    from_float = source.type == "FLOAT32" and output.type != "FLOAT32"

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        if from_float:
            x = _to_uint32(x) if output.type == "UINT32" else float_to_int32(x)
        return [x.astype(dtype).reshape(shape)]

    return evaluate


def _to_uint32(x: Array) -> Array:
    wide = np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=2.0**32, neginf=0.0)
    result: Array = np.clip(np.trunc(wide), 0, 2**32 - 1).astype(np.int64)
    return result
