"""How much arena a model needs, and why the three numbers differ.

`used` is what TFLM reports after AllocateTensors; `smallest` is what AllocateTensors needs, more
where Prepare or the planner has a higher peak; `recommended` is what to write in the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyref

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyref.arena import Buffer

RELEASES = ("2026-08", "2024-06")
KERNEL_SETS = ("reference", "cmsis_nn")
ALIGNMENT_BYTES = 16
NAME_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Alternative:
    """What another release or kernel set would need; `refusal` instead where it takes no model."""

    tflm: str
    kernels: str
    used_bytes: int | None
    smallest_bytes: int | None
    refusal: str | None


@dataclass(frozen=True, slots=True)
class ArenaNeed:
    """The arena of one model for one release and kernel set, in bytes.

    Attributes:
        used_bytes: MicroInterpreter::arena_used_bytes().
        smallest_bytes: smallest arena, at a 16-byte aligned address, that allocates.
        recommended_bytes: the smallest multiple of 16 that allocates: write this in the source,
            with `alignas(16)`.
        recommended_unaligned_bytes: the smallest multiple of 16 that allocates at any address.
        head_bytes: activations and scratch.
        tail_bytes: persistent blocks.
        peak_bytes: highest end of head and temporaries while AllocateTensors runs.
        peak_owner: who makes that peak.
        sections: as RecordingMicroInterpreter prints them.
        consumers: the five largest, name and bytes, of head and tail.
        alternatives: the other releases and kernel sets.
    """

    used_bytes: int
    smallest_bytes: int
    recommended_bytes: int
    recommended_unaligned_bytes: int
    head_bytes: int
    tail_bytes: int
    peak_bytes: int
    peak_owner: str
    sections: Mapping[str, Any]
    consumers: tuple[tuple[str, int], ...]
    alternatives: tuple[Alternative, ...]

    @property
    def why(self) -> tuple[str, ...]:
        """Why the three numbers differ, one sentence each."""
        lines = []
        if self.smallest_bytes > self.used_bytes:
            owner = f" ({self.peak_owner})" if self.peak_owner else ""
            lines.append(
                f"AllocateTensors needs {self.smallest_bytes - self.used_bytes:,} bytes more than "
                f"stay in use: its temporary peak{owner} reaches {self.peak_bytes:,} bytes above "
                f"the arena's begin, the head that remains {self.head_bytes:,}"
            )
        if self.smallest_bytes < self.used_bytes:
            lines.append(
                "AllocateTensors does with a few bytes less than it reports used in an ample "
                "arena: what alignment costs depends on the arena's last address"
            )
        if self.recommended_bytes > self.smallest_bytes:
            lines.append(
                f"the size in the source is rounded up to a multiple of {ALIGNMENT_BYTES}: the "
                "tail's alignment follows the arena's last address"
            )
        if self.recommended_unaligned_bytes > self.recommended_bytes:
            lines.append(
                f"without alignas(16), TFLM skips up to {ALIGNMENT_BYTES - 1} bytes: give "
                f"{self.recommended_unaligned_bytes:,} then"
            )
        return tuple(lines)


def need(model: pyref.Model, plan: pyref.Plan) -> ArenaNeed:
    """Works out the arena numbers of a plan.

    Args:
        model: the model.
        plan: its plan for the release and kernel set asked for.
    """
    smallest = plan.smallest_arena_bytes
    recommended = _first_that_allocates(plan, smallest, base=0)
    return ArenaNeed(
        used_bytes=plan.arena_used_bytes,
        smallest_bytes=smallest,
        recommended_bytes=recommended,
        recommended_unaligned_bytes=max(
            _first_that_allocates(plan, recommended, base=base) for base in (1, 4, 8, 12, 15)
        ),
        head_bytes=plan.head_bytes,
        tail_bytes=plan.tail_bytes,
        peak_bytes=plan.temp_peak_bytes,
        peak_owner=plan.temp_peak_owner,
        sections=plan.recording["sections"],
        consumers=tuple(_largest(plan)),
        alternatives=tuple(
            _alternative(model, tflm, kernels)
            for tflm in RELEASES
            for kernels in KERNEL_SETS
            if (tflm, kernels) != (plan.tflm, plan.kernels)
        ),
    )


def _first_that_allocates(plan: pyref.Plan, at_least: int, *, base: int) -> int:
    size = -(-at_least // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
    while plan.refusal(size, base=base) is not None:
        size += ALIGNMENT_BYTES
    return size


def _largest(plan: pyref.Plan, number: int = 5) -> list[tuple[str, int]]:
    """Largest consumers of head and tail together; in the head, the buffers alive at its peak."""
    live = plan.live_bytes()
    peak = live.index(max(live)) if live else 0
    head = [
        (f"{label(p.buffer)} (head, at its peak)", p.buffer.size)
        for p in plan.placed
        if p.buffer.alive(peak)
    ]
    tail = [(f"{name} (tail)", size) for name, size in plan.largest_consumers(number)]
    return sorted(head + tail, key=lambda item: -item[1])[:number]


def label(buffer: Buffer) -> str:
    """A buffer's name, short enough for a table."""
    if buffer.kind == "scratch":
        return f"scratch of {buffer.op} (operator {buffer.node})"
    name = buffer.name if len(buffer.name) <= NAME_LENGTH else f"...{buffer.name[-NAME_LENGTH:]}"
    return f"tensor {buffer.index} {name}".rstrip()


def _alternative(model: pyref.Model, tflm: str, kernels: str) -> Alternative:
    try:
        plan = pyref.plan(model, tflm=tflm, kernels=kernels)
    except pyref.PyrefError as error:
        return Alternative(tflm, kernels, None, None, str(error))
    return Alternative(tflm, kernels, plan.arena_used_bytes, plan.smallest_arena_bytes, None)
