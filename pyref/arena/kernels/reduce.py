"""MEAN, SUM, REDUCE_MAX, REDUCE_MIN and REDUCE_ALL: micro/kernels/reduce_common.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init(context: KernelContext) -> None:
    """InitReduce."""
    context.op_data("OpDataReduce")


def _prepare_simple(context: KernelContext) -> None:
    """PrepareSimple."""
    context.temps("i0 i1 o0" if context.input(0).type == "INT8" else "i0 i1")


def _iterators(context: KernelContext) -> None:
    """The input iterator and the resolved axes."""
    context.scratch(4 * len(context.shape(context.input(0))))
    context.scratch(4 * context.elements(context.input(1)))


def prepare_min_max(context: KernelContext) -> None:
    """PrepareMinMaxHelper (PrepareMaxHelper in 2024-06)."""
    _prepare_simple(context)
    context.temps("i0 o0 i1")
    _iterators(context)


def prepare_all(context: KernelContext) -> None:
    """PrepareAllHelper."""
    context.temps("i0 o0 i1")
    _prepare_simple(context)
    _iterators(context)


def prepare_mean_or_sum(context: KernelContext) -> None:
    """PrepareMeanOrSumHelper: accumulators, and from 2026-08 on the work arrays in scratch."""
    context.temps("i0 o0 i1")
    if context.input(0).type in {"INT8", "INT16"}:
        context.scratch(4 * context.elements(context.output()))
    if context.release.name != "2024-06":
        _iterators(context)
    _prepare_simple(context)
