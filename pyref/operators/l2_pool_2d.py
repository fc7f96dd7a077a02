"""L2_POOL_2D: micro/kernels/l2_pool_2d.cc, float32 only.

TFLM overwrites the output's height and width with computed ones; a stored shape that says
otherwise is refused here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.pooling import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """L2Prepare and L2Pool of reference/pooling.h."""
    check = Checks(node, "l2_pool_2d.cc")
    check.counts(1, 1)
    source, output = node.input(0), node.output()
    check.equal(len(source.shape), 4, "NumDimensions(input)", "kTensorShapeRank")
    check.equal(len(output.shape), 4, "NumDimensions(output)", "kTensorShapeRank")
    check.types(source.type, output.type, "input->type", "output->type")
    check.types(source.type, "FLOAT32", "input->type", "kTfLiteFloat32")
    window = Window(node)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        sums, counts = window.sums(inputs[0], square=True)
        root = np.sqrt(sums / np.maximum(counts, 1).astype(np.float32))
        return [np.clip(root, window.low, window.high)]

    return evaluate
