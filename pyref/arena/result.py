"""What a plan says: buffers and where they stand, persistent consumers, the smallest arena."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyref.arena import replay
from pyref.arena.allocator import Arena
from pyref.arena.errors import ArenaTooSmallError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyref.arena.buffers import Buffer
    from pyref.arena.record import Trace
    from pyref.arena.releases import Release


@dataclass(frozen=True, slots=True)
class Placed:
    """A buffer where the plan puts it.

    Attributes:
        buffer: what it is, its size in bytes and its lifetime.
        offset: bytes from the arena's begin.
    """

    buffer: Buffer
    offset: int

    @property
    def end(self) -> int:
        """One past its last byte."""
        return self.offset + self.buffer.size


@dataclass(frozen=True, slots=True)
class Consumer:
    """Persistent memory of one consumer.

    Attributes:
        part: such as "op data", "persistent buffers", "builtin data", "eval tensors".
        op: TFLM's operator name, "" for what belongs to no operator.
        subgraph: -1 for none.
        index: operator's position, -1 for none.
        detail: what it is for.
        count: blocks.
        requested: bytes asked for.
        used: bytes taken, alignment included.
    """

    part: str
    op: str
    subgraph: int
    index: int
    detail: str
    count: int
    requested: int
    used: int


@dataclass(frozen=True, eq=False)
class Plan:
    """An arena after AllocateTensors.

    Attributes:
        tflm: release.
        kernels: "reference" or "cmsis_nn".
        planner: "greedy" or "linear".
        base: the arena's address (only its remainder by 16 matters).
        arena_size: bytes given.
        arena_used_bytes: MicroInterpreter::arena_used_bytes().
        head_bytes: activations and scratch buffers.
        tail_bytes: persistent blocks.
        placed: every tensor and scratch buffer of the head, in the planner's order.
        consumers: every persistent consumer, in order of first request.
        temp_peak_bytes: highest end of head and temporaries while allocating, from the begin of
            the head; more than head_bytes where Prepare or the planner needs more than running.
        temp_peak_owner: who made that peak.
        warnings: what TFLM does silently otherwise than the file says.
    """

    tflm: str
    kernels: str
    planner: str
    base: int
    arena_size: int
    arena_used_bytes: int
    head_bytes: int
    tail_bytes: int
    placed: tuple[Placed, ...]
    consumers: tuple[Consumer, ...]
    temp_peak_bytes: int
    temp_peak_owner: str
    warnings: tuple[str, ...]
    trace: Trace = field(repr=False)
    release: Release = field(repr=False)

    @cached_property
    def smallest_arena_bytes(self) -> int:
        """Smallest arena, in steps of 4 bytes at a 16-byte aligned base, that allocates."""
        return replay.smallest(self.trace, self.release)

    @cached_property
    def recording(self) -> Mapping[str, Any]:
        """What RecordingMicroInterpreter would print: total, head, tail and sections, in bytes.

        Its own allocator objects are a little larger, so its total is not arena_used_bytes.
        """
        events = [
            *replay.objects(self.release, self.planner, recording=True),
            *self.trace.events,
        ]
        result = replay.run(Arena(self.base, self.arena_size), events, self.planner, detailed=True)
        return MappingProxyType(
            {
                "total": result.used,
                "head": result.arena.head_used,
                "tail": result.arena.tail_used,
                "sections": {
                    section.value: use.as_dict()
                    for section, use in result.sections.items()
                    if use.requested or use.used
                },
            }
        )

    @cached_property
    def tensor_offsets(self) -> Mapping[int, int]:
        """Tensor index of subgraph 0 to bytes from the arena's begin, for tensors of the head."""
        return MappingProxyType(
            {
                p.buffer.index: p.offset
                for p in self.placed
                if p.buffer.kind == "tensor" and p.buffer.subgraph == 0
            }
        )

    def refusal(self, arena_size: int, *, base: int | None = None) -> str | None:
        """TFLM's first message with an arena of `arena_size` bytes; None if it allocates."""
        events = [*replay.objects(self.release, self.planner), *self.trace.events]
        try:
            replay.run(Arena(self.base if base is None else base, arena_size), events, self.planner)
        except ArenaTooSmallError as error:
            return error.message
        return None

    def largest_consumers(self, number: int = 5) -> list[tuple[str, int]]:
        """The largest persistent consumers by operator or part: (name, bytes)."""
        totals: dict[str, int] = {}
        for c in self.consumers:
            name = f"{c.op} (operator {c.index})" if c.op else c.part
            if c.op and c.subgraph > 0:
                name = f"{c.op} (operator {c.index} of subgraph {c.subgraph})"
            totals[name] = totals.get(name, 0) + c.used
        return sorted(totals.items(), key=lambda item: -item[1])[:number]

    def live_bytes(self) -> list[int]:
        """Sum of the sizes of the buffers alive in each allocation scope, in bytes."""
        last = max((p.buffer.last_use for p in self.placed), default=-1)
        return [
            sum(p.buffer.size for p in self.placed if p.buffer.alive(scope))
            for scope in range(last + 1)
        ]


def placed(trace: Trace, padding: int) -> tuple[Placed, ...]:
    """The trace's buffers with offsets from the arena's begin; `padding` bytes precede the head."""
    return tuple(
        Placed(buffer, offset + padding)
        for buffer, offset in zip(trace.buffers, trace.offsets, strict=True)
    )


def consumers(result: replay.Result) -> tuple[Consumer, ...]:
    """The persistent side of a detailed replay, by owner."""
    return tuple(
        Consumer(o.part, o.op, o.subgraph, o.index, o.detail, u.count, u.requested, u.used)
        for o, u in result.owners.items()
    )
