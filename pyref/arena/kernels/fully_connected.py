"""FULLY_CONNECTED: micro/kernels/fully_connected.cc, fully_connected_common.cc, cmsis_nn/'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena import cmsis_nn

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """FullyConnectedInit, or CMSIS-NN's Init."""
    context.op_data(
        "cmsis_nn/fully_connected.OpData" if context.cmsis_nn else "OpDataFullyConnected"
    )


def prepare(context: KernelContext) -> None:
    """FullyConnectedPrepare; refuses weights quantised by channel where the kernel does."""
    _check_channels(context)
    context.temps("i0 i1 i2 o0")
    weights = context.input(1)
    if context.cmsis_nn:
        _calculate_op_data(context)
        _prepare_cmsis_nn(context)
        return
    if weights.type == "INT4":
        context.scratch(context.elements(weights))  # unpacked, one byte an element
    _calculate_op_data(context)


def _check_channels(context: KernelContext) -> None:
    quantization = context.input(1).quantization
    kind = context.input(0).type
    if quantization is None or len(quantization.scale) <= 1 or kind == "FLOAT32":
        return
    if context.release.name == "2024-06":
        context.refuse(
            "FullyConnected per-channel quantization not yet supported. Please set "
            "converter._experimental_disable_per_channel_quantization_for_dense_layers = True."
        )
    if context.cmsis_nn and (kind != "INT8" or context.input(1).type == "INT4"):
        context.refuse(
            "!data->reference_op_data.is_per_channel || (data->reference_op_data.is_per_channel "
            "&& input->type == kTfLiteInt8 && filter->type != kTfLiteInt4) was not true."
        )


def _per_channel(context: KernelContext) -> bool:
    """Whether this release treats the weights channel by channel."""
    quantization = context.input(1).quantization
    return (
        quantization is not None
        and len(quantization.scale) > 1
        and context.input(0).type != "FLOAT32"
    )


def _calculate_op_data(context: KernelContext) -> None:
    """CalculateOpDataFullyConnected: multipliers and shifts of every channel."""
    quantization = context.input(1).quantization
    if _per_channel(context) and quantization is not None:
        channels = len(quantization.scale)
        context.persistent(4 * channels, "per-channel multipliers")
        context.persistent(4 * channels, "per-channel shifts")


def _prepare_cmsis_nn(context: KernelContext) -> None:
    """CMSIS-NN's Prepare: outputs of rank 3 or 4 with a depth of 4n run as a 1x1 convolution.

    Both arm_fully_connected_s8 and _s16_get_buffer_size are 0 without MVE.
    """
    weights, output = context.input(1), context.shape(context.output())
    if context.input(0).type != "INT8" or weights.type == "INT4":
        return
    depth = context.shape(weights)[-1]
    if len(output) <= 2 or depth % 4 != 0:
        return
    if context.release.name == "2024-06":
        context.persistent(4 * output[-1], "1x1 convolution multipliers", unchecked=True)
        context.persistent(4 * output[-1], "1x1 convolution shifts", unchecked=True)
    elif not _per_channel(context):
        context.scratch(8 * output[-1])
    size = cmsis_nn.CONVOLVE_1X1_S8_FAST_BUFFER_SIZE
    if size > 0:
        context.scratch(size)
