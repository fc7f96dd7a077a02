"""SignalDelay: signal/micro/kernels/delay.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Samples of each row delayed by delay_length, zeros at first; int16."""
    length = CustomOptions(node).integer(0)
    checks = Checks(node, "delay.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.types(source.type, "INT16", "input->type", "kTfLiteInt16")
    checks.types(output.type, "INT16", "output->type", "kTfLiteInt16")
    same_size(node, source, output)
    if length < 0 or not source.shape:
        node.refuse(f"SignalDelay: {length} samples of {list(source.shape)}; undefined in TFLM")
    frame = source.shape[-1]
    held = np.zeros((source.size // frame, length), np.int16)

    def reset() -> None:
        held[:] = 0

    node.session.resets.append(reset)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        stream = np.concatenate([held, inputs[0].reshape(-1, frame)], axis=1)
        held[:] = stream[:, frame:]
        return [np.ascontiguousarray(stream[:, :frame]).reshape(output.shape)]

    return evaluate
