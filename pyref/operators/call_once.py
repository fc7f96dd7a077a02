"""CALL_ONCE: micro/kernels/call_once.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Invokes a subgraph at this operator's first run, and never again.

    Each CALL_ONCE counts for itself, and MicroInterpreter::Reset does not make it run again.
    """
    subgraph = node.options.init_subgraph_index
    checks = Checks(node, "call_once.cc")
    checks.true(not node.operator.inputs, "NumInputs(node) == 0")
    checks.true(not node.operator.outputs, "NumOutputs(node) == 0")
    checks.true(
        0 <= subgraph < len(node.model.subgraphs),
        "op_data->init_subgraph_index < graph_info.NumSubgraphs()",
    )
    key = (node.subgraph.index, node.operator.index)
    done = node.session.called_once
    # Nothing is copied to the subgraph; inputs it may have are undefined in TFLM, zeros here.
    graph = node.model.subgraphs[subgraph]
    unset = [np.zeros(graph.tensors[i].shape, graph.tensors[i].dtype) for i in graph.inputs]

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        del inputs
        if key not in done:
            node.session.invoke_subgraph(subgraph, unset)
            done.add(key)
        return []

    return evaluate
