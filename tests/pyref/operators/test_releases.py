"""Factors in float32 (TFLM 2026-08) and in double (the package the tests run against)."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import binary, tensor, unary
from tests.pyref.operators.releases import factors_agree


@pytest.mark.parametrize(
    ("op", "scales", "alpha", "agree"),
    [
        ("LEAKY_RELU", (0.027435275, 0.018996581), 1.8242504596710205, False),
        ("LEAKY_RELU", (0.5, 0.25), 0.5, True),
        ("SUB", (0.29723066, 0.059882905, 0.18237607), 0, False),
        ("ADD", (0.29723066, 0.059882905, 0.18237607), 0, True),
    ],
)
def test_factors_agree(op, scales, alpha, agree):
    assert factors_agree(op, scales, alpha) == agree


def test_leaky_relu_follows_2026_08():
    """leaky_relu_common.cc: static_cast<double>(input->params.scale / output->params.scale)."""
    made = unary(
        "LEAKY_RELU",
        tensor((1,), "INT16", 0.027435275),
        tensor((1,), "INT16", 0.018996581),
        {"alpha": 1.8242504596710205},
    )
    run = pyref.run(pyref.Model.from_bytes(build(made)), [np.array([11223], np.int16)])
    assert_same(run.outputs[0], np.array([16209], np.int16))  # in double: 16208


def test_sub_follows_2026_08():
    """sub_common.cc: const float twice_max_input_scale."""
    scales = (0.29723066, 0.059882905, 0.18237607)
    made = binary("SUB", (1,), (1,), (1,), kind="INT16", scales=scales)
    x = np.array([-19689], np.int16)
    run = pyref.run(pyref.Model.from_bytes(build(made)), [x, np.zeros(1, np.int16)])
    assert run.outputs[0][0] == -32089  # in double: -32088
