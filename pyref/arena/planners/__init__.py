"""Memory planners: each takes buffers and gives one byte offset for each, in the same order.

To add one: one file here with a function `place(buffers) -> list[int]`, one line in PLANNERS
where `plan(..., planner=)` shall accept its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.buffers import Buffer

Place = Callable[[Sequence["Buffer"]], list[int]]


def peak(buffers: Sequence[Buffer], offsets: Sequence[int]) -> int:
    """GetMaximumMemorySize: bytes from offset 0 to the end of the highest buffer."""
    return max((o + b.size for b, o in zip(buffers, offsets, strict=True)), default=0)


from pyref.arena.planners import greedy, linear  # noqa: E402 - they are used below only

#: Planner name to its function; both are TFLM's own.
PLANNERS: dict[str, Place] = {"greedy": greedy.place, "linear": linear.place}
