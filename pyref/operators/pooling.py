"""AVERAGE_POOL_2D and MAX_POOL_2D: micro/kernels/pooling.cc, pooling_common.cc.

int8, int16, float32. Windows count only what lies inside the image; integer averages round
halves away from zero. TFLM compares scales to 1e-6, zero points exactly, and no shapes. CMSIS-NN
computes the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.operators import activation_range, convolution, padding
from pyref.operators.checks import Checks, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


class Window:
    """Geometry of a pooling operator and the clamp of its activation.

    Attributes:
        low: smallest output value, in the output's dtype.
        high: largest.
    """

    def __init__(self, node: Node) -> None:
        """PoolingPrepare."""
        check = Checks(node, "pooling_common.cc")
        source, output, options = node.input(0), node.output(), node.options
        convolution.same_rank_4(node, source, output)
        self.kernel = (options.filter_height, options.filter_width)
        self.stride = (options.stride_h, options.stride_w)
        self.pad = padding.leading(
            options.padding,
            self.stride,
            (1, 1),
            (source.shape[1], source.shape[2]),
            self.kernel,
        )
        if source.type in ("INT8", "INT16"):
            difference = np.float64(abs(np.float32(source.scale) - np.float32(output.scale)))
            check.true(difference <= 1e-6, "scale_diff <= 1.0e-6")
            check.true(
                source.zero_point == output.zero_point,
                "input->params.zero_point == output->params.zero_point",
            )
        elif source.type != "FLOAT32":
            node.refuse(f"Type {named(source.type)} not supported.")
        if source.type != output.type:
            node.refuse(
                f"{node.operator.op}: {source.type} input with {output.type} output; TFLM does "
                "not check and would misread it"
            )
        self.set_clamp(node)
        self.shape = output.shape
        self.dtype = output.dtype
        if (source.shape[0], source.shape[3]) != (output.shape[0], output.shape[3]):
            node.refuse(
                f"{node.operator.op}: input {list(source.shape)} and output "
                f"{list(output.shape)} do not fit together; TFLM would go beyond its tensors"
            )

    def set_clamp(self, node: Node) -> None:
        """The activation's range."""
        activation = node.options.fused_activation_function
        self.low: Any
        self.high: Any
        if node.output().type == "FLOAT32":
            self.low, self.high = activation_range.real(activation)
        else:
            low, high = activation_range.quantized(node, activation, node.output())
            dtype = node.output().dtype.type
            self.low, self.high = dtype(low), dtype(high)

    def sums(self, x: Array, *, square: bool) -> tuple[Array, Array]:
        """Sums of all windows (int32 or float32, in TFLM's order) and their sizes."""
        dtype = np.float32 if self.dtype == np.float32 else np.int32
        sums = np.empty(self.shape, dtype)
        counts = np.empty((*self.shape[1:3], 1), np.int32)
        for image, total in zip(x, sums, strict=True):
            compiled.window_sums(image, self.kernel, self.stride, self.pad, square, total, counts)
        return sums, counts


def prepare_max(node: Node) -> Eval:
    """MaxEval."""
    window = Window(node)
    real = window.dtype == np.float32
    # float32 is clamped afterwards: the largest may be -0.0, which a start at 0.0 would hide.
    low, high = activation_range.real(activation_range.NONE) if real else (window.low, window.high)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        out = np.empty(window.shape, window.dtype)
        for image, result in zip(inputs[0], out, strict=True):
            compiled.max_pool(image, window.kernel, window.stride, window.pad, low, high, result)
        return [np.clip(out, window.low, window.high, out=out) if real else out]

    return evaluate


def prepare_average(node: Node) -> Eval:
    """AverageEval. An empty window stops TFLM's kernel; here it and what follows are 0."""
    window = Window(node)
    if window.dtype == np.float32:
        return _real_average(window)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        sums, counts = window.sums(inputs[0], square=False)
        counts = np.maximum(counts, 1)
        magnitude = (np.abs(sums) + counts // 2) // counts
        average = np.copysign(magnitude, sums, dtype=np.float64).astype(np.int32)
        return [np.clip(average, window.low, window.high).astype(window.dtype)]

    return evaluate


def _real_average(window: Window) -> Eval:
    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        sums, counts = window.sums(inputs[0], square=False)
        average = sums / np.maximum(counts, 1).astype(np.float32)
        return [np.clip(average, window.low, window.high)]

    return evaluate
