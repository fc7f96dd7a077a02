"""DEPTH_TO_SPACE: micro/kernels/depth_to_space.cc, reference/depth_to_space.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.stored_shape import stored_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Channels spread over blocks of pixels; [n, h, w, c] of float32 or int8."""
    block = node.options.block_size
    checks = Checks(node, "depth_to_space.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.equal(len(source.shape), 4, "NumDimensions(input)", "4")
    checks.true(
        output.type in ("FLOAT32", "INT8"),
        "data_type == kTfLiteFloat32 || data_type == kTfLiteInt8",
    )
    checks.types(source.type, output.type, "input->type", "output->type")
    checks.true(block > 0, "block_size > 0")
    n, height, width, channels = source.shape
    depth = channels // block // block
    checks.equal(
        channels,
        depth * block * block,
        "input_channels",
        "output_channels * block_size * block_size",
    )
    shape = stored_as(node, (n, height * block, width * block, depth))

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        blocks = inputs[0].reshape(n, height, width, block, block, depth)
        return [np.ascontiguousarray(blocks.transpose(0, 1, 3, 2, 4, 5)).reshape(shape)]

    return evaluate
