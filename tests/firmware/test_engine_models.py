"""Whole models: the fixtures against pyref, public models against TFLM's own figures."""

from __future__ import annotations

import hashlib
import struct

import pytest

import pyref
from pyref.container.walk import walk
from tests.firmware.engine_on_host import FIXTURES, build, needs_gcc, run
from tests.public_models import MODELS, facts, needs_facts, needs_models
from tests.tflm import needs_tflm
from tests.tflm import run as run_tflm

pytestmark = needs_gcc

PUBLIC = [
    "mlperf_tiny/ad01_int8.tflite",
    "mlperf_tiny/kws_ref_model.tflite",
    "mlperf_tiny/pretrainedResnet_quant.tflite",
    "mlperf_tiny/str_ww_ref_model.tflite",
    "mlperf_tiny/vww_96_int8.tflite",
    "mlperf_tiny/model_ToyCar_quant_fullint.tflite",
    "mlperf_tiny/pretrainedResnet_large_int8.tflite",
    "tflm/person_detect.tflite",
    "tflm/micro_speech_quantized.tflite",
    "tflm/hello_world_int8.tflite",
    "mlonmcu/qnn_model.tflite",
    *[f"tflm_seanet/strided_slice{i}.tflite" for i in (0, 10, 19, 33)],
]

NOT_FOR_THIS_ENGINE = {
    "mlperf_tiny/ad01_fp32.tflite": "UNSUPPORTED",  # float32
    "micro_wake_word/vad.tflite": "UNSUPPORTED",  # two subgraphs
    "tflm/keyword_scrambled.tflite": "UNSUPPORTED",  # variable tensors
    "tflm/audio_preprocessor_int8.tflite": "UNKNOWN_OPERATOR",
    "tflm/person_detect_vela.tflite": "UNKNOWN_OPERATOR",  # CUSTOM, as in TFLM
    "coral/deeplab_mobilenet_edgetpu_slim_cityscapes_quant.tflite": "UNKNOWN_OPERATOR",
    "coral/mobilenet_v1_0.25_128_quant.tflite": "REFUSED",
    "coral/tools_split_concat.tflite": "UNKNOWN_OPERATOR",
    "mlperf_tiny/kws_ref_model_float32.tflite": "REFUSED",
    "mlperf_tiny/model_ToyCar_quant.tflite": "REFUSED",
}


@pytest.mark.parametrize("name", ["c2_bn", "dense", "odd"])
def test_fixture_like_pyref(name):
    data = (FIXTURES / f"{name}.tflite").read_bytes()
    model = pyref.Model.from_bytes(data)
    inputs = pyref.seeded_inputs(model, 3)
    expected = pyref.run(model, inputs)
    got = run(data, inputs)
    assert got.error is None
    for (index, op, tensor, raw), wanted in zip(got.outputs, expected.operators, strict=True):
        assert (index, op, [tensor]) == (wanted.index, wanted.op, list(wanted.outputs))
        assert raw == wanted.outputs[tensor].tobytes(), f"operator {index} ({op})"


@needs_tflm
@pytest.mark.parametrize("name", ["c2_bn", "dense", "odd"])
def test_fixture_like_tflm(name):
    data = (FIXTURES / f"{name}.tflite").read_bytes()
    inputs = pyref.seeded_inputs(pyref.Model.from_bytes(data), 4)
    tensors = run_tflm(data, inputs).tensors[0]
    for index, op, tensor, raw in run(data, inputs).outputs:
        assert raw == tensors[tensor].tobytes(), f"operator {index} ({op})"


@needs_facts
@pytest.mark.parametrize("name", PUBLIC)
def test_public_model_like_the_facts(name):
    measured = facts()["models"][name]
    data = (MODELS / name).read_bytes()
    inputs = pyref.seeded_inputs(pyref.Model.from_bytes(data), 0)
    got = run(data, inputs)
    assert got.error is None
    assert len(got.outputs) == len(measured["op_outputs"])
    for (index, op, tensor, raw), wanted in zip(got.outputs, measured["op_outputs"], strict=True):
        digest = hashlib.sha256(raw).hexdigest()[:16] if raw else ""
        assert {str(tensor): digest} == wanted["outputs"], f"operator {index} ({op})"
    planned = measured["builds"]["tflm-2026-08/reference"]["tensor_offsets"]
    assert {str(k): v for k, v in got.offsets.items()} == planned


@needs_models
@pytest.mark.parametrize("name", NOT_FOR_THIS_ENGINE)
def test_other_public_models_get_a_typed_error(name):
    assert run((MODELS / name).read_bytes()).status == NOT_FOR_THIS_ENGINE[name]


@pytest.mark.parametrize("poison", [0x00, 0x7F, 0xFF])
def test_what_the_arena_held_does_not_matter(poison):
    data = (FIXTURES / "odd.tflite").read_bytes()
    inputs = pyref.seeded_inputs(pyref.Model.from_bytes(data), 0)
    assert run(data, inputs, poison=poison).outputs == run(data, inputs).outputs


@pytest.mark.parametrize("flags", [("-fsigned-char",), ("-funsigned-char",), ("-O2",)])
def test_plain_char_and_optimisation_do_not_matter(flags):
    data = (FIXTURES / "odd.tflite").read_bytes()
    inputs = pyref.seeded_inputs(pyref.Model.from_bytes(data), 0)
    assert run(data, inputs, program=build(*flags)).outputs == run(data, inputs).outputs


@pytest.mark.parametrize("name", ["c2_bn", "dense", "odd"])
def test_smallest_arena_is_what_the_engine_says(name):
    data = (FIXTURES / f"{name}.tflite").read_bytes()
    *_, needed = run(data).arena
    assert run(data, arena_size=needed).error is None
    for size in (needed - 16, needed // 32 * 16, 256, 16, 0):
        refused = run(data, arena_size=size)
        assert refused.status == "ARENA_TOO_SMALL"
        assert size < refused.number("expected") <= needed


def test_8_byte_numbers_at_a_multiple_of_4():
    """Zero points may stand so in public models that tools have rewritten; pyref takes them too."""
    data = bytearray((FIXTURES / "dense.tflite").read_bytes())
    reference = next(
        part.position
        for region in walk(bytes(data))
        for part in region.parts
        if "tensors[0].quantization (" in region.meaning and "(zero_point)" in part.meaning
    )
    zero_point = pyref.Model.from_bytes(bytes(data)).inputs[0].zero_point
    data += bytes(-len(data) % 8)
    struct.pack_into("<I", data, reference, len(data) - reference)
    data += struct.pack("<Iq", 1, zero_point)  # its element stands at 4 modulo 8
    model = pyref.Model.from_bytes(bytes(data))
    assert model.inputs[0].zero_point == zero_point
    assert run(bytes(data)).error is None
