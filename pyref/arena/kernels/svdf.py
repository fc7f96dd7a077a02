"""SVDF: micro/kernels/svdf_common.cc, cmsis_nn/svdf.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """InitSvdf, or CMSIS-NN's Init."""
    context.op_data("CmsisNnOpDataSvdf" if context.cmsis_nn else "OpDataSvdf")


def prepare(context: KernelContext) -> None:
    """PrepareSvdf: feature products, and the sums of units for int8.

    arm_svdf_s8_get_buffer_size is 0 without MVE, so CMSIS-NN keeps no kernel sums.
    """
    context.temps("i0 i1 i2 i3 i4 o0")
    tensor = context.input(0)
    batches = context.shape(tensor)[0]
    filters = context.shape(context.input(1))[0]
    context.scratch(4 * batches * filters)
    if tensor.type == "INT8":
        units = filters // context.options.rank
        context.scratch(4 * batches * units)
