"""The public models against what TFLM computed for them on a Cortex-M7, byte by byte.

The arena of the same models is compared in tests/pyref/arena/test_facts.py.
"""

from __future__ import annotations

import hashlib
from functools import partial

import numpy as np
import pytest

import pyref
from tests.public_models import MODELS, facts, needs_facts

FACTS = facts()
INTEGER = sorted(n for n, m in FACTS["models"].items() if not m["float_kernels"])
REJECTED = sorted(FACTS["rejected"])

pytestmark = needs_facts


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def first_difference(got, expected):
    """The first operator output, or model output, whose digest is another; None where none is."""
    if len(got.operators) != len(expected["op_outputs"]):
        return f"{len(got.operators)} operators, expected {len(expected['op_outputs'])}"
    for k, (ran, wanted) in enumerate(zip(got.operators, expected["op_outputs"], strict=True)):
        # Models of several subgraphs carry the digests of their outputs alone.
        for tensor, stored in (wanted["outputs"] or {}).items():
            array = ran.outputs[int(tensor)]
            if array.size and digest(array) != stored:
                return f"operator {k} ({ran.op}), tensor {tensor}: {array.dtype} {array.shape}"
    for k, (array, stored) in enumerate(zip(got.outputs, expected["outputs"], strict=True)):
        if array.size and digest(array) != stored:
            return f"output {k}"
    return None


@pytest.mark.parametrize("kernels", ["reference", "cmsis_nn"])
@pytest.mark.parametrize("name", INTEGER)
def test_every_operator_output_is_tflms(name, kernels):
    model = pyref.Model.from_file(MODELS / name)
    assert model.sha256 == FACTS["models"][name]["sha256"]
    run = partial(pyref.run, kernels=kernels)
    assert (
        first_difference(run(model, pyref.seeded_inputs(model, 0)), FACTS["models"][name]) is None
    )


@pytest.mark.parametrize("name", REJECTED)
def test_refused_for_tflms_reason(name):
    model = pyref.Model.from_file(MODELS / name)
    with pytest.raises(pyref.RefusedError) as caught:
        pyref.run(model, pyref.seeded_inputs(model, 0))
    # TFLM says nothing at all where its message is empty.
    assert FACTS["rejected"][name]["message"] in caught.value.reason
