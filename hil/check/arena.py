"""How much arena a model needs, and why the numbers differ.

`used` is what TFLM reports after AllocateTensors; `smallest` is what AllocateTensors needs, which
can be more (a temporary peak in Prepare or while planning) or a few bytes less (alignment);
`recommended` is what to write in the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyref
from hil.check.refusal import plan_or_refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyref.arena import Buffer

RELEASES = ("2026-08", "2024-06")
KERNEL_SETS = ("reference", "cmsis_nn")
#: MicroArenaBufferAlignment(), micro/micro_arena_constants.h.
ALIGNMENT_BYTES = 16
#: Step of `smallest_arena_bytes`: the coarsest alignment of the arena's last address that matters.
STEP_BYTES = 4
NAME_LENGTH = 32
CONSUMERS = 5


@dataclass(frozen=True, slots=True)
class Alternative:
    """What another release or kernel set would need; `refusal` instead where it takes no model."""

    tflm: str
    kernels: str
    used_bytes: int | None
    smallest_bytes: int | None
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Consumer:
    """What takes arena: a name and bytes."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ArenaNeed:
    """The arena of one model for one release and kernel set, in bytes.

    Attributes:
        used_bytes: MicroInterpreter::arena_used_bytes(), in an arena whose begin and size are
            multiples of 16.
        smallest_bytes: smallest arena, at a 16-byte aligned address and in steps of 4 bytes, that
            allocates. Every larger one allocates too.
        used_in_smallest_bytes: what TFLM reports in that one.
        recommended_bytes: the smallest multiple of 16 that allocates: write this in the source,
            with `alignas(16)`.
        recommended_unaligned_bytes: the same for an arena at any address.
        head_bytes: activations and scratch.
        tail_bytes: persistent blocks.
        limit_owner: who asks for what no longer fits with 4 bytes less than the smallest.
        limit_message: TFLM's words then.
        sections: as RecordingMicroInterpreter prints them.
        head_consumers: the five largest buffers alive at the head's peak.
        tail_consumers: the five largest persistent consumers.
        alternatives: the other releases and kernel sets.
    """

    used_bytes: int
    smallest_bytes: int
    used_in_smallest_bytes: int
    recommended_bytes: int
    recommended_unaligned_bytes: int
    head_bytes: int
    tail_bytes: int
    limit_owner: str
    limit_message: str
    sections: Mapping[str, Any]
    head_consumers: tuple[Consumer, ...]
    tail_consumers: tuple[Consumer, ...]
    alternatives: tuple[Alternative, ...]

    @property
    def temporary_bytes(self) -> int:
        """What AllocateTensors needs for a while and gives back; 0 where the end is the limit."""
        spare = self.smallest_bytes - self.used_in_smallest_bytes
        return spare if spare >= ALIGNMENT_BYTES else 0

    @property
    def why(self) -> tuple[str, ...]:
        """Why the numbers differ, one sentence each."""
        lines = []
        smallest, used = self.smallest_bytes, self.used_bytes
        if self.temporary_bytes:
            lines.append(
                f"{self.temporary_bytes:,} of the {smallest:,} bytes are needed only while "
                f"AllocateTensors runs: {self.limit_owner} asks for them (with {STEP_BYTES} bytes "
                f'less: "{self.limit_message}")'
            )
        elif smallest != used:
            lines.append(
                "persistent blocks are aligned by absolute address, counted down from the arena's "
                f"last: an arena of {smallest:,} bytes holds {self.used_in_smallest_bytes:,} in "
                f"use, one of a multiple of {ALIGNMENT_BYTES} bytes {used:,}"
            )
        if self.recommended_bytes > smallest:
            lines.append(
                f"the size in the source is the next multiple of {ALIGNMENT_BYTES}: with such a "
                f"size TFLM reports exactly {used:,} bytes used"
            )
        lines.append(
            f"without alignas({ALIGNMENT_BYTES}) TFLM skips up to {ALIGNMENT_BYTES - 1} bytes at "
            f"the arena's begin: give {self.recommended_unaligned_bytes:,} then"
        )
        return tuple(lines)


