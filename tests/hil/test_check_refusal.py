"""Would TFLM take the model: in its words, by release."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, Tensor, build, one_operator
from hil.check.refusal import plan_or_refusal, refusal
from hil.check.releases import RULES_2024_06
from tests.hil.public_models import public_model


def q16(shape: list[int]) -> Tensor:
    return Tensor(shape, type="INT16", scale=0.5, zero_point=0)


def dense(channel_scales: list[float]) -> Model:
    return one_operator(
        "FULLY_CONNECTED",
        inputs=[
            Tensor([1, 4], scale=0.5, zero_point=0),
            Tensor(data=np.ones([3, 4], np.int8), scale=channel_scales),
            Tensor(data=np.zeros(3, np.int32), scale=[0.5 * scale for scale in channel_scales]),
        ],
        outputs=[Tensor([1, 3], scale=0.5, zero_point=0)],
    )


def pair(op: str) -> Model:
    return one_operator(op, inputs=[q16([1, 4]), q16([1, 4])], outputs=[q16([1, 4])])


PER_CHANNEL = (
    "fully_connected_common.cc FullyConnected per-channel quantization not yet supported. "
    "Please set converter._experimental_disable_per_channel_quantization_for_dense_layers = True."
)
#: Operators that 2024-06 refuses and 2026-08 takes: TFLM's words of 2024-06.
OLDER = {
    "fully_connected-per_channel": (
        dense([0.1, 0.2, 0.3]),
        PER_CHANNEL,
    ),
    "relu-int16": (
        one_operator("RELU", inputs=[q16([1, 4])], outputs=[q16([1, 4])]),
        "Only float32 is supported currently, got INT16",
    ),
    "maximum-int16": (pair("MAXIMUM"), "Type INT16 (7) is not supported by Maximum/Minimum."),
    "transpose-int16": (
        one_operator(
            "TRANSPOSE",
            inputs=[q16([2, 4]), Tensor(data=np.array([1, 0], np.int32), scale=None)],
            outputs=[q16([4, 2])],
        ),
        "Type INT16 is currently not supported by Transpose. Only float32 and int8 is supported",
    ),
    "pack-int16": (
        one_operator(
            "PACK",
            inputs=[q16([4]), q16([4])],
            outputs=[q16([2, 4])],
            options={"values_count": 2, "axis": 0},
        ),
        "Type 'INT16' is not supported by pack.",
    ),
    "unpack-int16": (
        one_operator(
            "UNPACK",
            inputs=[q16([2, 4])],
            outputs=[q16([4]), q16([4])],
            options={"num": 2, "axis": 0},
        ),
        "Type 'INT16' is not supported by unpack.",
    ),
    "sub-int32": (
        one_operator(
            "SUB",
            inputs=[Tensor([4], type="INT32", scale=None), Tensor([4], type="INT32", scale=None)],
            outputs=[Tensor([4], type="INT32", scale=None)],
            options={},
        ),
        "Type INT32 (2) not supported.",
    ),
    "greater-int16": (
        one_operator(
            "GREATER",
            inputs=[q16([4]), q16([4])],
            outputs=[Tensor([4], type="BOOL", scale=None)],
        ),
        "Type INT16 (7) not supported.",
    ),
}


@pytest.mark.parametrize(("model", "words"), OLDER.values(), ids=OLDER)
def test_what_only_the_older_release_refuses(model, words):
    loaded = pyref.Model.from_bytes(build(model))
    assert refusal(loaded, "2026-08", "reference", invoke=True).reason is None
    for kernels in ("reference", "cmsis_nn"):
        reason = refusal(loaded, "2024-06", kernels, invoke=True).reason
        assert reason is not None
        assert reason.endswith(words)
        assert reason.startswith("operator 0 (")


def test_every_rule_names_its_source_and_phase():
    for rule in RULES_2024_06:
        assert rule.source.endswith(".cc")
        assert rule.phase in {"prepare", "invoke"}


def test_per_tensor_dense_is_taken_by_both():
    model = pyref.Model.from_bytes(build(dense([0.1])))
    for release in ("2026-08", "2024-06"):
        assert refusal(model, release, "cmsis_nn", invoke=True).reason is None


def test_what_prepare_refuses_comes_before_what_invoke_refuses():
    tensors = [
        q16([1, 4]),
        q16([1, 4]),
        Tensor([1, 4], scale=0.5, zero_point=0),
        Tensor(data=np.ones([3, 4], np.int8), scale=[0.1, 0.2, 0.3]),
        Tensor([1, 3], scale=0.5, zero_point=0),
    ]
    ops = [Operator("RELU", [0], [1]), Operator("FULLY_CONNECTED", [2, 3, -1], [4], {})]
    model = pyref.Model.from_bytes(build(Model([SubGraph(tensors, ops, [0, 2], [1, 4])])))
    reason = refusal(model, "2024-06", "reference", invoke=False).reason
    assert reason.startswith("operator 1 (FULLY_CONNECTED)")


def test_a_check_that_came_later_is_a_warning_for_the_older_release():
    pool = one_operator(
        "MAX_POOL_2D",
        inputs=[Tensor([1, 4, 4, 1], scale=0.5, zero_point=0)],
        outputs=[Tensor([1, 2, 2, 1], scale=0.25, zero_point=0)],
        options={
            "padding": "VALID",
            "stride_w": 2,
            "stride_h": 2,
            "filter_width": 2,
            "filter_height": 2,
        },
    )
    model = pyref.Model.from_bytes(build(pool))
    assert "scale_diff" in refusal(model, "2026-08", "reference", invoke=True).reason
    older = refusal(model, "2024-06", "reference", invoke=True)
    assert older.reason is None
    assert "2024-06 does not check what 2026-08 refuses" in older.warnings[0]


def test_what_the_older_release_takes_to_compute_garbage_is_refused():
    hybrid = one_operator(
        "FULLY_CONNECTED",
        inputs=[
            Tensor([1, 4], type="FLOAT32", scale=None),
            Tensor(data=np.ones([3, 4], np.int8), scale=0.1, zero_point=0),
            None,
        ],
        outputs=[Tensor([1, 3], type="FLOAT32", scale=None)],
    )
    model = pyref.Model.from_bytes(build(hybrid))
    reason = refusal(model, "2024-06", "cmsis_nn", invoke=True).reason
    assert "and reads the int8 weights as float32, past their end" in reason
    assert refusal(model, "2024-06", "reference", invoke=True).reason.endswith(
        "Input type: FLOAT32 with filter type: INT8 not supported."
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "coral/deeplab_mobilenet_edgetpu_slim_cityscapes_quant",
            "Didn't find op for builtin opcode 'TILE'",
        ),
        ("mlperf_tiny/kws_ref_model_float32", "Hybrid models are not supported on TFLite Micro."),
        (
            "mlperf_tiny/model_ToyCar_quant",
            "Input type: FLOAT32 with filter type: INT8 not supported.",
        ),
        ("tflm/person_detect_vela", "Failed to get registration from op code CUSTOM"),
    ],
    ids=["no-tile", "hybrid-conv", "hybrid-dense", "ethos-u"],
)
def test_models_that_tflm_refuses_in_its_words(name, words):
    model = pyref.Model.from_file(public_model(f"{name}.tflite"))
    _, found = plan_or_refusal(model, "2026-08", "reference", invoke=True)
    assert words in found.reason


def test_a_broken_offline_plan_is_tflms_refusal():
    from fixtures.writer import Metadata

    model = dense([0.1])
    model.metadata = [Metadata("OfflineMemoryAllocation", np.array([1, 0, 9], np.int32).tobytes())]
    loaded = pyref.Model.from_bytes(build(model))
    plan, found = plan_or_refusal(loaded, "2026-08", "cmsis_nn")
    assert plan is None
    assert found.reason.startswith("Nbr of offline buffer offsets (9) in metadata not equal")
