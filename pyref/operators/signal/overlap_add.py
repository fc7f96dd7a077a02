"""SignalOverlapAdd: signal/micro/kernels/overlap_add.cc, signal/src/overlap_add.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.fixedpoint import saturate
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

#: TensorType codes that TFLM compiles it for.
TYPES = {0: "FLOAT32", 7: "INT16"}


def prepare(node: Node) -> Eval:
    """A stream of samples from overlapping frames; int16 (saturates), float32."""
    options = CustomOptions(node)
    code, step = options.named_integer("T"), options.integer(1)
    if code not in TYPES:
        node.refuse(f"SignalOverlapAdd: T is {code}; TFLM leaves its state null")
    checks = Checks(node, "overlap_add.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    ranks = len(source.shape), len(output.shape) + 1
    checks.equal(*ranks, "NumDimensions(input)", "NumDimensions(output) + 1")
    checks.types(source.type, TYPES[code], "input->type", "TfLiteTypeEnum")
    checks.types(output.type, TYPES[code], "output->type", "TfLiteTypeEnum")
    checks.true(len(source.shape) >= 2, "input_shape.DimensionsCount() >= 2")
    frames, size = source.shape[-2:]
    outer = source.size // (frames * size)
    if not 0 <= step <= size or output.size != outer * frames * step:
        node.refuse(
            f"SignalOverlapAdd: {outer * frames} frames of {size} every {step} samples into "
            f"{list(output.shape)}; TFLM would go beyond its tensors"
        )
    state = np.zeros((outer, size), source.dtype)

    def reset() -> None:
        state[:] = 0

    node.session.resets.append(reset)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0].reshape(outer, frames, size)
        result = np.empty((outer, frames, step), x.dtype)
        for frame in range(frames):
            if x.dtype == np.int16:
                state[:] = saturate(state.astype(np.int32) + x[:, frame], x.dtype)
            else:
                state[:] += x[:, frame]
            result[:, frame] = state[:, :step]
            state[:, : size - step] = state[:, step:].copy()
            state[:, size - step :] = 0
        return [result.reshape(output.shape)]

    return evaluate
