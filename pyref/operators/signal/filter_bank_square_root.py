"""SignalFilterBankSquareRoot: signal/micro/kernels and signal/src/filter_bank_square_root.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Rounded square roots, shifted right by a scalar input; uint64 to uint32."""
    checks = Checks(node, "filter_bank_square_root_common.cc")
    checks.counts(2, 1)
    source, bits, output = node.input(0), node.input(1), node.output()
    checks.equal(len(source.shape), 1, "NumDimensions(input)", "1")
    checks.equal(len(bits.shape), 0, "NumDimensions(scale_bits)", "0")
    checks.equal(len(output.shape), 1, "NumDimensions(output)", "1")
    checks.types(source.type, "UINT64", "input->type", "kTfLiteUInt64")
    checks.types(bits.type, "INT32", "scale_bits->type", "kTfLiteInt32")
    checks.types(output.type, "UINT32", "output->type", "kTfLiteUInt32")
    if output.size < source.size:
        node.refuse(f"SignalFilterBankSquareRoot: {source.size} channels into {output.size}")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        # A shift count beyond 31 is undefined in C; a Cortex-M7 shifts everything out.
        shift = np.uint64(min(int(inputs[1]) % 256, 63))
        result = np.zeros(output.shape, np.uint32)
        result[: source.size] = square_root(inputs[0]) >> shift
        return [result]

    return evaluate


def square_root(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Sqrt64 of signal/src/square_root_64.cc: rounded, but at most 16 bits for 32-bit values."""
    root = np.minimum(np.sqrt(x.astype(np.float64)), 2.0**32 - 1).astype(np.uint64)
    root -= root * root > x  # float64 is at most one off
    rest = x - root * root
    step = (rest > 2 * root) & (root < 2**32 - 1)
    root += step
    rest = np.where(step, x - root * root, rest)
    limit = np.where(x >> np.uint64(32) == 0, np.uint64(0xFFFF), np.uint64(0xFFFFFFFF))
    rounded: NDArray[np.uint64] = root + ((rest > root) & (root != limit))
    return rounded
