"""TANH: micro/kernels/tanh.cc. int8, int16 and float32; the int8 output scale is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import fixedpoint_math
from pyref.fixedpoint import rounding_divide_by_pot
from pyref.operators import sigmoid_table
from pyref.operators.checks import Checks, FailsAtInvoke, same_size
from pyref.operators.logistic import int8_table
from pyref.operators.lookup import by_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """TanhPrepare and TanhEval."""
    check = Checks(node, "tanh.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    check.types(source.type, output.type, "input->type", "output->type")
    shape = output.shape
    if source.type == "INT8":
        same_size(node, source, output)
        return by_table(int8_table(source, _int8), shape)
    if source.type == "INT16":
        parameters = sigmoid_table.int16_parameters(check, source, output, (0, 1))
        same_size(node, source, output)
        return lambda inputs: [sigmoid_table.tanh(inputs[0], *parameters).reshape(shape)]
    if source.type != "FLOAT32":
        return FailsAtInvoke(node, f"Input {source.type}, output {output.type} not supported.")
    same_size(node, source, output)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [np.tanh(inputs[0].astype(np.float64)).astype(np.float32).reshape(shape)]

    return evaluate


def _int8(x: NDArray[np.int64]) -> NDArray[np.int64]:
    return rounding_divide_by_pot(fixedpoint_math.tanh(x, 4), 24)
