"""Several subgraphs and state: IF, WHILE, CALL_ONCE, resource variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fixtures.writer import Model, Operator, SubGraph, Tensor
from tests.property.instance import INVALID_PERCENT, Fed, Instance, feeds, given, quantized
from tests.property.strategies.chain import Chain

if TYPE_CHECKING:
    from tests.property.draw import Draw


#: Types of tensors that branches and bodies work on.
TYPES = ("FLOAT32", "INT32", "INT8")


class Graphs:
    """A model's subgraphs under construction; number 0 is added last, in front."""

    def __init__(self, d: Draw) -> None:
        self.d = d
        self.others: list[SubGraph] = []

    def add(self, graph: SubGraph) -> int:
        """Adds a subgraph; its index."""
        self.others.append(graph)
        return len(self.others)

    def branch(self, templates: list[Fed], *, nested: bool = False) -> int:
        """A subgraph that keeps its inputs' shapes and types: a few operators on each."""
        chain = Chain(self.d, copies(templates))
        ends = [self.work(chain, i, nested=nested) for i in range(len(templates))]
        return self.add(chain.graph(ends))

    def work(self, chain: Chain, index: int, *, nested: bool = False) -> int:
        """One to three operators on a tensor, or an IF of a constant condition."""
        d = self.d
        if not nested and d.chance(15):
            template = chain.like(index)
            both = [self.branch([template], nested=True) for _ in range(2)]
            condition = chain.constant(Fed([], "BOOL", data=np.array(bool(d.integer(0, 1)))))
            options = {"then_subgraph_index": both[0], "else_subgraph_index": both[1]}
            return chain.add("IF", [condition, index], template, options)
        for _ in range(d.integer(1, 3)):
            index = chain.keep(index)
        return index

    def model(self, main: SubGraph) -> Model:
        """The model with its main subgraph."""
        return Model([main, *self.others])


def copies(templates: list[Fed]) -> list[Fed]:
    """Tensors like these, to be told apart."""
    return [replace(t) for t in templates]


def _templates(d: Draw, low: int, high: int) -> list[Fed]:
    count = d.integer(low, high)
    return [quantized(d, d.shape(1, 3), d.choice(TYPES), scale=0.5) for _ in range(count)]


def if_(d: Draw) -> Instance:
    """IF: two subgraphs of the same inputs and outputs; the condition changes between runs."""
    templates, graphs = _templates(d, 1, 3), Graphs(d)
    branches = [graphs.branch(templates), graphs.branch(templates)]
    condition = Fed([1] if d.integer(0, 1) else [], "BOOL")
    n = len(templates)
    options = dict(zip(("then_subgraph_index", "else_subgraph_index"), branches, strict=True))
    broken = None
    if d.chance(INVALID_PERCENT):
        broken = d.choice(("condition", "index", "count"))
        then = graphs.others[branches[0] - 1]
        if broken == "condition":
            condition.type = "INT8"
        elif broken == "index":
            options[d.choice(list(options))] = len(graphs.others) + d.choice((1, 5))
        elif n > 1:
            then.inputs = list(then.inputs or ())[:-1]
    tensors: list[Tensor] = [condition, *copies(templates), *copies(templates)]
    outputs = list(range(n + 1, 2 * n + 1))
    operator = Operator("IF", list(range(n + 1)), outputs, options)
    model = graphs.model(SubGraph(tensors, [operator], list(range(n + 1)), outputs))
    return Instance("IF", model, feeds(d, model, 2), broken)


def while_(d: Draw) -> Instance:
    """WHILE: a counter up to a limit, and tensors that the body changes."""
    graphs = Graphs(d)
    step, limit = d.integer(1, 3), d.integer(-1, 6)
    scalar = [1] if d.integer(0, 1) else []
    counter = Fed(scalar, "INT32", value=lambda: d.values("INT32", scalar, low=-2, high=1))
    templates = [counter, *_templates(d, 0, 2)]
    n = len(templates)
    bound = given(d, np.full(scalar, limit))
    compare = d.choice(("LESS", "LESS_EQUAL", "NOT_EQUAL" if step == 1 and limit >= 1 else "LESS"))
    condition = SubGraph(
        [*copies(templates), bound, Fed(scalar, "BOOL")],
        [Operator(compare, [0, n], [n + 1], {})],
        list(range(n)),
        [n + 1],
    )
    options = {"cond_subgraph_index": graphs.add(condition)}
    chain = Chain(d, copies(templates))
    more = chain.constant(given(d, np.full(scalar, step)))
    ends = [chain.add("ADD", [0, more], Fed(scalar, "INT32"), {})]
    ends += [graphs.work(chain, i) for i in range(1, n)]
    body = chain.graph(ends)
    options["body_subgraph_index"] = graphs.add(body)
    broken = None
    if d.chance(INVALID_PERCENT):
        broken = d.choice(("index", "count"))
        if broken == "index":
            options[d.choice(list(options))] = len(graphs.others) + d.choice((1, 5))
        elif n > 1:
            body.outputs = list(body.outputs or ())[:-1]
    tensors: list[Tensor] = [*copies(templates), *copies(templates)]
    operator = Operator("WHILE", list(range(n)), list(range(n, 2 * n)), options)
    main = SubGraph(tensors, [operator], list(range(n)), list(range(n, 2 * n)))
    model = graphs.model(main)
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