def need(model: pyref.Model, plan: pyref.Plan) -> ArenaNeed:
    """Works out the arena numbers of a plan.

    Args:
        model: the model.
        plan: its plan for the release and kernel set asked for, in an ample arena.
    """
    smallest = plan.smallest_arena_bytes
    in_smallest = pyref.plan(
        model, tflm=plan.tflm, kernels=plan.kernels, planner=plan.planner, arena_size=smallest
    )
    owner, message = _limit(model, plan, smallest - STEP_BYTES)
    return ArenaNeed(
        used_bytes=plan.arena_used_bytes,
        smallest_bytes=smallest,
        used_in_smallest_bytes=in_smallest.arena_used_bytes,
        recommended_bytes=_round_up(smallest),
        recommended_unaligned_bytes=_round_up(smallest + ALIGNMENT_BYTES - 1),
        head_bytes=plan.head_bytes,
        tail_bytes=plan.tail_bytes,
        limit_owner=owner,
        limit_message=message,
        sections=plan.recording["sections"],
        head_consumers=_largest_of_head(plan),
        tail_consumers=tuple(Consumer(n, b) for n, b in plan.largest_consumers(CONSUMERS)),
        alternatives=tuple(
            _alternative(model, tflm, kernels)
            for tflm in RELEASES
            for kernels in KERNEL_SETS
            if (tflm, kernels) != (plan.tflm, plan.kernels)
        ),
    )


def missing_bytes(smallest_bytes: int, size_bytes: int, *, base: int = 0) -> int:
    """What an arena of `size_bytes` at address `base` lacks; 0 where it does.

    TFLM skips to the next multiple of 16 and then has an aligned arena of what is left.
    """
    return max(smallest_bytes + -base % ALIGNMENT_BYTES - size_bytes, 0)


def label(buffer: Buffer) -> str:
    """A buffer's name, short enough for a table: what tells tensors apart is at a name's end."""
    if buffer.kind == "scratch":
        return f"scratch of {buffer.op} (operator {buffer.node})"
    name = buffer.name if len(buffer.name) <= NAME_LENGTH else f"...{buffer.name[-NAME_LENGTH:]}"
    where = f" of subgraph {buffer.subgraph}" if buffer.subgraph else ""
    return f"tensor {buffer.index}{where} {name}".rstrip()


def _round_up(size_bytes: int) -> int:
    return -(-size_bytes // ALIGNMENT_BYTES) * ALIGNMENT_BYTES


def _limit(model: pyref.Model, plan: pyref.Plan, size_bytes: int) -> tuple[str, str]:
    """Who fails in an arena of `size_bytes`, and TFLM's words."""
    try:
        pyref.plan(
            model,
            tflm=plan.tflm,
            kernels=plan.kernels,
            planner=plan.planner,
            arena_size=size_bytes,
        )
    except pyref.ArenaTooSmallError as error:
        return str(error.owner or ""), error.message
    return "", ""


def _largest_of_head(plan: pyref.Plan) -> tuple[Consumer, ...]:
    live = plan.live_bytes()
    if not live:
        return ()
    peak = live.index(max(live))
    alive = [p.buffer for p in plan.placed if p.buffer.alive(peak)]
    alive.sort(key=lambda buffer: -buffer.size)
    return tuple(Consumer(label(b), b.size) for b in alive[:CONSUMERS])


def _alternative(model: pyref.Model, tflm: str, kernels: str) -> Alternative:
    plan, refusal = plan_or_refusal(model, tflm, kernels)
    if plan is None or refusal.reason is not None:
        return Alternative(tflm, kernels, None, None, refusal.reason)
    return Alternative(tflm, kernels, plan.arena_used_bytes, plan.smallest_arena_bytes, None)
