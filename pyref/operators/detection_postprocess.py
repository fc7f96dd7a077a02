"""TFLite_Detection_PostProcess: micro/kernels/detection_postprocess.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

    Floats = NDArray[np.float32]
    Indices = NDArray[np.int64]

FILE = "detection_postprocess.cc"
DETECTIONS_PER_CLASS = 100


def prepare(node: Node) -> Eval:
    """Decodes boxes and suppresses those that overlap better ones; float32.

    Outputs: boxes [1, n, 4], classes, scores, count. The fast variant leaves what it does not
    fill unwritten in TFLM (zeros here), and with more than one class per detection it skips
    places: it multiplies the running output index by the classes once more.
    """
    options = CustomOptions(node)
    checks = Checks(node, FILE)
    checks.equal(len(node.operator.inputs), 3, "NumInputs(node)", "3")
    boxes, classes, anchors = node.input(0), node.input(1), node.input(2)
    names = ("input_box_encodings", "input_class_predictions", "input_anchors")
    for name, tensor, rank in zip(names, (boxes, classes, anchors), (3, 3, 2), strict=True):
        checks.equal(len(tensor.shape), rank, f"NumDimensions({name})", str(rank))
    checks.equal(len(node.operator.outputs), 4, "NumOutputs(node)", "4")
    count, columns = boxes.shape[1], classes.shape[2]
    labels = columns - options.named_integer("num_classes")
    for holds, expression in (
        (boxes.shape[0] == 1, "input_box_encodings->dims->data[0] != kBatchSize"),
        (boxes.shape[2] >= 4, "input_box_encodings->dims->data[2] >= kNumCoordBox was not true."),
        (boxes.type == "FLOAT32", "box encodings of another type than FLOAT32"),
        (classes.shape[0] == 1, "input_class_predictions->dims->data[0] != kBatchSize"),
        (classes.shape[1] == count, "input_class_predictions->dims->data[1] != num_boxes"),
        (labels <= 1, "(num_classes_with_background - num_classes <= 1) was not true."),
        (labels >= 0, "(num_classes_with_background >= num_classes) was not true."),
        (classes.type == "FLOAT32", "class predictions of another type than FLOAT32"),
    ):
        if not holds:
            return FailsAtInvoke(node, f"{FILE} {expression}")
    if anchors.type != "FLOAT32" or anchors.size < 4 * count:
        node.refuse(f"{node.operator.op}: {anchors.type} {list(anchors.shape)} anchors")
    return _Detector(node, options, labels)


class _Detector:
    """The evaluation, with the options that TFLM's Init reads."""

    def __init__(self, node: Node, options: CustomOptions, label_offset: int) -> None:
        self._node, self._checks = node, Checks(node, FILE)
        self._most = options.named_integer("max_detections")
        self._most_classes = options.named_integer("max_classes_per_detection")
        per_class = options.named("detections_per_class")
        self._per_class = DETECTIONS_PER_CLASS if per_class is None else int(per_class)
        self._regular = bool(options.named("use_regular_nms"))
        self._score = np.float32(options.named_real("nms_score_threshold"))
        self._overlap = np.float32(options.named_real("nms_iou_threshold"))
        self._classes = options.named_integer("num_classes")
        self._scales = [np.float32(options.named_real(f"{k}_scale")) for k in "yxhw"]
        self._offset = label_offset

    def __call__(self, inputs: Sequence[Any]) -> Sequence[Array]:
        boxes = self._decode(inputs[0][0], inputs[2].reshape(-1, 4))
        scores = inputs[1][0]
        self._checks.invoke_true(
            not self._regular or self._per_class > 0, "num_detections_per_class > 0"
        )
        self._checks.invoke_true(
            self._regular or self._most_classes > 0, "(max_categories_per_anchor > 0)"
        )
        outputs = [np.zeros(t.size, np.float32) for t in self._node.outputs]
        places = self._all_classes(boxes, scores) if self._regular else self._best(boxes, scores)
        for place, anchor, column, score in places:
            if 4 * place + 4 > outputs[0].size or place >= min(outputs[1].size, outputs[2].size):
                self._node.refuse(
                    f"{self._node.operator.op}: detection {place} goes beyond the outputs; "
                    "undefined in TFLM",
                    phase="invoke",
                )
            outputs[0][4 * place : 4 * place + 4] = boxes[anchor]
            outputs[1][place], outputs[2][place] = column, score
        outputs[3][0] = len(places)
        return [o.reshape(t.shape) for o, t in zip(outputs, self._node.outputs, strict=True)]

    def _decode(self, encodings: Floats, anchors: Floats) -> Floats:
        """DecodeCenterSizeBoxes, in double; [boxes, (ymin, xmin, ymax, xmax)]."""
        anchors = anchors[: len(encodings)].astype(np.float64)
        with np.errstate(all="ignore"):
            scaled = encodings[:, :4].astype(np.float64) / np.array(self._scales, np.float64)
            center = (scaled[:, :2] * anchors[:, 2:] + anchors[:, :2]).astype(np.float32)
            half = (0.5 * np.exp(scaled[:, 2:]) * anchors[:, 2:]).astype(np.float32)
            return np.concatenate([center - half, center + half], axis=1)

    def _best(self, boxes: Floats, scores: Floats) -> list[tuple[int, int, int, Any]]:
        """NonMaxSuppressionMultiClassFastHelper: each box by its best class."""
        own = scores[:, self._offset :]
        each = min(self._most_classes, self._classes)
        order = np.argsort(-own, axis=1, kind="stable")[:, :each]
        best = np.take_along_axis(own, order[:, :1], axis=1)[:, 0]
        places: list[tuple[int, int, int, Any]] = []
        for anchor in self._suppress(boxes, best, self._most):
            for k, column in enumerate(order[anchor].tolist()):
                places.append((each * len(places) + k, anchor, column, own[anchor, column]))
        return places

    def _all_classes(self, boxes: Floats, scores: Floats) -> list[tuple[int, int, int, Any]]:
        """NonMaxSuppressionMultiClassRegularHelper: class by class, the best of all kept."""
        kept: list[tuple[int, int, Any]] = []
        for column in range(self._classes):
            own = scores[:, column + self._offset]
            kept += [
                (anchor, column, own[anchor])
                for anchor in self._suppress(boxes, own, self._per_class)
            ]
            kept = sorted(kept, key=lambda found: -found[2])[: self._most]
        return [(place, *found) for place, found in enumerate(kept)]

    def _suppress(self, boxes: Floats, scores: Floats, most: int) -> list[int]:
        """NonMaxSuppressionSingleClassHelper: boxes to keep, best first."""
        check = self._checks.invoke_true
        check(most >= 0, "(max_detections >= 0)")
        check(
            0 < self._overlap <= 1,
            "(intersection_over_union_threshold > 0.0f) && (intersection_over_union_threshold <= "
            "1.0f)",
        )
        inverted = (boxes[:, 0] >= boxes[:, 2]) | (boxes[:, 1] >= boxes[:, 3])
        check(not inverted.any(), "ValidateBoxes(decoded_boxes, num_boxes)")
        candidates = np.flatnonzero(scores >= self._score)
        candidates = candidates[np.argsort(-scores[candidates], kind="stable")]
        selected: list[int] = []
        while candidates.size and len(selected) < most:
            selected.append(int(candidates[0]))
            overlap = _intersection_over_union(boxes[candidates[0]], boxes[candidates[1:]])
            candidates = candidates[1:][~(overlap > self._overlap)]
        return selected


def _intersection_over_union(box: Floats, others: Floats) -> Floats:
    """ComputeIntersectionOverUnion of one box with others, in float32."""
    zero = np.float32(0)
    area = (box[2] - box[0]) * (box[3] - box[1])
    areas = (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1])
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    sides = np.maximum(high - low, zero)
    shared = sides[:, 0] * sides[:, 1]
    with np.errstate(all="ignore"):
        ratio = shared / (area + areas - shared)
    return np.where((area <= 0) | (areas <= 0), zero, ratio)
