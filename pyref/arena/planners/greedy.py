"""TFLM's GreedyMemoryPlanner: largest first, each into the first gap that is large enough.

Source: micro/memory_planner/greedy_memory_planner.cc, CalculateOffsetsIfNeeded.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from pyref.arena.buffers import ONLINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.arena.buffers import Buffer

#: per_buffer_size(), greedy_memory_planner.h: bytes of working arrays for one buffer
#: (BufferRequirements 16, two sorted arrays 8, ListEntry 12, offset 4).
BYTES_PER_BUFFER = 40


def order(buffers: Sequence[Buffer]) -> list[int]:
    """Positions in the order in which they are placed.

    Offline-planned ones come first as given. The others are put into a list from its end and
    sorted by a stable sort of descending size, so that of equal sizes the last added is first.
    """
    fixed = [i for i, b in enumerate(buffers) if b.offline_offset != ONLINE]
    online = [i for i in reversed(range(len(buffers))) if buffers[i].offline_offset == ONLINE]
    return fixed + sorted(online, key=lambda i: -buffers[i].size)


def place(buffers: Sequence[Buffer]) -> list[int]:
    """Byte offset of each buffer, in the order given."""
    offsets = [0] * len(buffers)
    placed: list[int] = []  # positions by offset; equal offsets in order of placing
    placed_offsets: list[int] = []
    for i in order(buffers):
        wanted = buffers[i]
        if wanted.offline_offset != ONLINE:
            offset = wanted.offline_offset
        else:
            offset = _first_gap(wanted, buffers, placed, offsets)
        offsets[i] = offset
        at = bisect_right(placed_offsets, offset)
        placed.insert(at, i)
        placed_offsets.insert(at, offset)
    return offsets


def _first_gap(
    wanted: Buffer, buffers: Sequence[Buffer], placed: Sequence[int], offsets: Sequence[int]
) -> int:
    """Lowest offset from which `wanted` fits below the next buffer alive at the same time."""
    first, last, size = wanted.first_use, wanted.last_use, wanted.size
    candidate = 0
    for i in placed:
        other = buffers[i]
        if other.first_use > last or first > other.last_use:
            continue
        if offsets[i] - candidate >= size:
            break
        candidate = max(candidate, offsets[i] + other.size)
    return candidate
