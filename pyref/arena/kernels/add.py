"""ADD and ADD_N: micro/kernels/add.cc, add_n.cc, cmsis_nn/add.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init_add(context: KernelContext) -> None:
    """AddInit; CMSIS-NN has a structure of its own (of equal size)."""
    context.op_data("cmsis_nn/add.OpData" if context.cmsis_nn else "OpDataAdd")


def prepare_add(context: KernelContext) -> None:
    """AddPrepare."""
    context.temps("i0 i1 o0")


def prepare_add_n(context: KernelContext) -> None:
    """ADD_N's Prepare: an array of pointers to the inputs in scratch."""
    context.temps("i0 o0 i1+")
    if context.output().type == "INT8":
        context.op_data("add_n.OpData")
    context.scratch(4 * len(context.op.inputs))
