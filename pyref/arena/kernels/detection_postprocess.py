"""TFLite_Detection_PostProcess: micro/kernels/detection_postprocess.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """DetectionPostProcessInit."""
    context.op_data("detection_postprocess.OpData")


def prepare(context: KernelContext) -> None:
    """DetectionPostProcessPrepare: eleven scratch buffers."""
    options = context.custom_options
    detections = options.named_integer("max_detections")
    classes = options.named_integer("num_classes")
    context.temps("i0 i1 i2")
    boxes = context.shape(context.input(0))[1]
    predictions = context.shape(context.input(1))
    for size in (
        boxes,  # active_candidate
        16 * boxes,  # decoded_boxes, four floats each
        4 * predictions[1] * predictions[2],  # scores
        4 * boxes,  # score_buffer
        4 * boxes,  # keep_scores
        4 * detections * boxes,  # scores_after_regular_non_max_suppression
        4 * detections * boxes,  # sorted_values
        4 * boxes,  # keep_indices
        4 * detections * boxes,  # sorted_indices
        4 * max(classes, detections) * boxes,  # buffer
        4 * min(boxes, detections) * boxes,  # selected
    ):
        context.scratch(size)
