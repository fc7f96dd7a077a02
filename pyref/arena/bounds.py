"""How small a head could be: a lower bound, and whether offsets are sound."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.arena.buffers import Buffer


def lower_bound(buffers: Sequence[Buffer]) -> int:
    """Largest sum of buffers alive at one time, in bytes: no plan can do with less."""
    starts = {b.first_use for b in buffers}
    return max((sum(b.size for b in buffers if b.alive(s)) for s in starts), default=0)


def overlaps(buffers: Sequence[Buffer], offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of positions whose buffers share bytes while both are alive."""
    spans = list(zip(buffers, offsets, strict=True))
    return [
        (i, j)
        for (i, (a, x)), (j, (b, y)) in combinations(enumerate(spans), 2)
        if a.overlaps(b) and x < y + b.size and y < x + a.size
    ]
