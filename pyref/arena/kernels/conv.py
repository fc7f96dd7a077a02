"""CONV_2D and DEPTHWISE_CONV_2D.

Sources: micro/kernels/conv_common.cc, depthwise_conv_common.cc, cmsis_nn/conv.cc,
cmsis_nn/depthwise_conv.cc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena import cmsis_nn

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext

_INT = frozenset({"INT8", "INT16"})


def init_conv(context: KernelContext) -> None:
    """ConvInit, or CMSIS-NN's Init."""
    context.op_data("cmsis_nn/conv.OpData" if context.cmsis_nn else "OpDataConv")


def init_depthwise_conv(context: KernelContext) -> None:
    """DepthwiseConvInit, or CMSIS-NN's Init."""
    context.op_data("cmsis_nn/depthwise_conv.OpData" if context.cmsis_nn else "OpDataConv")


def prepare_conv(context: KernelContext) -> None:
    """ConvPrepare."""
    if context.cmsis_nn:
        _prepare_conv_cmsis_nn(context)
        return
    context.temps("o0 i0 i1")
    _per_channel(context, context.shape(context.input(1))[0])
    context.temps("i0 i1 i2 o0")  # CalculateOpDataConv
    _unpacked_int4(context)


def prepare_depthwise_conv(context: KernelContext) -> None:
    """DepthwiseConvPrepare."""
    if context.cmsis_nn:
        _prepare_depthwise_conv_cmsis_nn(context)
        return
    context.temps("o0 i0 i1")
    _per_channel(context, context.shape(context.input(1))[3])
    _unpacked_int4(context)
    context.temps("i0 i1 i2 o0")  # CalculateOpDataDepthwiseConv


def _per_channel(context: KernelContext, channels: int) -> None:
    context.persistent(4 * channels, "per-channel multipliers")
    context.persistent(4 * channels, "per-channel shifts")


def _unpacked_int4(context: KernelContext) -> None:
    """The reference kernels unpack 4-bit weights into scratch, one byte an element."""
    if context.input(1).type == "INT4":
        context.scratch(context.elements(context.input(1)))


def _geometry(context: KernelContext) -> cmsis_nn.Convolution:
    options = context.options
    return cmsis_nn.Convolution(
        input=context.shape(context.input(0)),
        filter=context.shape(context.input(1)),
        output=context.shape(context.output()),
        stride=(options.stride_h, options.stride_w),
        dilation=(options.dilation_h_factor, options.dilation_w_factor),
        same=options.padding == 0,
    )


def _prepare_conv_cmsis_nn(context: KernelContext) -> None:
    """CMSIS-NN's Prepare.

    It looks for the bias among the outputs, finds none, and so never leaves an int16 convolution
    with 32-bit bias without its scratch.
    """
    context.temps("i0 i1 o0 o2")
    kind = context.input(0).type
    if kind in _INT:
        _per_channel(context, context.shape(context.input(1))[0])
    context.temps("i0 i1 i2 o0")  # CalculateOpDataConv
    size = 0
    if kind == "INT8":
        size = cmsis_nn.convolve_s8_buffer_size(
            _geometry(context), check_groups=context.release.name != "2024-06"
        )
    elif kind == "INT16":
        bias = context.find_output(2)
        if bias is None or bias.type == "INT64":
            size = cmsis_nn.convolve_s16_buffer_size(_geometry(context))
    if size > 0:
        context.scratch(size)


def _prepare_depthwise_conv_cmsis_nn(context: KernelContext) -> None:
    """CMSIS-NN's Prepare: scratch for int8 inputs only."""
    context.temps("i0 i1 o0")
    kind = context.input(0).type
    if kind in _INT:
        _per_channel(context, context.shape(context.input(1))[3])
    context.temps("i0 i1 i2 o0")  # CalculateOpDataDepthwiseConv
    if kind == "INT8":
        size = cmsis_nn.depthwise_conv_buffer_size(
            _geometry(context), int4=context.input(1).type == "INT4"
        )
        if size > 0:
            context.scratch(size)
