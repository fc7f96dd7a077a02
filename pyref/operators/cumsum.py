"""CUMSUM: micro/kernels/cumsum.cc, reference/cumsum.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import multiply_by_quantized_multiplier, saturate, wrap_int32
from pyref.operators.checks import Checks
from pyref.operators.lookup import index
from pyref.operators.sum_scaling import SumScaling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Running sum along an axis, exclusive and reverse as options say; float32, int8.

    An int8 sum starts at the scaled negated zero point (TFLM's "accumulator = 0") and wraps in
    32 bits, after 16 values at worst.
    """
    checks = Checks(node, "cumsum.cc")
    checks.counts(2, 1)
    source, axis_tensor, output = node.input(0), node.input(1), node.output()
    checks.true(
        source.type in ("FLOAT32", "INT8"),
        "input->type == kTfLiteFloat32 || input->type == kTfLiteInt8",
    )
    checks.equal(axis_tensor.type, "INT32", "axis->type", "kTfLiteInt32")
    checks.equal(axis_tensor.size, 1, "NumElements(axis)", "1")
    checks.true(len(source.shape) >= 1, "NumDimensions(input) >= 1")
    checks.equal(source.type, output.type, "input->type", "output->type")
    checks.true(source.shape == output.shape, "HaveSameShapes(input, output)")
    exclusive, reverse = bool(node.options.exclusive), bool(node.options.reverse)
    rank = len(source.shape)
    scaling = None
    if output.type == "INT8":
        scaling = SumScaling.of(node, source, output, left_shift=20)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        axis = int(inputs[1].reshape(-1)[0])
        axis += rank if axis < 0 else 0
        if not 0 <= axis < rank:
            node.refuse(f"CUMSUM Invalid axis: {axis}", phase="invoke")
        x = inputs[0] if scaling is None else scaling.table[index(inputs[0])]
        x = np.moveaxis(x, axis, 0)
        x = x[::-1] if reverse else x
        start = np.full((1, *x.shape[1:]), 0 if scaling is None else scaling.start, x.dtype)
        total = np.add.accumulate(np.concatenate([start, x]), axis=0)
        total = total[:-1] if exclusive else total[1:]
        total = np.moveaxis(total[::-1] if reverse else total, 0, axis)
        if scaling is None:
            return [np.ascontiguousarray(total)]
        raw = multiply_by_quantized_multiplier(wrap_int32(total), scaling.multiplier, scaling.shift)
        return [np.ascontiguousarray(saturate(raw + scaling.zero_point, output.dtype))]

    return evaluate
