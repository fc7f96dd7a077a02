"""Replays a trace on an arena of some size and address, and finds the smallest that does.

Sources: micro/micro_allocator.cc (Create, CommitStaticMemoryPlan),
micro/recording_micro_allocator.cc, micro/memory_planner/greedy_memory_planner.cc (Init).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyref.arena.allocator import ALIGNMENT, Arena, SplitArena
from pyref.arena.errors import ArenaTooSmallError
from pyref.arena.events import Event, Kind, Owner, Section
from pyref.arena.planners import greedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.arena.record import Trace
    from pyref.arena.releases import Release


@dataclass(slots=True)
class Use:
    """What one owner took of the tail, and what a recording section counts."""

    count: int = 0
    requested: int = 0
    used: int = 0

    def add(self, requested: int, used: int, count: int = 1) -> None:
        """Counts one more block."""
        self.count += count
        self.requested += requested
        self.used += used

    def as_dict(self) -> dict[str, int]:
        """The facts file's form."""
        return {"count": self.count, "requested": self.requested, "used": self.used}


@dataclass(slots=True)
class Result:
    """An arena after AllocateTensors succeeded.

    Attributes:
        arena: both ends as they stand.
        sections: RecordingMicroAllocator's counts.
        owners: persistent bytes by consumer.
        temp_peak: highest end of head and temporaries seen, in bytes from the head's begin.
        temp_peak_owner: who made it.
    """

    arena: Arena
    sections: dict[Section, Use] = field(default_factory=dict)
    owners: dict[Owner, Use] = field(default_factory=dict)
    temp_peak: int = 0
    temp_peak_owner: Owner | None = None

    @property
    def used(self) -> int:
        """MicroAllocator::used_bytes."""
        return self.arena.head_used + self.arena.tail_used


def objects(release: Release, planner: str, *, recording: bool = False) -> list[Event]:
    """MicroAllocator::Create: the allocators' own objects at the very end of the arena."""
    names = (
        ["RecordingSingleArenaBufferAllocator", _PLANNER_CLASS[planner], "RecordingMicroAllocator"]
        if recording
        else ["SingleArenaBufferAllocator", _PLANNER_CLASS[planner], "MicroAllocator"]
    )
    return _objects(release, names)


def split_objects(release: Release, planner: str) -> list[Event]:
    """The same for two arenas; all objects stand in the persistent one."""
    return _objects(
        release,
        [
            "PersistentArenaBufferAllocator",
            "NonPersistentArenaBufferAllocator",
            _PLANNER_CLASS[planner],
            "MicroAllocator",
        ],
    )


_PLANNER_CLASS = {"greedy": "GreedyMemoryPlanner", "linear": "LinearMemoryPlanner"}


def _objects(release: Release, names: Sequence[str]) -> list[Event]:
    events = []
    for name in names:
        layout = release.struct(name)
        owner = Owner("allocator objects", detail=name)
        events.append(Event(Kind.PERSISTENT, layout.size, layout.align, owner))
    return events


def run(arena: Arena, events: Sequence[Event], planner: str, *, detailed: bool = False) -> Result:
    """Carries out `events` on `arena`.

    Raises:
        ArenaTooSmallError: with TFLM's message of the first request that does not fit.
    """
    result = Result(arena)
    for event in events:
        kind = event.kind
        if kind is Kind.PERSISTENT:
            before = arena.tail
            try:
                arena.persistent(event.size, event.align, event.owner, touched=not event.unchecked)
            except ArenaTooSmallError:
                if not event.unchecked:
                    raise
                continue
            if detailed:
                _count(result, event, before - arena.tail)
        elif kind is Kind.TEMP:
            arena.allocate_temp(event.size, event.align, event.owner, vital=event.vital)
        elif kind is Kind.RESET_TEMP:
            arena.reset_temp()
        elif kind is Kind.RESIZE:
            size = event.size
            if event.owner.part == "planned memory":
                size = arena.head_used_max = max(arena.head_used_max, size)
            arena.resize(size, event.align, event.owner)
        else:
            _plan(arena, event, planner)
        if detailed and arena.temp - arena.buffer_head > result.temp_peak:
            result.temp_peak = arena.temp - arena.buffer_head
            result.temp_peak_owner = event.owner
    return result


def _count(result: Result, event: Event, used: int) -> None:
    if event.section is not Section.OTHER:
        section = result.sections.setdefault(event.section, Use())
        section.add(event.size, used, event.count)
    result.owners.setdefault(event.owner, Use()).add(event.size, used)


def _plan(arena: Arena, event: Event, planner: str) -> None:
    """The planner takes all memory that is left; its arrays must hold every buffer.

    TFLM takes what is left as unsigned; below zero it would write over the tail. That counts as
    a failure here.
    """
    remaining = arena.available()
    arena.allocate_temp(max(remaining, 0), ALIGNMENT, event.owner)
    needed = greedy.BYTES_PER_BUFFER * event.size if planner == "greedy" else 0
    capacity = max(remaining, 0) // greedy.BYTES_PER_BUFFER
    if remaining < needed:
        raise ArenaTooSmallError(
            f"Too many buffers (max is {capacity})",
            requested=needed,
            available=remaining,
            missing=needed - remaining,
            owner=event.owner,
        )
    # What the planner really writes, for the peak.
    arena.temp -= max(remaining, 0) - needed


def smallest(trace: Trace, release: Release, *, base: int = 0, step: int = 4) -> int:
    """Smallest arena size, a multiple of `step` bytes, with which AllocateTensors succeeds."""
    events = [*objects(release, trace.planner), *trace.events]

    def fits(size: int) -> bool:
        try:
            run(Arena(base, size), events, trace.planner)
        except ArenaTooSmallError:
            return False
        return True

    low, high = 0, 1
    while not fits(high * step):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle * step) else (middle, high)
    return high * step


def split(
    trace: Trace,
    release: Release,
    *,
    persistent: tuple[int, int],
    head: tuple[int, int],
    detailed: bool = False,
) -> Result:
    """Replays on two arenas, each given as (base, size) in bytes."""
    arena = SplitArena(*persistent, *head)
    events = [*split_objects(release, trace.planner), *trace.events]
    return run(arena, events, trace.planner, detailed=detailed)
