"""TFLM_DECODE: micro/kernels/decode.cc: compressed constants, decompressed by an operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import decompression
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

LUT, HUFFMAN, PRUNE, CUSTOM = 0, 1, 2, 127
_DECODERS = {
    LUT: decompression.look_up,
    HUFFMAN: decompression.huffman,
    PRUNE: decompression.prune,
}


def prepare(node: Node) -> Eval:
    """Pairs of compressed and ancillary constants to tensors: lookup table, Huffman, pruning.

    Everything is constant, so it is decoded here, once.
    """
    checks = Checks(node, "decode.cc")
    outputs = node.outputs
    count = len(node.operator.inputs)
    checks.true(len(outputs) > 0, "num_outputs > 0")
    checks.equal(count, len(outputs) * 2, "num_inputs", "num_outputs * 2")
    values = [
        _decode(node, checks, node.input(2 * i), node.input(2 * i + 1), output)
        for i, output in enumerate(outputs)
    ]

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        del inputs
        return values

    return evaluate


def _decode(node: Node, checks: Checks, source: Tensor, ancillary: Tensor, output: Tensor) -> Array:
    checks.true(source.is_constant, "IsConstantTensor(input)")
    checks.true(ancillary.is_constant, "IsConstantTensor(ancillary)")
    header = bytes(ancillary.raw or b"")
    if len(header) < decompression.HEADER_BYTES:
        node.refuse(f"TFLM_DECODE: {len(header)} bytes are too few for an ancillary tensor")
    if header[1] != 1:
        node.refuse(f"version {header[1]} != 1")
    if header[0] == CUSTOM:
        node.refuse("Custom decode type not yet supported")
    decoder = _DECODERS.get(header[0])
    if decoder is None:
        node.refuse(f"unsupported decode type {header[0]}")
    if header[4] != 1:
        node.refuse(f"unsupported version {header[4]}")
    try:
        value = decoder(node, bytes(source.raw or b""), header, output)
    except IndexError:
        node.refuse(
            f"TFLM_DECODE: tensors {source.index} and {ancillary.index} end before output "
            f"{output.index} is full; TFLM would go beyond them"
        )
    return np.ascontiguousarray(value.reshape(output.shape))
