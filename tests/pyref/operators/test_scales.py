"""Operators whose tensors lack a scale: refused with TFLM's words where it has any."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.test_conv import conv
from tests.pyref.operators.test_fully_connected import dense
from tests.pyref.operators.witness import Table


def without(model, position):
    """The same model with one tensor's quantisation left out."""
    given = model.subgraphs[0].tensors[position]
    given.scale = given.zero_point = None
    return model


TABLE = Table(
    {
        "conv-input": without(conv(), 0),
        "conv-filter": without(conv(), 1),
        "conv-bias-runs": without(conv(), 2),
        "conv-output-relu": without(conv(activation="RELU"), 3),
        "fully_connected-input-runs": without(dense(bias_scale=1e-9), 0),
        "fully_connected-output-relu6": without(
            dense(types=("INT8", "INT8", None), activation="RELU6"), 2
        ),
        "quantize-output": unary("QUANTIZE", tensor((4,)), Tensor((4,))),
        "softmax-output": unary("SOFTMAX", tensor((4,)), Tensor((4,)), {"beta": 1.0}),
        "logistic-int16-input-runs": unary(
            "LOGISTIC", Tensor((9,), "INT16"), tensor((9,), "INT16", 1 / 32768)
        ),
        "add-output": one_operator("ADD", [tensor((4,))] * 2, [Tensor((4,))], {}),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


UNDEFINED = {
    "conv": without(conv(), 3),
    "mul": one_operator("MUL", [tensor((4,))] * 2, [Tensor((4,))], {}),
    "relu": unary("RELU", tensor((4,)), Tensor((4,))),
}


@pytest.mark.parametrize("case", list(UNDEFINED))
def test_a_division_by_a_scale_of_0_is_refused(case):
    """TFLM converts an infinite factor to an integer: undefined, and x86-64 runs on with 0."""
    model = pyref.Model.from_bytes(build(UNDEFINED[case]))
    with pytest.raises(RefusedError, match="a scale is 0 or absent"):
        pyref.run(model, [np.zeros(t.shape, t.dtype) for t in model.inputs])
