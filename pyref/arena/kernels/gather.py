"""GATHER, GATHER_ND and EMBEDDING_LOOKUP: kernels that rewrite their output's shape.

Sources: micro/kernels/gather.cc, gather_nd.cc, embedding_lookup.cc.
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
