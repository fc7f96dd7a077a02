"""TFLite_Detection_PostProcess against TFLM."""

from __future__ import annotations

import numpy as np
import pytest
from flatbuffers import flexbuffers

from fixtures.writer import one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.tensors import constant, plain
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(11)


def detector(
    *,
    boxes=40,
    classes=3,
    background=1,
    most=8,
    regular=False,
    iou=0.4,
    score=0.3,
    each=1,
    kind="FLOAT32",
    drop=(),
):
    anchors = np.concatenate(
        [RNG.uniform(0, 1, (boxes, 2)), RNG.uniform(0.1, 0.5, (boxes, 2))], axis=1
    )
    options = {
        "max_detections": most,
        "max_classes_per_detection": each,
        "detections_per_class": 5,
        "use_regular_nms": regular,
        "nms_score_threshold": score,
        "nms_iou_threshold": iou,
        "num_classes": classes,
        "y_scale": 10.0,
        "x_scale": 10.0,
        "h_scale": 5.0,
        "w_scale": 5.0,
    }
    options = {k: v for k, v in options.items() if k not in drop}
    return one_operator(
        "CUSTOM",
        [
            plain([1, boxes, 4], kind),
            plain([1, boxes, classes + background], kind),
            constant(anchors, "FLOAT32"),
        ],
        [
            plain([1, most, 4], "FLOAT32"),
            plain([1, most], "FLOAT32"),
            plain([1, most], "FLOAT32"),
            plain([1], "FLOAT32"),
        ],
        custom_code="TFLite_Detection_PostProcess",
        custom_options=bytes(flexbuffers.Dumps(options)),
    )


def inputs(boxes=40, columns=4):
    scores = RNG.uniform(0, 1, (1, boxes, columns)).astype(np.float32)
    scores[0, 5] = scores[0, 9]  # equal scores keep their order
    return [RNG.normal(size=(1, boxes, 4)).astype(np.float32), scores]


CASES = {
    "regular": detector(regular=True),
    "regular-no-background": detector(regular=True, background=0),
    "regular-loose": detector(regular=True, iou=0.9, score=0.0, most=30),
    "regular-default-per-class": detector(regular=True, drop=["detections_per_class"], most=50),
    "fast-full": detector(score=0.0, iou=1.0),
    "refused-iou": detector(iou=0.0),
    "refused-classes-per-detection": detector(each=0),
}
TABLE = Table(
    {**CASES, "refused-int8": detector(kind="INT8")},
    inputs={k: inputs(columns=3 if "no-back" in k else 4) for k in CASES},
)


@TABLE.parametrize
def test_like_tflm(case):
    if case == "refused-int8":  # TFLM fails without a word
        assert TABLE.results[case].refusal == "Interpreter invocation failed."
        with pytest.raises(RefusedError, match="of another type than FLOAT32"):
            TABLE.run(case)
        return
    TABLE.check(case)


def test_what_the_fast_variant_does_not_fill_is_zeros():
    """TFLM leaves it unwritten; up to the count both agree."""
    table = Table({"x": detector(iou=0.1, most=20)}, inputs={"x": inputs()})
    got, expected = table.run("x")[0], table.results["x"].outputs[0]
    count = int(got[3][0])
    assert count == int(expected[3][0]) < 20
    for a, b in zip(got[:3], expected[:3], strict=True):
        assert a[0, :count].tolist() == b[0, :count].tolist()
        assert not a[0, count:].any()
