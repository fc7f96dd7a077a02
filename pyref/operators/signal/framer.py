"""SignalFramer: signal/micro/kernels/framer.cc."""

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
    """Overlapping frames of a stream of samples, and whether all were there; int16, bool.

    A frame that is not full yet is left unwritten by TFLM and is zeros here.
    """
    options = CustomOptions(node)
    size, step, prefill = options.integer(0), options.integer(1), options.boolean(2)
    checks = Checks(node, "framer.cc")
    checks.counts(1, 2)
    source, output, valid = node.input(0), node.output(0), node.output(1)
    ranks = len(source.shape) + 1, len(output.shape)
    checks.equal(*ranks, "NumDimensions(input) + 1", "NumDimensions(output)")
    checks.equal(len(valid.shape), 0, "NumDimensions(output_valid)", "0")
    checks.types(source.type, "INT16", "input->type", "kTfLiteInt16")
    checks.types(output.type, "INT16", "output->type", "kTfLiteInt16")
    checks.types(valid.type, "BOOL", "output_valid->type", "kTfLiteBool")
    if not source.shape or step < 1 or size < step:
        node.refuse(f"SignalFramer: frames of {size} every {step} samples; undefined in TFLM")
    innermost = source.shape[-1]
    checks.true(innermost >= step, "innermost_dim >= params->frame_step")
    checks.equal(innermost % step, 0, "innermost_dim % params->frame_step", "0")
    outer, frames = source.size // innermost, innermost // step
    if output.size != outer * frames * size:
        node.refuse(
            f"SignalFramer: {outer * frames} frames of {size} into {list(output.shape)}; TFLM "
            "would go beyond its tensors"
        )
    rings = [Ring(-(-size // step) * step) for _ in range(outer)]

    def reset() -> None:
        for ring in rings:
            ring.reset()
            if prefill:
                ring.write(np.zeros(size - step, np.int16))

    reset()
    node.session.resets.append(reset)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        samples = inputs[0].reshape(outer, frames, step)
        result = np.zeros((outer, frames, size), np.int16)
        full = True
        for i, ring in enumerate(rings):
            for frame in range(frames):
                ring.write(samples[i, frame])
                if ring.available >= size:
                    result[i, frame] = ring.get(size)
                    ring.discard(step)
                else:
                    full = False
        return [result.reshape(output.shape), np.array(full)]

    return evaluate
