"""What CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV share of Prepare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import quantize_multipliers
from pyref.model import DTYPES
from pyref.operators import activation_range
from pyref.operators.checks import Checks
from pyref.operators.scales import finite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.model import Tensor
    from pyref.node import Array, Node

    Int64s = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Requantization:
    """How accumulators become output values.

    Attributes:
        multiplier: int32 [channels], Q31.
        shift: int16 [channels].
        zero_point: the output's.
        low: smallest output value.
        high: largest.
    """

    multiplier: NDArray[np.integer[Any]]
    shift: NDArray[np.integer[Any]]
    zero_point: int
    low: int
    high: int


def populate(
    node: Node,
    source: Tensor,
    filters: Tensor,
    output: Tensor,
    *,
    channels: int,
    activation: int,
    bias: Tensor | None = None,
) -> Requantization:
    """`PopulateConvolutionQuantizationParams` of kernels/kernel_util.cc.

    Args:
        node: the operator.
        source: input tensor.
        filters: weights, one scale in all or one a channel.
        output: output tensor.
        channels: of the output.
        activation: ActivationFunctionType.
        bias: tensor whose scale is checked for UINT8.
    """
    check = Checks(node, "kernel_util.cc")
    affine = "kTfLiteAffineQuantization"
    check.equal(int(source.quantization is not None), 1, "input->quantization.type", affine)
    check.equal(int(filters.quantization is not None), 1, "filter->quantization.type", affine)
    assert filters.quantization is not None
    scales = filters.quantization.scale
    if scales.size > 1:
        check.true(
            source.type in ("INT8", "INT16"),
            "input->type == kTfLiteInt8 || input->type == kTfLiteInt16",
        )
        check.true(
            filters.type in ("INT8", "INT4"),
            "filter->type == kTfLiteInt8 || filter->type == kTfLiteInt4",
        )
        dimension = quantized_size(node, filters)
        check.equal(scales.size, channels, "affine_quantization->scale->size", "num_channels")
        check.equal(
            channels,
            dimension,
            "num_channels",
            "filter->dims->data[affine_quantization->quantized_dimension]",
        )
    with np.errstate(all="ignore"):
        real = np.float64(source.scale) * scales.astype(np.float64) / np.float64(output.scale)
    low = high = 0
    if source.type == "UINT8":  # no kernel takes it, but this comes first
        with np.errstate(all="ignore"):
            product_factor(node, source, filters, bias, output)
    if source.type in ("INT8", "UINT8", "INT16"):
        low, high = activation_range.quantized(node, activation, output)
    finite(node, real)
    multiplier, shift = quantize_multipliers(np.broadcast_to(real, channels))
    return Requantization(multiplier, shift, output.zero_point, low, high)


def product_factor(
    node: Node, source: Tensor, filters: Tensor, bias: Tensor | None, output: Tensor
) -> Any:
    """GetQuantizedConvolutionMultipler of kernel_util.cc: scales multiplied as floats."""
    check = Checks(node, "kernel_util.cc")
    if bias is not None:
        product = np.float64(source.scale) * np.float64(filters.scale)
        difference = abs(product - np.float64(bias.scale))
        check.true(
            difference / np.float64(output.scale) <= 0.02, "scale_diff / output_scale <= 0.02"
        )
    single = np.float64(np.float32(source.scale) * np.float32(filters.scale))
    check.true(single >= 0, "input_product_scale >= 0")
    return single / np.float64(output.scale)


def quantized_size(node: Node, filters: Tensor) -> int:
    """How many channels lie along a filter's quantized_dimension."""
    quantization = filters.quantization
    dimension = -1 if quantization is None else quantization.dimension
    if not 0 <= dimension < len(filters.shape):
        node.refuse(
            f"{node.operator.op}: quantized_dimension {dimension} of a filter of shape "
            f"{list(filters.shape)}; TFLM reads beyond its shape"
        )
    return filters.shape[dimension]


def bias_values(bias: Array | None, dtype: type[Any], channels: int) -> Int64s:
    """A bias as int64, read as the kernel reads it: its bytes as `dtype`, whatever its type."""
    if bias is None:
        return np.zeros(channels, np.int64)
    values: Int64s = np.ascontiguousarray(bias).reshape(-1).view(dtype)[:channels].astype(np.int64)
    return values


def real_bias(bias: Array, channels: int) -> Array:
    """A bias as float32, read as the kernel reads it: its bytes, whatever its type."""
    return np.ascontiguousarray(bias).reshape(-1).view(np.float32)[:channels]


def check_bias(node: Node, bias: Tensor | None, type_name: str, channels: int) -> None:
    """Refuses a bias with fewer bytes than the kernel reads; TFLM does not check its type."""
    size = DTYPES[type_name].itemsize * channels
    if bias is not None and bias.size * bias.dtype.itemsize < size:
        node.refuse(
            f"{node.operator.op}: {bias.type} bias of {bias.size} elements read as {channels} of "
            f"{type_name}; TFLM would go beyond it"
        )


def needs_int32_accumulator(node: Node, bias: Tensor | None) -> bool:
    """Whether an int16 operator adds up in int32: by the bias's type, else by its option."""
    if bias is not None:
        return bias.type == "INT32"
    return int(getattr(node.options, "quantized_bias_type", 0)) == 2  # TensorType.INT32


def same_rank_4(node: Node, *tensors: Tensor) -> None:
    """Refuses tensors that are not of rank 4; TFLM checks it in debug builds only."""
    for tensor in tensors:
        if len(tensor.shape) != 4:
            node.refuse(
                f"{node.operator.op}: tensor {tensor.index} has shape {list(tensor.shape)}; the "
                "kernel reads four dimensions"
            )
