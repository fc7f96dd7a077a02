"""WHILE: micro/kernels/while.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import Checks
from pyref.operators.subgraph_copies import copy_to, inputs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_COUNT = "node->inputs->size == node->outputs->size"


def prepare(node: Node) -> Eval:
    """Invokes a body subgraph on its own outputs for as long as a condition subgraph says so.

    The operator's outputs are what the loop runs on, so that a condition that is false at
    once passes the inputs through.
    """
    checks = Checks(node, "while.cc")
    options, graphs = node.options, node.model.subgraphs
    condition, body = options.cond_subgraph_index, options.body_subgraph_index
    for name, index in (("cond", condition), ("body", body)):
        checks.true(
            0 <= index < len(graphs),
            f"op_data->{name}_subgraph_index < graph_info.NumSubgraphs()",
        )
    count, outputs = len(node.operator.inputs), node.outputs
    for name, index in (("cond", condition), ("body", body)):
        checks.equal(
            count,
            len(graphs[index].inputs),
            "num_inputs",
            f"graph_info.NumSubgraphInputs(op_data->{name}_subgraph_index)",
        )
    checks.equal(count, len(outputs), "num_inputs", "num_outputs")
    checks.equal(
        count,
        len(graphs[body].outputs),
        "num_outputs",
        "graph_info.NumSubgraphOutputs(op_data->body_subgraph_index)",
    )
    invoke = node.session.invoke_subgraph

    def goes_on(values: Sequence[Array]) -> bool:
        results = invoke(condition, copy_to(node, values, inputs_of(node, condition), _COUNT))
        return bool(results[0].reshape(-1)[0])

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        values = copy_to(node, inputs, outputs, _COUNT)
        while goes_on(values):
            results = invoke(body, copy_to(node, values, inputs_of(node, body), _COUNT))
            values = copy_to(node, results, outputs, _COUNT)
        return values

    return evaluate
