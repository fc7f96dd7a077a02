"""CIRCULAR_BUFFER against TFLM."""

from __future__ import annotations

import numpy as np
import pytest
from flatbuffers import flexbuffers

import pyref
from fixtures.writer import Model, Operator, SubGraph, Tensor, build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.operators.witness import Table


def circular(cycles=None, *, shape=(1, 1, 2, 3), slots=4, target=None, options=None, then=False):
    """The buffer, and (`then`) a copy of it by an operator that runs every `cycles` times."""
    target = target or (shape[0], slots, *shape[2:])
    if options is None:
        options = b"" if cycles is None else bytes(flexbuffers.Dumps({"cycles_max": cycles}))
    tensors = [
        Tensor(list(shape), "INT8", scale=0.5, zero_point=-3),
        Tensor(list(target), "INT8", scale=0.5, zero_point=-3, is_variable=True),
        Tensor(list(target), "INT8", scale=0.5, zero_point=-3),
    ]
    operators = [
        Operator("CUSTOM", [0], [1], custom_code="CIRCULAR_BUFFER", custom_options=options)
    ]
    if then:
        operators.append(Operator("RESHAPE", [1], [2], {}))
    return Model([SubGraph(tensors, operators, [0], [2 if then else 1])])


TABLE = Table(
    {
        "every-time": circular(1),
        "every-time-copied": circular(1, then=True),
        "every-third": circular(3),
        "one-slot": circular(1, slots=1),
        "no-options-5-slots": circular(slots=5),
        "no-options": circular(slots=4),
        "refused-rows": circular(1, shape=(1, 2, 2, 3)),
        "refused-channels": circular(1, target=(1, 4, 2, 5)),
    },
    invocations=7,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_invocation_ends_at_the_buffer_but_every_third_time():
    model = pyref.Model.from_bytes(build(circular(3, then=True)))
    interpreter = Interpreter(model)
    runs = [interpreter.invoke([np.full((1, 1, 2, 3), i, np.int8)]) for i in range(1, 7)]
    assert [len(run.operators) for run in runs] == [1, 1, 2, 1, 1, 2]
    assert runs[2].outputs[0][0, :, 0, 0].tolist() == [-3, 1, 2, 3]
    assert runs[4].outputs[0][0, :, 0, 0].tolist() == [-3, 1, 2, 3]
    assert runs[5].outputs[0][0, :, 0, 0].tolist() == [3, 4, 5, 6]


def test_reset_empties_it_and_starts_the_count_again():
    interpreter = Interpreter(pyref.Model.from_bytes(build(circular(2, then=True))))
    x = np.full((1, 1, 2, 3), 9, np.int8)
    interpreter.invoke([x])
    interpreter.reset()
    assert len(interpreter.invoke([x]).operators) == 1
    run = interpreter.invoke([x])
    assert run.outputs[0][0, :, 0, 0].tolist() == [-3, -3, 9, 9]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (b"\x01", "1 bytes are too few for a flexbuffer"),
        (b"\x05\x04\x01", "the flexbuffer's root is no map"),
        (b"\x07\x24\x01", "goes before the flexbuffer"),
        (bytes(flexbuffers.Dumps({})), "element 0 of 0 is missing"),
    ],
    ids=["short", "integer", "offset", "empty-map"],
)
def test_options_that_are_no_flexbuffer_are_refused(options, reason):
    model = build(circular(options=options))
    with pytest.raises(RefusedError, match=f"custom options cannot be read: .*{reason}"):
        Interpreter(pyref.Model.from_bytes(model))
