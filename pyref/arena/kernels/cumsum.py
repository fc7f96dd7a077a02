"""CUMSUM: micro/kernels/cumsum.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def prepare_cumsum(context: KernelContext) -> None:
    """CalculateOpData: OpData in Prepare, and for int8 only."""
    context.temps("i0 i1 o0")
    if context.output().type == "INT8":
        context.op_data("cumsum.OpData")
