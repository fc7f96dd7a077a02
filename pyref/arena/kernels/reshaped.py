"""Kernels that write their output's shape over a copy of it in the tail.

Sources: micro/kernels/gather.cc, gather_nd.cc, embedding_lookup.cc, depth_to_space.cc,
space_to_depth.cc, l2_pool_2d.cc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def prepare_gather(context: KernelContext) -> None:
    """GatherPrepare."""
    context.temps("i0 i1 o0")
    data, positions = context.shape(context.input(0)), context.shape(context.input(1))
    axis, batch_dims = context.options.axis, context.options.batch_dims
    axis += len(data) if axis < 0 else 0
    batch_dims += len(positions) if batch_dims < 0 else 0
    context.resize_output(0, data[:axis] + positions[batch_dims:] + data[axis + 1 :])


def prepare_gather_nd(context: KernelContext) -> None:
    """GatherNdPrepare."""
    context.temps("i0 i1 o0")
    params, indices = context.shape(context.input(0)), context.shape(context.input(1))
    context.resize_output(0, indices[:-1] + params[indices[-1] :])


def prepare_embedding_lookup(context: KernelContext) -> None:
    """EmbeddingLookUpPrepare."""
    context.temps("i0 i1 o0")
    lookup, value = context.shape(context.input(0)), context.shape(context.input(1))
    output = context.shape(context.output())
    context.resize_output(0, (lookup[0], *value[1:], *output[len(value) :]))
    context.op_data("embedding_lookup.OpData")


def prepare_depth_to_space(context: KernelContext) -> None:
    """CalculateOpData of DEPTH_TO_SPACE."""
    context.temps("i0 o0")
    batch, height, width, depth = context.shape(context.input(0))
    block = context.options.block_size
    context.resize_output(0, (batch, height * block, width * block, depth // block // block))


def prepare_space_to_depth(context: KernelContext) -> None:
    """SPACE_TO_DEPTH's Prepare."""
    context.temps("i0 o0")
    batch, height, width, depth = context.shape(context.input(0))
    block = context.options.block_size
    context.resize_output(0, (batch, height // block, width // block, depth * block * block))


def prepare_l2_pool_2d(context: KernelContext) -> None:
    """L2Prepare."""
    context.temps("o0 i0")
    batch, height, width, channels = context.shape(context.input(0))
    options = context.options
    sizes = []
    for size, kernel, stride in (
        (height, options.filter_height, options.stride_h),
        (width, options.filter_width, options.stride_w),
    ):
        same = -(-size // stride)
        sizes.append(same if options.padding == 0 else (size + stride - kernel) // stride)
    context.resize_output(0, (batch, *sizes, channels))
