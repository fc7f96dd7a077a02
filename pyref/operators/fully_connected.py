"""FULLY_CONNECTED: micro/kernels/fully_connected.cc, fully_connected_common.cc.

int8 with int8 or int4 weights, int16 with int8 weights, float32. Per tensor, the weights' zero
point counts; per channel (not for int4) it does not. Requantisation is in integers: newer LiteRT
rounds once, in floating point, and is a different function (reference/integer_ops/
fully_connected.h has both). CMSIS-NN takes no per-channel int16, reads an int16 operator's bias
as int64 whatever its type, and ignores the weights' zero point wherever it goes through its
1x1 convolution, its int4 or its int16 kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import quantize_multipliers, reduce_multiplier
from pyref.operators import activation_range, convolution
from pyref.operators.checks import Checks, FailsAtInvoke, named
from pyref.operators.scales import finite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

_WEIGHTS = {"FLOAT32": ("FLOAT32",), "INT16": ("INT8",), "INT8": ("INT8", "INT4")}


def prepare(node: Node) -> Eval:
    """FullyConnectedPrepare and FullyConnectedEval (or their CMSIS-NN versions)."""
    cmsis_nn = node.kernels == "cmsis_nn"
    check = Checks(node, "fully_connected.cc")
    source, filters, output = node.input(0), node.input(1), node.output()
    check.types(source.type, output.type, "input->type", "output->type")
    if cmsis_nn:
        check.message(source.type in _WEIGHTS, "Input data type not supported")
        check.message(
            filters.type in _WEIGHTS[source.type],
            "Hybrid models are not supported on TFLite Micro.",
        )
    elif source.type in _WEIGHTS and filters.type not in _WEIGHTS[source.type]:
        node.refuse(f"Input type: {source.type} with filter type: {filters.type} not supported.")
    shape = _Shape(node)
    bias = node.optional_input(2)
    if source.type == "FLOAT32":
        convolution.check_bias(node, bias, "FLOAT32", shape.channels)
        return _real(node, shape)
    requantization, per_channel = _requantization(node, shape)
    if source.type not in _WEIGHTS:
        return FailsAtInvoke(node, f"Input type {named(source.type)} not supported.")
    filter_zero_point = 0 if per_channel else filters.zero_point
    int32_accumulator = source.type == "INT8" or convolution.needs_int32_accumulator(node, bias)
    if cmsis_nn:
        check.true(
            not per_channel or (source.type == "INT8" and filters.type != "INT4"),
            "!data->reference_op_data.is_per_channel || (data->reference_op_data.is_per_channel "
            "&& input->type == kTfLiteInt8 && filter->type != kTfLiteInt4)",
        )
        if source.type == "INT16":
            check.equal(source.zero_point, 0, "input->params.zero_point", "0")
            check.equal(output.zero_point, 0, "output->params.zero_point", "0")
            if bias is not None and bias.type != "INT64":
                node.refuse(f"FULLY_CONNECTED: CMSIS-NN reads the {bias.type} bias as INT64")
            int32_accumulator = False
        pointwise = len(output.shape) > 2 and shape.terms % 4 == 0
        if pointwise or source.type == "INT16" or filters.type == "INT4":
            filter_zero_point = 0
    read_as = "INT32" if int32_accumulator else "INT64"
    convolution.check_bias(node, bias, read_as, shape.channels)
    return _quantized(
        node,
        shape,
        requantization,
        filter_zero_point=filter_zero_point,
        int32_accumulator=int32_accumulator,
    )


@dataclass(frozen=True, slots=True, init=False)
class _Shape:
    """The matrix product that the kernel makes of its tensors, whatever their ranks.

    Attributes:
        batches: rows of the input: the output's elements but for its last dimension.
        terms: the filter's last dimension.
        channels: the output's last dimension.
        output: the output's shape.
    """

    batches: int
    terms: int
    channels: int
    output: tuple[int, ...]

    def __init__(self, node: Node) -> None:
        source, filters, output = node.input(0), node.input(1), node.output()
        if len(filters.shape) < 2 or not output.shape:
            node.refuse(f"FULLY_CONNECTED: filter {list(filters.shape)} has no two dimensions")
        channels = output.shape[-1]
        batches = int(np.prod(output.shape[:-1], dtype=np.int64))
        terms = filters.shape[-1]
        if channels > filters.shape[-2] or batches * terms > source.size:
            node.refuse(
                f"FULLY_CONNECTED: input {list(source.shape)}, filter {list(filters.shape)} and "
                f"output {list(output.shape)} do not fit together; TFLM would go beyond its "
                "tensors"
            )
        for name, value in (
            ("batches", batches),
            ("terms", terms),
            ("channels", channels),
            ("output", output.shape),
        ):
            object.__setattr__(self, name, value)

    def rows(self, x: Array) -> Array:
        """The input as [batches, terms]; what lies beyond is not read."""
        return x.reshape(-1)[: self.batches * self.terms].reshape(self.batches, self.terms)

    def weights(self, w: Array) -> Array:
        """The filter as [channels, terms]."""
        return w.reshape(-1, self.terms)[: self.channels]


def _requantization(node: Node, shape: _Shape) -> tuple[convolution.Requantization, bool]:
    """CalculateOpDataFullyConnected: how to requantise, and whether per channel."""
    check = Checks(node, "fully_connected_common.cc")
    filters, output = node.input(1), node.output()
    per_channel = filters.quantization is not None and filters.quantization.scale.size > 1
    with np.errstate(all="ignore"):
        real = (
            _per_channel(check, shape)
            if per_channel
            else convolution.product_factor(
                node, node.input(0), filters, node.optional_input(2), output
            )
        )
    low, high = activation_range.quantized(node, node.options.fused_activation_function, output)
    finite(node, real)
    multiplier, shift = quantize_multipliers(np.broadcast_to(real, shape.channels))
    requantization = convolution.Requantization(multiplier, shift, output.zero_point, low, high)
    return requantization, per_channel


def _per_channel(check: Checks, shape: _Shape) -> Any:
    """Factors of each output: float64 [channels]."""
    node = check.node
    source, filters, output = node.input(0), node.input(1), node.output()
    quantization = filters.quantization
    assert quantization is not None
    check.true(
        source.type in ("INT8", "INT16") and filters.type != "INT4",
        "(input->type == kTfLiteInt8 && filter->type != kTfLiteInt4) || (input->type == "
        "kTfLiteInt16 && filter->type != kTfLiteInt4)",
    )
    check.equal(
        quantization.scale.size,
        convolution.quantized_size(node, filters),
        "per_channel_quantization_size",
        "filter->dims->data[affine_quantization->quantized_dimension]",
    )
    if quantization.scale.size < shape.channels:
        node.refuse("FULLY_CONNECTED: fewer scales than outputs; TFLM reads beyond them")
    scales = quantization.scale.astype(np.float64)
    return (np.float64(source.scale) * scales / np.float64(output.scale))[: shape.channels]


def _quantized(
    node: Node,
    shape: _Shape,
    requantization: convolution.Requantization,
    *,
    filter_zero_point: int,
    int32_accumulator: bool,
) -> Eval:
    source, filters, output = node.input(0), node.input(1), node.output()
    bias = node.optional_input(2)
    zero_point = source.zero_point
    accumulator = np.int32 if int32_accumulator else np.int64
    requantize = compiled.requantize if int32_accumulator else compiled.requantize_int64
    multiplier = requantization.multiplier
    if not int32_accumulator:
        multiplier = reduce_multiplier(multiplier)
    shift, to = requantization.shift, requantization.zero_point
    low, high = requantization.low, requantization.high

    def pack(w: Array, b: Array | None) -> tuple[Array, Any]:
        weights = shape.weights(w)
        if filter_zero_point:
            weights = weights.astype(np.int32) - np.int32(filter_zero_point)
        offsets = convolution.bias_values(b, accumulator, shape.channels)
        # What the input's zero point adds to every sum goes into the bias.
        return weights, offsets - zero_point * weights.sum(axis=1, dtype=np.int64)

    fixed = None
    if filters.data is not None and (bias is None or bias.data is not None):
        fixed = pack(filters.data, None if bias is None else bias.data)
    dtype = output.dtype

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        weights, offsets = fixed or pack(inputs[1], inputs[2] if bias is not None else None)
        sums = np.empty((shape.batches, shape.channels), accumulator)
        compiled.dots(shape.rows(inputs[0]), weights, sums)
        out = np.empty(sums.shape, dtype)
        requantize(sums, offsets, multiplier, shift, to, low, high, out)
        return [out.reshape(shape.output)]

    return evaluate


def _real(node: Node, shape: _Shape) -> Eval:
    """float32: sums in BLAS's order, not TFLM's, so the last bits may differ."""
    bias = node.optional_input(2)
    low, high = activation_range.real(node.options.fused_activation_function)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        out = shape.rows(inputs[0]) @ shape.weights(inputs[1]).T
        if bias is not None:
            out += convolution.real_bias(inputs[2], shape.channels)
        return [np.clip(out, low, high, out=out).reshape(shape.output)]

    return evaluate
