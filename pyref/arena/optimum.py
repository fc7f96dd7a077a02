"""The best plan of a head that can be found in some time, and how far the greedy plan is from it.

What is fixed are the tensors' offsets, written into the model by offline.write; TFLM's planner
still places scratch buffers itself, largest first, so the result is measured with it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyref.arena.bounds import lower_bound
from pyref.arena.buffers import NEVER, ONLINE
from pyref.arena.planners import branch_and_bound, greedy, peak
from pyref.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyref.arena.buffers import Buffer
    from pyref.arena.result import Plan


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best head found.

    Attributes:
        peak_bytes: its size as TFLM places it with the offsets fixed.
        greedy_bytes: the greedy planner's.
        lower_bound_bytes: largest sum of live buffers; no plan is smaller.
        proven: whether no smaller plan exists.
        offsets: (subgraph, tensor index) to byte offset, for tensors of the head.
        method: "greedy" (it is optimal already), "branch and bound" or "cp-sat".
        seconds: time spent.
    """

    peak_bytes: int
    greedy_bytes: int
    lower_bound_bytes: int
    proven: bool
    offsets: Mapping[tuple[int, int], int]
    method: str
    seconds: float


def optimum(plan: Plan, *, time_limit_s: float = 10.0, solver: str = "auto") -> Optimum:
    """Searches the smallest head for a plan's buffers.

    Args:
        plan: any plan of the model; its scratch buffers count, so the result holds for its
            release and kernel set.
        time_limit_s: seconds to search at most.
        solver: "cp-sat" (OR-tools, extra `solver`), "branch_and_bound" (our own), or "auto".

    Raises:
        PlanError: an unknown solver, or "cp-sat" without OR-tools.
    """
    start = time.monotonic()
    buffers = [replace(p.buffer, offline_offset=ONLINE) for p in plan.placed]
    first = greedy.place(buffers)
    best, method = first, "greedy"
    greedy_bytes, bound = peak(buffers, first), lower_bound(buffers)
    proven = greedy_bytes == bound
    if not proven:
        best, proven, method = _search(buffers, first, time_limit_s, solver)
    final = _with_scratch(buffers, best)
    size = peak(buffers, final)
    if size > greedy_bytes:  # the planner's own choice of scratch offsets spoilt it
        final, size, method, proven = first, greedy_bytes, "greedy", False
    return Optimum(
        peak_bytes=size,
        greedy_bytes=greedy_bytes,
        lower_bound_bytes=bound,
        proven=proven and size == peak(buffers, best),
        offsets={
            (b.subgraph, b.index): offset
            for b, offset in zip(buffers, final, strict=True)
            if b.kind == "tensor"
        },
        method=method,
        seconds=time.monotonic() - start,
    )


def _search(
    buffers: Sequence[Buffer], first: list[int], time_limit_s: float, solver: str
) -> tuple[list[int], bool, str]:
    if solver not in {"auto", "cp-sat", "branch_and_bound"}:
        raise PlanError(f'solver: expected "auto", "cp-sat" or "branch_and_bound", got {solver!r}')
    if solver != "branch_and_bound":
        from pyref.arena.planners import cp_sat  # noqa: PLC0415 - OR-tools is an extra

        if cp_sat.AVAILABLE:
            offsets, proven = cp_sat.place(buffers, first, time_limit_s)
            return offsets, proven, "cp-sat"
        if solver == "cp-sat":
            raise PlanError("solver cp-sat needs OR-tools: install tflm-hil[solver]")
    offsets, proven = branch_and_bound.place(buffers, first, time_limit_s)
    return offsets, proven, "branch and bound"


def _with_scratch(buffers: Sequence[Buffer], offsets: Sequence[int]) -> list[int]:
    """Offsets as TFLM's planner makes them when the tensors' are fixed."""
    fixed = [
        replace(b, offline_offset=offset) if b.kind == "tensor" and b.first_use != NEVER else b
        for b, offset in zip(buffers, offsets, strict=True)
    ]
    return greedy.place(fixed)
