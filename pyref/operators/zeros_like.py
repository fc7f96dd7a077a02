"""ZEROS_LIKE: micro/kernels/zeros_like.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import TYPE_CODES, Checks, FailsAtInvoke, same_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Zeros (0, not the zero point); int64, int32, int8, float32."""
    Checks(node, "zeros_like.cc").counts(1, 1)
    source, output = node.input(0), node.output()
    if source.type not in ("INT64", "INT32", "INT8", "FLOAT32"):
        return FailsAtInvoke(
            node,
            "ZerosLike only currently supports int64, int32, and float32, got "
            f"{TYPE_CODES.get(source.type, 0)}.",
        )
    same_size(node, source, output)
    if output.type != source.type:
        node.refuse(f"ZEROS_LIKE: {source.type} to {output.type}, unchecked in TFLM")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        del inputs
        return [np.zeros(output.shape, output.dtype)]

    return evaluate
