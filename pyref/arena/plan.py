"""`plan`: what TFLM's arena looks like for a model, to the byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena import engine, notes, releases, replay
from pyref.arena.allocator import ALIGNMENT, Arena, align_up
from pyref.arena.errors import ArenaTooSmallError
from pyref.arena.kernel import check_kernels
from pyref.arena.record import record
from pyref.arena.result import Plan, consumers, placed

if TYPE_CHECKING:
    from pyref.model import Model

#: Arena that a plan assumes where none is given: ample, and 16-byte aligned at its end.
DEFAULT_ARENA_SIZE = 1 << 28


def plan(
    model: Model,
    tflm: str = "2026-08",
    kernels: str = "cmsis_nn",
    planner: str = "greedy",
    *,
    arena_size: int | None = None,
    base: int = 0,
    preserve_all_tensors: bool = False,
) -> Plan:
    """Plans a model's arena as TFLM's MicroAllocator does on a 32-bit target.

    Args:
        model: a verified model.
        tflm: release of TFLM, "2026-08" or "2024-06"; "hil-1" for this project's own engine.
        kernels: "reference" or "cmsis_nn".
        planner: "greedy" or "linear". A model with OfflineMemoryAllocation metadata has its
            offsets taken from there, as TFLM does.
        arena_size: bytes given to the interpreter; None for ample. Persistent blocks are aligned
            by absolute address, so that (base + arena_size) % 16 moves arena_used_bytes.
        base: the arena's address.
        preserve_all_tensors: MicroInterpreter's flag: the linear planner. Not the shipping size.

    Raises:
        RefusedError: TFLM would not take the model.
        ArenaTooSmallError: `arena_size` does not do; carries TFLM's message.
        OfflinePlanError: the model's offline plan is broken.
        PlanError: an unknown release, kernel set or planner.
    """
    if tflm == engine.NAME:
        return engine.plan(model, DEFAULT_ARENA_SIZE if arena_size is None else arena_size, base)
    check_kernels(kernels)
    release = releases.find(tflm)
    planner = "linear" if preserve_all_tensors else planner
    trace = record(model, release, kernels, planner)
    size = DEFAULT_ARENA_SIZE if arena_size is None else arena_size
    events = [*replay.objects(release, planner), *trace.events]
    try:
        result = replay.run(Arena(base, size), events, planner, detailed=True)
    except ArenaTooSmallError as error:
        error.arena_size = size
        raise
    return Plan(
        tflm=tflm,
        kernels=kernels,
        planner=planner,
        base=base,
        arena_size=size,
        arena_used_bytes=result.used,
        head_bytes=result.arena.head_used,
        tail_bytes=result.arena.tail_used,
        placed=placed(trace, align_up(base, ALIGNMENT) - base),
        consumers=consumers(result),
        temp_peak_bytes=result.temp_peak,
        temp_peak_owner=str(result.temp_peak_owner or ""),
        warnings=tuple(notes.of_model(model) + notes.of_offline_plan(trace)),
        trace=trace,
        release=release,
    )
