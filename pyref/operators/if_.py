"""IF: micro/kernels/if.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks
from pyref.operators.subgraph_copies import copy_to, inputs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_INPUT_COUNT = (
    "static_cast<size_t>(node->inputs->size - first_tensor_idx) == "
    "graph_info->NumSubgraphInputs(subgraph_idx)"
)
_OUTPUT_COUNT = (
    "static_cast<size_t>(node->outputs->size) == graph_info->NumSubgraphOutputs(subgraph_idx)"
)


def prepare(node: Node) -> Eval:
    """Invokes one of two subgraphs on inputs 1 and on.

    Prepare checks the then-branch only; the else-branch's numbers of tensors matter when it
    runs. A branch without outputs leaves TFLM's output tensors as they were, which is
    undefined; they are zeros here.
    """
    checks = Checks(node, "if.cc")
    options = node.options
    then_graph, else_graph = options.then_subgraph_index, options.else_subgraph_index
    checks.true(len(node.operator.inputs) > 0, "node->inputs->size > 0")
    condition = node.input(0)
    checks.equal(condition.type, "BOOL", "cond->type", "kTfLiteBool")
    checks.equal(condition.size, 1, "NumElements(cond)", "1")
    graphs = node.model.subgraphs
    for name, index in (("then", then_graph), ("else", else_graph)):
        checks.true(
            0 <= index < len(graphs),
            f"op_data->{name}_subgraph_index < graph_info.NumSubgraphs()",
        )
    checks.equal(
        len(node.operator.inputs) - 1,
        len(graphs[then_graph].inputs),
        "num_inputs",
        "graph_info.NumSubgraphInputs(op_data->then_subgraph_index)",
    )
    checks.equal(
        len(node.operator.outputs),
        len(graphs[then_graph].outputs),
        "num_outputs",
        "graph_info.NumSubgraphOutputs(op_data->then_subgraph_index)",
    )
    outputs = node.outputs

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        graph = then_graph if inputs[0].reshape(-1)[0] else else_graph
        arguments = copy_to(node, inputs[1:], inputs_of(node, graph), _INPUT_COUNT)
        results = node.session.invoke_subgraph(graph, arguments)
        if not results:
            return [np.zeros(t.shape, t.dtype) for t in outputs]
        return copy_to(node, results, outputs, _OUTPUT_COUNT)

    return evaluate
