"""UNIDIRECTIONAL_SEQUENCE_LSTM against TFLM, and where CMSIS-NN differs."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.equal import assert_same
from tests.pyref.operators.witness import Table


def lstm(
    type_="INT8",
    *,
    sizes=(2, 5, 3, 4),
    time_major=False,
    activation="TANH",
    clip=0.0,
    seed=0,
    weight_scale=0.02,
    cell_scale=2.0**-11,
    zero_points=(3, -9),
    hidden_variable=True,
    drop=(),
):
    """A model of one LSTM: batch, time, inputs, units."""
    batch, time, inputs, units = sizes
    rng = np.random.default_rng(seed)
    real = type_ == "FLOAT32"
    points = (0, 0) if type_ == "INT16" else zero_points

    def activation_tensor(shape, zero_point, scale, **more):
        quantization = {} if real else {"scale": scale, "zero_point": zero_point}
        return Tensor(shape, type_, **quantization, **more)

    def weights(columns):
        if real:
            return Tensor(data=rng.normal(size=(units, columns)).astype(np.float32))
        values = rng.integers(-127, 128, (units, columns)).astype(np.int8)
        return Tensor(data=values, scale=float(weight_scale * rng.uniform(0.5, 1.5)))

    def bias():
        kind = {"FLOAT32": np.float32, "INT8": np.int32, "INT16": np.int64}[type_]
        return Tensor(data=(rng.normal(size=units) * (1 if real else 500)).astype(kind))

    front = [time, batch] if time_major else [batch, time]
    cell = Tensor(
        [batch, units],
        "FLOAT32" if real else "INT16",
        scale=None if real else cell_scale,
        is_variable=True,
    )
    state = activation_tensor([batch, units], points[1], 1 / 128, is_variable=hidden_variable)
    tensors = [
        activation_tensor([*front, inputs], points[0], 0.02 if type_ == "INT8" else 1e-4),
        *(weights(inputs) for _ in range(4)),
        *(weights(units) for _ in range(4)),
        None,
        None,
        None,
        *(bias() for _ in range(4)),
        None,
        None,
        state,
        cell,
        None,
        None,
        None,
        None,
    ]
    for i in drop:
        tensors[i] = None
    options = {
        "fused_activation_function": activation,
        "cell_clip": clip,
        "time_major": time_major,
    }
    output = activation_tensor([*front, units], points[1], 1 / 128)
    return one_operator("UNIDIRECTIONAL_SEQUENCE_LSTM", tensors, [output], options)


TABLE = Table(
    {
        "int8": lstm(),
        "int8-time-major": lstm(time_major=True),
        "int8-long": lstm(sizes=(1, 40, 6, 7), seed=1),
        "int8-clip": lstm(clip=0.5, seed=2),
        "int8-saturating": lstm(weight_scale=0.5, seed=3),
        "int8-fine-cell": lstm(cell_scale=2.0**-15, seed=4, weight_scale=0.1),
        "int16": lstm("INT16", seed=5),
        "int16-time-major-clip": lstm("INT16", time_major=True, clip=0.3, seed=6),
        "int16-saturating": lstm("INT16", weight_scale=2.0, seed=7),
        "refused-state": lstm(hidden_variable=False),
        "refused-no-outputs": one_operator("UNIDIRECTIONAL_SEQUENCE_LSTM", [None] * 23, [], {}),
    },
    invocations=3,
)
FLOATS = Table(
    {
        "float": lstm("FLOAT32"),
        "float-time-major-clip": lstm("FLOAT32", time_major=True, clip=0.4, seed=8),
        "float-long": lstm("FLOAT32", sizes=(1, 30, 5, 6), seed=9),
    },
    invocations=2,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    """exp and tanh differ in the last place from C's, and the state carries that on.

    Outputs lie in (-1, 1); where terms cancel, only the distance in places of 1 says something.
    """
    outputs = zip(FLOATS.run(case), FLOATS.results[case].outputs, strict=True)
    distance = max(np.abs(got[0] - expected[0]).max() for got, expected in outputs)
    assert distance <= 4 * np.finfo(np.float32).eps


@pytest.mark.parametrize("case", ["int8", "int8-time-major", "int16", "int8-clip"])
def test_cmsis_nn_agrees_on_the_first_invocation(case):
    assert_same(TABLE.run(case, "cmsis_nn")[0][0], TABLE.run(case)[0][0], case)


@pytest.mark.parametrize("case", ["int8", "int16"])
def test_cmsis_nn_forgets_its_state_between_invocations(case):
    """cmsis_nn/unidirectional_sequence_lstm.cc passes no hidden state; the cell is zeroed."""
    model = pyref.Model.from_bytes(TABLE.cases[case])
    x = pyref.seeded_inputs(model, 0)
    reference, cmsis = (Interpreter(model, kernels=k) for k in ("reference", "cmsis_nn"))
    first, second = (cmsis.invoke(x).outputs[0] for _ in range(2))
    assert_same(second, first, case)
    first, second = (reference.invoke(x).outputs[0] for _ in range(2))
    assert (second != first).any()


def test_cmsis_nn_saturates_a_gate_once():
    """arm_nn_vec_mat_mul_result_acc_s8_s16 adds the second term before it clamps."""
    reference, cmsis = (TABLE.run("int8-saturating", k)[0][0] for k in ("reference", "cmsis_nn"))
    assert (reference != cmsis).any()


def test_other_activation_is_none_in_the_reference_and_sigmoid_in_cmsis_nn():
    table = Table({"x": lstm(activation="RELU")})
    assert (table.run("x")[0][0] != table.run("x", "cmsis_nn")[0][0]).any()


def test_reset_sets_the_state_back():
    interpreter = Interpreter(pyref.Model.from_bytes(TABLE.cases["int8"]))
    (x,) = pyref.seeded_inputs(interpreter.model, 0)
    first = interpreter.invoke([x]).outputs[0]
    interpreter.reset()
    assert_same(interpreter.invoke([x]).outputs[0], first)


def test_weights_that_tflm_would_misread_are_refused():
    model = lstm()
    model.subgraphs[0].tensors[9] = Tensor(data=np.zeros(4, np.int16))
    with pytest.raises(RefusedError, match=r"bias_type \(2 != 7\)|bias_type"):
        Interpreter(pyref.Model.from_bytes(build(model)))
