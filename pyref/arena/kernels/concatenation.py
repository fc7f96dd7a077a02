"""CONCATENATION: micro/kernels/concatenation.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """ConcatenationInit."""
    context.op_data("concatenation.OpData")


def prepare(context: KernelContext) -> None:
    """ConcatenationPrepare; the release of 2024-06 keeps every int8 input's scale and offset."""
    context.temps("i0 o0 i*")
    if context.release.name != "2024-06":
        return
    context.temps("o0")
    if context.output().type == "INT8":
        context.persistent(4 * len(context.op.inputs), "input scales")
        context.persistent(4 * len(context.op.inputs), "input zero points")
        context.temps("i*")
