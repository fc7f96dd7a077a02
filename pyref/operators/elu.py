"""ELU: micro/kernels/elu.cc, reference/elu.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, same_size
from pyref.operators.float_functions import through_double
from pyref.operators.lookup import by_table, float_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_exp = through_double(np.exp)
_expm1 = through_double(np.expm1)


def prepare(node: Node) -> Eval:
    """x where positive, exp(x) - 1 elsewhere; float32, int8.

    float32 uses expm1; the int8 table uses exp and a subtraction, as TFLM's does.
    """
    checks = Checks(node, "elu.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.types(source.type, output.type, "input->type", "output->type")
    same_size(node, source, output)
    if source.type == "INT8":
        table = float_table(source, output, lambda x: np.where(x < 0, _exp(x) - np.float32(1), x))
        return by_table(table, output.shape)
    if source.type != "FLOAT32":
        return FailsAtInvoke(
            node, f"ELU only supports float32 and int8 currently, got {source.type}."
        )

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        return [np.where(x < 0, _expm1(np.minimum(x, 0)), x).reshape(output.shape)]

    return evaluate
