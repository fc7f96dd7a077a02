"""CIRCULAR_BUFFER: micro/kernels/circular_buffer.cc, circular_buffer_common.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks
from pyref.session import InvocationAborted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Appends one slot [n, 1, w, c] to a window of the last [n, slots, w, c]; int8.

    The window is the output tensor itself: a variable, else memory that TFLM leaves undefined
    at first (zeros here). All but every `cycles_max`-th invocation end right after this
    operator: TFLM's Invoke returns kTfLiteAbort, and outputs of later operators keep what they
    held.
    """
    cycles_max = CustomOptions(node).integer(0) if node.operator.custom_options else 0
    checks = Checks(node, "circular_buffer_common.cc")
    source, output = node.input(0), node.output()
    if len(source.shape) != 4 or len(output.shape) != 4:
        node.refuse("CIRCULAR_BUFFER: 4 dimensions expected, unchecked in TFLM")
    dims = zip(source.shape, output.shape, strict=True)
    for i, (a, b) in enumerate(dims):
        if i == 1:
            checks.equal(1, a, "1", "input->dims->data[1]")
        elif i == 3:
            checks.equal(b, a, "output->dims->data[3]", "input->dims->data[3]")
        else:
            checks.equal(a, b, f"input->dims->data[{i}]", f"output->dims->data[{i}]")
    checks.types(source.type, output.type, "input->type", "output->type")
    checks.types(source.type, "INT8", "input->type", "kTfLiteInt8")
    if cycles_max <= 0:
        cycles_max = _guess_cycles(node, output.shape)
    slots, depth = output.shape[1], output.shape[2] * output.shape[3]
    fill = output.zero_point if output.is_variable else 0
    window = np.zeros(output.size, np.int8)
    until_run = cycles_max

    def reset() -> None:
        nonlocal until_run
        until_run = cycles_max
        if output.is_variable:
            window[:] = fill

    node.session.resets.append(reset)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        nonlocal until_run
        end = slots * depth
        window[: end - depth] = window[depth:end].copy()
        window[end - depth : end] = inputs[0].reshape(-1)[:depth]
        result = [window.reshape(output.shape).copy()]
        until_run -= 1
        if until_run != 0:
            raise InvocationAborted(result)
        until_run = cycles_max
        return result

    return evaluate


def _guess_cycles(node: Node, shape: tuple[int, ...]) -> int:
    """cycles_max of old models that lack it: 1 for shapes that TFLM knows by heart, else 2.

    TFLM counts such operators in a static variable; here the count is the session's.
    """
    session = node.session
    session.circular_buffers += 1
    fifth = session.circular_buffers == 5 and shape[2:] == (2, 96)
    if shape[1] in (5, 13, 25) or fifth:
        session.circular_buffers = 0
        return 1
    return 2
