"""SignalStacker: signal/micro/kernels/stacker.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks
from pyref.operators.signal.ring import Ring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Frames with their neighbours in time, every so many frames; int16, bool.

    The first frame stands for those before it. Where the second output is false, TFLM leaves
    the first unwritten; it is zeros here.
    """
    options = CustomOptions(node)
    channels, left, right, step = (options.integer(i) for i in range(4))
    size = channels * (left + right + 1)
    checks = Checks(node, "stacker.cc")
    checks.counts(1, 2)
    source, output, valid = node.input(0), node.output(0), node.output(1)
    checks.equal(len(source.shape), 1, "NumDimensions(input)", "1")
    checks.equal(len(output.shape), 1, "NumDimensions(output)", "1")
    checks.equal(len(valid.shape), 0, "NumDimensions(output_valid)", "0")
    checks.types(source.type, "INT16", "input->type", "kTfLiteInt16")
    checks.types(output.type, "INT16", "output->type", "kTfLiteInt16")
    checks.types(valid.type, "BOOL", "output_valid->type", "kTfLiteBool")
    if min(channels, step) < 1 or min(left, right) < 0 or step > left + right + 1:
        node.refuse(
            f"SignalStacker: {channels} channels, contexts of {left} and {right}, a step of "
            f"{step}; undefined in TFLM"
        )
    if source.size < channels or output.size < size:
        node.refuse(
            f"SignalStacker: {channels} channels from {source.size}, {size} values into "
            f"{output.size}; TFLM would go beyond its tensors"
        )
    ring = Ring(size)
    has_first = False

    def reset() -> None:
        nonlocal has_first
        ring.reset()
        has_first = False

    node.session.resets.append(reset)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        nonlocal has_first
        ring.write(inputs[0][:channels])
        if not has_first:
            ring.extend(channels, left)
            has_first = True
        result = np.zeros(output.size, np.int16)
        full = ring.available >= size
        if full:
            result[:size] = ring.get(size)
            ring.discard(channels * step)
        return [result.reshape(output.shape), np.array(full)]

    return evaluate
