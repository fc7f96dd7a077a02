"""SOFTMAX and LOG_SOFTMAX: micro/kernels/softmax_common.cc, log_softmax.cc, cmsis_nn/softmax.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext

#: kInt16LUTArraySize, micro/kernels/softmax.h (LUTSize<int16_t>(), kernels/internal/common.h).
_INT16_LUT_ENTRIES = 513


def init(context: KernelContext) -> None:
    """SoftmaxInit, or CMSIS-NN's Init."""
    context.op_data("CMSISNNSoftmaxParams" if context.cmsis_nn else "SoftmaxParams")


def prepare(context: KernelContext) -> None:
    """SoftmaxPrepare: two tables for int16."""
    context.temps("i0 o0")
    if context.input(0).type == "INT16":
        context.persistent(2 * _INT16_LUT_ENTRIES, "exp table")
        context.persistent(2 * _INT16_LUT_ENTRIES, "1/(1+x) table")


def prepare_log_softmax(context: KernelContext) -> None:
    """CalculateOpData: OpData in Prepare, and for int8 only."""
    context.temps("i0 o0")
    if context.input(0).type == "INT8":
        context.op_data("LogSoftmaxOpData")
