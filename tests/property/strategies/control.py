"""Several subgraphs and state: IF, WHILE, CALL_ONCE, resource variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixtures.writer import Model, Operator, SubGraph, Tensor
from tests.property.instance import INVALID_PERCENT, Fed, Instance, feeds, given, quantized
from tests.property.strategies.chain import Chain

if TYPE_CHECKING:
    from tests.property.draw import Draw


def branch(d: Draw, types: list[tuple[list[int], str]], length: int) -> SubGraph:
    """A subgraph that keeps its inputs' shapes and types: a few operators on each."""
    chain = Chain(d, [Fed(list(shape), type_) for shape, type_ in types])
    ends = []
    for i in range(len(types)):
        end = i
        for _ in range(d.integer(0, length)):
            end = chain.keep(end)
        ends.append(end if end != i else chain.keep(end))
    return chain.graph(ends)


def if_(d: Draw) -> Instance:
    """IF: two subgraphs of the same inputs and outputs; the condition changes between runs."""
    types = [(d.shape(1, 3), d.choice(("FLOAT32", "INT32"))) for _ in range(d.integer(1, 3))]
    graphs = [branch(d, types, 3), branch(d, types, 3)]
    condition = Fed([1] if d.integer(0, 1) else [], "BOOL")
    operands = [Fed(list(s), t) for s, t in types]
    tensors: list[Tensor] = [condition, *operands, *[Fed(list(s), t) for s, t in types]]
    n = len(types)
    options = {"then_subgraph_index": 1, "else_subgraph_index": 2}
    broken = None
    if d.chance(INVALID_PERCENT):
        broken = d.choice(("condition", "index", "count"))
        if broken == "condition":
            condition.type = "INT8"
        elif broken == "index":
            options[d.choice(list(options))] = d.choice((3, 7))
        elif n > 1:
            graphs[1].inputs = list(graphs[1].inputs or ())[:-1]
    operator = Operator("IF", list(range(n + 1)), list(range(n + 1, 2 * n + 1)), options)
    main = SubGraph(tensors, [operator], list(range(n + 1)), list(range(n + 1, 2 * n + 1)))
    model = Model([main, *graphs])
    return Instance("IF", model, feeds(d, model, 2), broken)


def while_(d: Draw) -> Instance:
    """WHILE: a counter up to a limit, and tensors that the body changes."""
    types = [(d.shape(1, 3), d.choice(("FLOAT32", "INT32"))) for _ in range(d.integer(0, 2))]
    step, limit = d.integer(1, 3), d.integer(-1, 6)
    counter = ([1] if d.integer(0, 1) else [], "INT32")
    every = [counter, *types]
    n = len(every)
    bound = given(d, [limit] if counter[0] else limit)
    compare = d.choice(("LESS", "LESS_EQUAL", "NOT_EQUAL" if step == 1 and limit >= 1 else "LESS"))
    shapes = [Fed(list(s), t) for s, t in every]
    condition = SubGraph(
        [*shapes, bound, Fed(list(counter[0]), "BOOL")],
        [Operator(compare, [0, n], [n + 1], {})],
        list(range(n)),
        [n + 1],
    )
    chain = Chain(d, [Fed(list(s), t) for s, t in every])
    more = chain.constant(given(d, [step] if counter[0] else step))
    ends = [chain.add("ADD", [0, more], Fed(list(counter[0]), "INT32"), {})]
    ends += [chain.keep(i) for i in range(1, n)]
    body = chain.graph(ends)
    options = {"cond_subgraph_index": 1, "body_subgraph_index": 2}
    broken = None
    if d.chance(INVALID_PERCENT):
        broken = d.choice(("index", "count"))
        if broken == "index":
            options[d.choice(list(options))] = d.choice((3, 7))
        elif n > 1:
            body.outputs = list(body.outputs or ())[:-1]
    tensors: list[Tensor] = [Fed(list(s), t) for s, t in every]
    tensors[0].value = lambda: d.values("INT32", counter[0], low=-2, high=1)  # type: ignore[attr-defined]
    tensors += [Fed(list(s), t) for s, t in every]
    operator = Operator("WHILE", list(range(n)), list(range(n, 2 * n)), options)
    main = SubGraph(tensors, [operator], list(range(n)), list(range(n, 2 * n)))
    model = Model([main, condition, body])
    return Instance("WHILE", model, feeds(d, model, 2), broken)


def _handle(name: str, container: str = "") -> tuple[Tensor, dict[str, Any]]:
    options: dict[str, Any] = {"shared_name": name}
    if container:
        options["container"] = container
    return Tensor([], "RESOURCE"), options


def variables(d: Draw, operator: str) -> Instance:
    """Variables read and assigned in the main subgraph; set by CALL_ONCE in most cases."""
    once = operator == "CALL_ONCE" or d.chance(60)
    count = d.integer(1, 3)
    chain, init = Chain(d, []), Chain(d, [])
    outputs = []
    # TFLM compares names with strcmp: one without a container after one with it ends the process.
    container = d.choice(("", "box"))
    if once:
        chain.operators.append(Operator("CALL_ONCE", [], [], {"init_subgraph_index": 1}))
    for k in range(count):
        type_, shape = d.choice(("FLOAT32", "INT32", "INT8")), d.shape(1, 3)
        # TFLM's variables take their first value from the zero point: int8 needs one.
        x = chain.constant(quantized(d, shape, type_))
        chain.fed.append(x)
        tensor, options = _handle(f"v{k}", container)
        handle = chain.add("VAR_HANDLE", [], tensor, options)
        if once:
            tensor, options = _handle(f"v{k}", container)
            theirs = init.add("VAR_HANDLE", [], tensor, options)
            start = init.constant(chain.like(x, data=d.values(type_, shape)))
            init.operators.append(Operator("ASSIGN_VARIABLE", [theirs, start], [], {}))
        read = chain.add("READ_VARIABLE", [handle], chain.like(x), {})
        new = x
        if type_ != "INT8" and d.integer(0, 1):
            new = chain.add("ADD", [read, x], chain.like(x), {})
        chain.operators.append(Operator("ASSIGN_VARIABLE", [handle, new], [], {}))
        outputs.append(read)
        if d.integer(0, 1):
            outputs.append(chain.add("READ_VARIABLE", [handle], chain.like(x), {}))
    broken = None
    if once and d.chance(INVALID_PERCENT):
        broken = "init_subgraph_index"
        chain.operators[0].options = {"init_subgraph_index": 2}
    graphs = [chain.graph(outputs)] + ([init.graph([])] if once else [])
    model = Model(graphs)
    return Instance(operator, model, feeds(d, model, 3), broken)


def call_once(d: Draw) -> Instance:
    """CALL_ONCE: run by the first invocation only."""
    return variables(d, "CALL_ONCE")


def var_handle(d: Draw) -> Instance:
    """VAR_HANDLE."""
    return variables(d, "VAR_HANDLE")


def assign_variable(d: Draw) -> Instance:
    """ASSIGN_VARIABLE."""
    return variables(d, "ASSIGN_VARIABLE")


def read_variable(d: Draw) -> Instance:
    """READ_VARIABLE."""
    return variables(d, "READ_VARIABLE")
