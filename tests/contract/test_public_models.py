"""Public models on the emulated board: every tensor as pyref has it, and as TFLM itself had it."""

from __future__ import annotations

import pytest

import pyref
from hil import job, resources
from hil.targets import open_target
from tests.public_models import MODELS, facts, needs_facts

PUBLIC = [
    "mlperf_tiny/ad01_int8.tflite",
    "mlperf_tiny/kws_ref_model.tflite",
    "mlperf_tiny/model_ToyCar_quant_fullint.tflite",
    "mlperf_tiny/pretrainedResnet_quant.tflite",
    "mlperf_tiny/str_ww_ref_model.tflite",
    "mlperf_tiny/vww_96_int8.tflite",
    "mlonmcu/qnn_model.tflite",
    "tflm/hello_world_int8.tflite",
    "tflm/micro_speech_quantized.tflite",
    "tflm/person_detect.tflite",
]


@needs_facts
@pytest.mark.parametrize("name", PUBLIC)
def test_every_tensor_on_the_emulated_board(name):
    model = pyref.Model.from_file(MODELS / name)
    golden = job.make_golden(model, seed=0)
    with open_target("emulator", board=resources.board("stm32h747i_disco")) as target:
        seen = job.observe(model, golden.inputs, target)
    comparison = job.judge(model, golden, seen)
    assert comparison.reasons == ()
    measured = facts()["models"][name]["op_outputs"]
    assert len(measured) == len(seen.operators)
    for operator, tflm in zip(seen.operators, measured, strict=True):
        digests = {str(t): d.hex() for t, d in operator.digests.items()}
        assert digests == tflm["outputs"], f"operator {operator.index} ({operator.op})"
