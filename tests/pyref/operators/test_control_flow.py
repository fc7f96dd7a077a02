"""IF, WHILE and CALL_ONCE against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import constant, plain
from tests.pyref.operators.witness import Table

INT, BOOL = "INT32", "BOOL"


def graph(op, more=(), shape=(2,), options=None):
    """A subgraph of one operator on its one input (and constants) of int32."""
    tensors = [plain(shape, INT), *more, plain(shape, INT)]
    last = len(tensors) - 1
    return SubGraph(tensors, [Operator(op, list(range(last)), [last], options)], [0], [last])


ADD_5 = {"fused_activation_function": "NONE"}


def branches(then_graph, else_graph, *, condition=BOOL, then_index=1, else_index=2, shape=(2,)):
    tensors = [plain([1], condition), plain(shape, INT), plain(shape, INT)]
    options = {"then_subgraph_index": then_index, "else_subgraph_index": else_index}
    main = SubGraph(tensors, [Operator("IF", [0, 1], [2], options)], [0, 1], [2])
    return Model([main, then_graph, else_graph])


def add(number):
    return graph("ADD", [constant([number] * 2)], options=ADD_5)


TWO_INPUTS = SubGraph([plain([2], INT)] * 3, [Operator("ADD", [0, 1], [2], ADD_5)], [0, 1], [2])
PASS = SubGraph([plain([2], INT)], [], [0], [0])


def loop(body, *, limit=10, shape=(1,), cond_index=1, body_index=2, outputs=1):
    """While x < limit: x = body(x)."""
    tensors = [plain(shape, INT), plain(shape, INT)]
    options = {"cond_subgraph_index": cond_index, "body_subgraph_index": body_index}
    main = SubGraph(tensors, [Operator("WHILE", [0], [1][:outputs], options)], [0], [1])
    compare = [plain(shape, INT), constant([limit]), plain([1], BOOL)]
    cond = SubGraph(compare, [Operator("LESS", [0, 1], [2], {})], [0], [2])
    return Model([main, cond, body])


STEP = graph("ADD", [constant([3])], shape=[1], options=ADD_5)
X = np.array([7, -4], np.int32)
TABLE = Table(
    {
        "if-then": branches(add(5), add(100)),
        "if-else": branches(add(5), add(100)),
        "if-else-passes-through": branches(add(5), PASS),
        "if-else-with-more-inputs-not-taken": branches(add(5), TWO_INPUTS),
        "while": loop(STEP),
        "while-never": loop(STEP, limit=-100),
        "refused-if-else-with-more-inputs": branches(add(5), TWO_INPUTS),
        "refused-if-then-with-more-inputs": branches(TWO_INPUTS, add(5)),
        "refused-if-condition": branches(add(5), add(6), condition=INT),
        "refused-while-outputs": loop(STEP, outputs=0),
        "refused-while-body": loop(TWO_INPUTS),
    },
    inputs={
        "if-then": [np.array([True]), X],
        "if-else": [np.array([False]), X],
        "if-else-passes-through": [np.array([False]), X],
        "if-else-with-more-inputs-not-taken": [np.array([True]), X],
        "refused-if-else-with-more-inputs": [np.array([False]), X],
    },
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_operators_of_the_branch_are_recorded_before_the_if():
    interpreter = Interpreter(pyref.Model.from_bytes(TABLE.cases["if-then"]))
    run = interpreter.invoke([np.array([True]), X])
    assert [(o.subgraph, o.op) for o in run.operators] == [(1, "ADD"), (0, "IF")]


def test_operator_that_only_fails_when_it_runs_may_stay_in_the_other_branch():
    """A type that TFLM's Eval refuses is no reason to refuse the model."""
    floor = SubGraph([plain([2], INT), plain([2], INT)], [Operator("FLOOR", [0], [1])], [0], [1])
    interpreter = Interpreter(pyref.Model.from_bytes(build(branches(add(5), floor))))
    assert interpreter.invoke([np.array([True]), X]).outputs[0].tolist() == [12, 1]
    with pytest.raises(RefusedError, match=r"floor.cc input->type != kTfLiteFloat32"):
        interpreter.invoke([np.array([False]), X])
