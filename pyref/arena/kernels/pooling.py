"""AVERAGE_POOL_2D and MAX_POOL_2D: micro/kernels/pooling.cc, cmsis_nn/pooling.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena import cmsis_nn

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """PoolInit, or CMSIS-NN's Init."""
    context.op_data("cmsis_nn/pooling.OpData" if context.cmsis_nn else "OpDataPooling")


def prepare_max(context: KernelContext) -> None:
    """PoolingPrepare."""
    context.temps("i0 o0")


def prepare_average(context: KernelContext) -> None:
    """PoolingPrepare; CMSIS-NN's AveragePrepare asks for a row of sums on top."""
    context.temps("i0 o0")
    if not context.cmsis_nn:
        return
    context.temps("i0 o0")
    tensor = context.input(0)
    if tensor.type in {"INT8", "INT16"}:
        size = cmsis_nn.avgpool_buffer_size(context.shape(tensor)[3])
        if size > 0:
            context.scratch(size)
