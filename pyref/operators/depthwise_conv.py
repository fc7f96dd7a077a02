"""DEPTHWISE_CONV_2D: micro/kernels/depthwise_conv.cc, depthwise_conv_common.cc.

int8 with int8 or int4 weights, int16 with int8 weights, float32. An int16 operator always reads
its bias as int64, ignores its zero points, and adds up in 64 bits. CMSIS-NN refuses other zero
points than 0 there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import reduce_multiplier
from pyref.operators import activation_range, convolution, padding
from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_WEIGHTS = {"FLOAT32": ("FLOAT32",), "INT16": ("INT8",), "INT8": ("INT8", "INT4")}


def prepare(node: Node) -> Eval:
    """DepthwiseConvPrepare and DepthwiseConvEval (or their CMSIS-NN versions)."""
    _check_types(node)
    source, filters, output = node.input(0), node.input(1), node.output()
    count = len(node.operator.inputs)
    check = Checks(node, "depthwise_conv_common.cc")
    check.true(count in (2, 3), "has_bias || node->inputs->size == 2")
    check.equal(len(node.operator.outputs), 1, "node->outputs->size", "1")
    convolution.same_rank_4(node, source, filters, output)
    bias = node.optional_input(2)
    if source.type == "FLOAT32":
        _check_output(node)
        convolution.check_bias(node, bias, "FLOAT32", filters.shape[3])
        return _real(node, _Window(node))
    requantization = convolution.populate(
        node,
        source,
        filters,
        output,
        channels=filters.shape[3],
        activation=node.options.fused_activation_function,
        bias=bias,
    )
    if source.type not in _WEIGHTS:
        return FailsAtInvoke(node, f"Input type {named(source.type)} not supported.")
    if filters.type not in _WEIGHTS[source.type]:
        what = f"Filter type {named(filters.type)} for input type {source.type} not supported."
        return FailsAtInvoke(node, what)
    _check_output(node)
    read_as = "INT32" if source.type == "INT8" else "INT64"
    convolution.check_bias(node, bias, read_as, filters.shape[3])
    return _quantized(node, _Window(node), requantization)


def _check_types(node: Node) -> None:
    cmsis_nn = node.kernels == "cmsis_nn"
    check = Checks(node, "depthwise_conv.cc" if cmsis_nn else "depthwise_conv_common.cc")
    source, filters, output = node.input(0), node.input(1), node.output()
    hybrid = "Hybrid models are not supported on TFLite Micro."
    if cmsis_nn:
        check.equal(source.type, output.type, "input->type", "output->type")
        check.message(source.type in _WEIGHTS, "Input data type not supported")
        check.message(filters.type in _WEIGHTS[source.type], hybrid)
        if source.type == "INT16":
            check.equal(source.zero_point, 0, "input->params.zero_point", "0")
            check.equal(output.zero_point, 0, "output->params.zero_point", "0")
    if source.type == "INT8":
        quantized = filters.quantization is not None
        check.equal(int(quantized), 1, "filter->quantization.type", "kTfLiteAffineQuantization")
        assert filters.quantization is not None
        check.true(
            filters.quantization.scale.size in (1, filters.shape[3]),
            "affine_quantization->scale->size == 1 || affine_quantization->scale->size == "
            "filter->dims->data[kDepthwiseConvQuantizedDimension]",
        )
    check.message(
        filters.type == source.type or filters.type in _WEIGHTS.get(source.type, ()), hybrid
    )


def _check_output(node: Node) -> None:
    source, output = node.input(0), node.output()
    if source.type != output.type:
        node.refuse(
            f"DEPTHWISE_CONV_2D: {source.type} input with {output.type} output; TFLM does not "
            "check and would misread it"
        )


class _Window:
    """Geometry of one depthwise convolution, and its sums."""

    def __init__(self, node: Node) -> None:
        source, filters, output = node.input(0), node.input(1), node.output()
        options = node.options
        self.stride = (options.stride_h, options.stride_w)
        self.dilation = (options.dilation_h_factor, options.dilation_w_factor)
        self.kernel = filters.shape[1:]
        self.pad = padding.leading(
            options.padding,
            self.stride,
            self.dilation,
            (source.shape[1], source.shape[2]),
            (filters.shape[1], filters.shape[2]),
        )
        self.shape = output.shape
        self.multiplier = options.depth_multiplier
        fits = (
            filters.shape[0] == 1
            and source.shape[3] * self.multiplier == filters.shape[3] == output.shape[3]
            and source.shape[0] == output.shape[0]
        )
        if not fits:
            node.refuse(
                f"DEPTHWISE_CONV_2D: input {list(source.shape)}, filter {list(filters.shape)}, "
                f"depth multiplier {self.multiplier} and output {list(output.shape)} do not fit "
                "together; TFLM would go beyond its tensors"
            )

    def sums(self, x: Array, weights: Array, zero_point: Any, dtype: type[Any]) -> Array:
        """Sums of all windows, added up in `dtype`, as [batches, height, width, channels]."""
        if self.multiplier > 1:
            x = np.repeat(x, self.multiplier, axis=3)
        sums = np.empty(self.shape, dtype)
        weights = weights.reshape(self.kernel)
        for image, total in zip(x, sums, strict=True):
            compiled.depthwise(
                image, zero_point, weights, self.stride, self.dilation, self.pad, total
            )
        return sums


def _quantized(node: Node, window: _Window, requantization: convolution.Requantization) -> Eval:
    source, filters, output = node.input(0), node.input(1), node.output()
    bias = node.optional_input(2)
    narrow = source.type == "INT8"
    requantize = compiled.requantize if narrow else compiled.requantize_int64
    accumulator = np.int32 if narrow else np.int64
    multiplier = (
        requantization.multiplier if narrow else reduce_multiplier(requantization.multiplier)
    )
    zero_point = np.int32(source.zero_point if narrow else 0)
    to_zero_point = requantization.zero_point if narrow else 0
    fixed = None if bias is None else bias.data
    channels, dtype = filters.shape[3], output.dtype

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        sums = window.sums(inputs[0], inputs[1], zero_point, accumulator)
        out = np.empty(window.shape, dtype)
        requantize(
            sums.reshape(-1, channels),
            offsets if offsets is not None else _bias(inputs),
            multiplier,
            requantization.shift,
            to_zero_point,
            requantization.low,
            requantization.high,
            out.reshape(-1, channels),
        )
        return [out]

    def _bias(inputs: Sequence[Any]) -> Any:
        return convolution.bias_values(inputs[2], accumulator, channels)

    offsets = None
    if bias is None or fixed is not None:
        offsets = convolution.bias_values(fixed, accumulator, channels)
    return evaluate


def _real(node: Node, window: _Window) -> Eval:
    """float32, added up in TFLM's order."""
    bias = node.optional_input(2)
    low, high = activation_range.real(node.options.fused_activation_function)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        out = window.sums(inputs[0], inputs[1], np.float32(0), np.float32)
        if bias is not None:
            out += convolution.real_bias(inputs[2], out.shape[3])
        return [np.clip(out, low, high, out=out)]

    return evaluate
