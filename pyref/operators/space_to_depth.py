"""SPACE_TO_DEPTH: micro/kernels/space_to_depth.cc, reference/space_to_depth.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.stored_shape import stored_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Blocks of pixels gathered into channels; [n, h, w, c] of float32 or int8."""
    block = node.options.block_size
    checks = Checks(node, "space_to_depth.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.equal(len(source.shape), 4, "NumDimensions(input)", "4")
    checks.true(
        output.type in ("FLOAT32", "INT8"),
        "data_type == kTfLiteFloat32 || data_type == kTfLiteInt8",
    )
    checks.types(source.type, output.type, "input->type", "output->type")
    if block < 1:
        node.refuse(f"SPACE_TO_DEPTH: block_size {block}; TFLM divides by it")
    n, height, width, depth = source.shape
    rows, columns = height // block, width // block
    checks.equal(height, rows * block, "input_height", "output_height * block_size")
    checks.equal(width, columns * block, "input_width", "output_width * block_size")
    shape = stored_as(node, (n, rows, columns, depth * block * block))

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        blocks = inputs[0].reshape(n, rows, block, columns, block, depth)
        return [np.ascontiguousarray(blocks.transpose(0, 1, 3, 2, 4, 5)).reshape(shape)]

    return evaluate
