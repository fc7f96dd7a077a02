"""VAR_HANDLE, ASSIGN_VARIABLE, READ_VARIABLE and CALL_ONCE against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, Tensor, build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.tensors import constant, fed, plain
from tests.pyref.operators.witness import Table

HANDLE = {"container": "", "shared_name": "state"}


def handle(index, name="state"):
    return Operator("VAR_HANDLE", [], [index], {"container": "", "shared_name": name})


def accumulate(value, *, init=None, first="read"):
    """Output: the variable before (or after) the input is assigned to it.

    Args:
        value: the input's tensor, which the variable's is like.
        init: constant that a CALL_ONCE assigns first.
        first: "read" or "assign".
    """
    like = Tensor(value.shape, value.type, scale=value.scale, zero_point=value.zero_point)
    tensors = [value, Tensor([], "RESOURCE"), like]
    read = Operator("READ_VARIABLE", [1], [2], {})
    assign = Operator("ASSIGN_VARIABLE", [1, 0], [], {})
    order = [read, assign] if first == "read" else [assign, read]
    operators = [handle(1), *order]
    graphs = []
    if init is not None:
        operators.insert(0, Operator("CALL_ONCE", [], [], {"init_subgraph_index": 1}))
        ones = [Tensor([], "RESOURCE"), init]
        setup = [handle(0), Operator("ASSIGN_VARIABLE", [0, 1], [], {})]
        graphs.append(SubGraph(ones, setup, [], []))
    return Model([SubGraph(tensors, operators, [0], [2]), *graphs])


def like(values, value):
    return Tensor(
        data=np.array(values), type=value.type, scale=value.scale, zero_point=value.zero_point
    )


INT8, INT32 = fed([3], "INT8", 0.5, -7), plain([3], "INT32")
TABLE = Table(
    {
        "starts-at-the-zero-point": accumulate(INT8),
        "int16-starts-at-zero-point-bytes": accumulate(fed([3], "INT16", 0.5, 0)),
        "int32": accumulate(INT32),
        "float": accumulate(plain([3], "FLOAT32")),
        "assign-first": accumulate(INT8, first="assign"),
        "call-once": accumulate(INT8, init=like(np.array([1, 2, 3], np.int8), INT8)),
    },
    invocations=3,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def model(name):
    return pyref.Model.from_bytes(TABLE.cases[name])


def test_before_the_first_assignment_every_byte_is_the_zero_point():
    """MicroResourceVariables::Allocate; the zero point is cast to one byte for any type."""
    value = Tensor([2], "INT32", scale=1.0, zero_point=3)
    interpreter = Interpreter(pyref.Model.from_bytes(build(accumulate(value))))
    (output,) = interpreter.invoke([np.array([5, 6], np.int32)]).outputs
    assert output.tolist() == [0x03030303] * 2


def test_reset_goes_back_to_the_zero_point_and_does_not_call_once_again():
    interpreter = Interpreter(model("call-once"))
    x = np.array([9, 8, 7], np.int8)
    assert interpreter.invoke([x]).outputs[0].tolist() == [1, 2, 3]
    assert interpreter.invoke([x]).outputs[0].tolist() == [9, 8, 7]
    interpreter.reset()
    assert interpreter.invoke([x]).outputs[0].tolist() == [-7, -7, -7]


def test_restart_calls_once_again():
    interpreter = Interpreter(model("call-once"))
    x = np.array([9, 8, 7], np.int8)
    for _ in range(2):
        interpreter.restart()
        assert interpreter.invoke([x]).outputs[0].tolist() == [1, 2, 3]


def test_run_starts_from_a_fresh_state_every_time():
    x = np.array([9, 8, 7], np.int8)
    runs = [pyref.run(model("starts-at-the-zero-point"), [x]) for _ in range(2)]
    assert [r.outputs[0].tolist() for r in runs] == [[-7, -7, -7]] * 2


def test_assigned_value_is_a_copy():
    interpreter = Interpreter(model("int32"))
    x = np.array([1, 2, 3], np.int32)
    interpreter.invoke([x])
    x[:] = 0
    assert interpreter.invoke([x]).outputs[0].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("tensors", "operators", "reason"),
    [
        (
            [fed([3]), plain([1], "FLOAT32")],
            [Operator("ASSIGN_VARIABLE", [1, 0], [], {})],
            r"\(input_resource_id_tensor->type == kTfLiteResource \|\|",
        ),
        (
            [fed([3]), constant([0, 1])],
            [Operator("ASSIGN_VARIABLE", [1, 0], [], {})],
            r"NumElements\(input_resource_id_tensor->dims\) != 1 \(2 != 1\)",
        ),
        (
            [fed([3]), constant([5])],
            [Operator("ASSIGN_VARIABLE", [1, 0], [], {})],
            "Attempting to read non-existent resource variable 5",
        ),
    ],
    ids=["assign-type", "assign-count", "assign-unknown"],
)
def test_refusals(tensors, operators, reason):
    data = build(Model([SubGraph(tensors, operators, [0], [0])]))
    with pytest.raises(RefusedError, match=reason):
        Interpreter(pyref.Model.from_bytes(data))
