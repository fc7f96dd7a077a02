"""Copies between an operator's tensors and a subgraph's: micro/kernels/kernel_util.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Node


def copy_to(
    node: Node, values: Sequence[Array], tensors: Sequence[Tensor], count_text: str
) -> list[Array]:
    """Values as other tensors hold them: the same bytes, of equal number, copied.

    Args:
        node: IF or WHILE.
        values: arrays to copy.
        tensors: where to, as many.
        count_text: what TFLM ensures where the numbers differ.
    """
    checks = Checks(node, "kernel_util.cc")
    checks.invoke_true(len(values) == len(tensors), count_text)
    copies = []
    for value, tensor in zip(values, tensors, strict=True):
        checks.invoke_true(value.nbytes == tensor.size * tensor.dtype.itemsize, "bytes >= 0")
        copied = np.array(value)
        if copied.dtype != tensor.dtype:
            copied = copied.reshape(-1).view(np.uint8).view(tensor.dtype)
        copies.append(copied.reshape(tensor.shape))
    return copies


def inputs_of(node: Node, subgraph: int) -> list[Tensor]:
    """Input tensors of a subgraph."""
    graph = node.model.subgraphs[subgraph]
    return [graph.tensors[i] for i in graph.inputs]
