"""TRANSPOSE_CONV: micro/kernels/transpose_conv.cc, cmsis_nn/transpose_conv.cc.

Operands stand in the order output shape, weights, input, bias.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena import cmsis_nn

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """TransposeConvInit, or CMSIS-NN's Init."""
    context.op_data(
        "cmsis_nn/transpose_conv.OpData" if context.cmsis_nn else "transpose_conv.OpData"
    )


def prepare(context: KernelContext) -> None:
    """TransposeConvPrepare."""
    context.temps("o0 i2 i1")
    channels = context.shape(context.input(1))[0]
    context.persistent(4 * channels, "per-channel multipliers")
    context.persistent(4 * channels, "per-channel shifts")
    kind = context.input(2).type
    outputs = context.elements(context.output())
    if kind == "INT8" and context.cmsis_nn:
        for size in _cmsis_nn_buffers(context):
            context.scratch(size)
    elif kind == "INT8":
        context.scratch(4 * outputs)
    elif kind == "INT16":
        context.scratch(8 * outputs)
    if kind != "FLOAT32":
        context.temps("i2 i1 i3 o0")  # CalculateOpData
        bias = context.find_input(3)
        if kind == "INT16" and bias is not None and bias.type == "INT16":
            context.scratch(8 * context.elements(bias))


def _cmsis_nn_buffers(context: KernelContext) -> tuple[int, int]:
    """Both requests are made even where one is 0 bytes, and count as handles."""
    options = context.options
    geometry = cmsis_nn.Convolution(
        input=context.shape(context.input(2)),
        filter=context.shape(context.input(1)),
        output=context.shape(context.output()),
        stride=(options.stride_h, options.stride_w),
        dilation=(1, 1),
        same=options.padding == 0,
    )
    if context.release.name == "2024-06":
        return cmsis_nn.transpose_conv_buffer_sizes_2024_06(geometry)
    return cmsis_nn.transpose_conv_buffer_sizes(geometry)
