"""ELU: micro/kernels/elu.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """EluInit: the table of an int8 ELU, also for types that never look at it."""
    context.op_data("elu.OpData", unchecked=context.input(0).type != "INT8")


def prepare(context: KernelContext) -> None:
    """EluPrepare."""
    context.temps("i0 o0")
