"""MIRROR_PAD: micro/kernels/mirror_pad.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """MirrorPadInit."""
    context.op_data("OpDataMirrorPad")


def prepare(context: KernelContext) -> None:
    """MirrorPadPrepare: two scratch arrays of one int a dimension."""
    context.temps("i0 i1 o0")
    rank = len(context.shape(context.input(0)))
    context.scratch(4 * rank)
    context.scratch(4 * rank)
