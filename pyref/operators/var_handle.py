"""VAR_HANDLE: micro/kernels/var_handle.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import resource_variables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The id of the resource variable of a container and name, made where there is none yet.

    The output tensor holds the id from Prepare on, so that the ASSIGN_VARIABLE of the same
    subgraph knows it in its own Prepare.
    """
    options, output = node.options, node.output()
    number = resource_variables.handle(node.session, options.container, options.shared_name or "")
    node.session.resource_tensors[node.subgraph.index, output.index] = number
    value = np.full(output.shape, number, output.dtype)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        del inputs
        return [value]

    return evaluate
