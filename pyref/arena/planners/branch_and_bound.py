"""A small exact search: orders of placing, each buffer as low as it goes.

Every optimal plan can be pushed down until each buffer rests on offset 0 or on another; placing
by offset then gives the same plan, so that some order is optimal. Good orders are tried first and
improved by swaps; then all are searched, cutting off what cannot get below the best so far.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from pyref.arena.bounds import lower_bound
from pyref.arena.planners import peak

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.arena.buffers import Buffer

#: Part of the time that goes into improving good orders before all are searched.
_HEURISTIC_SHARE = 0.5


class _Search:
    def __init__(self, buffers: Sequence[Buffer], first: list[int], deadline: float) -> None:
        self.buffers = buffers
        self.neighbours = [
            [j for j, b in enumerate(buffers) if j != i and a.overlaps(b)]
            for i, a in enumerate(buffers)
        ]
        self.best, self.best_peak = first, peak(buffers, first)
        self.bound = lower_bound(buffers)
        self.deadline = deadline

    def lowest(self, i: int, offsets: Sequence[int]) -> int:
        """Lowest offset of buffer `i` among those placed (offset not -1)."""
        size = self.buffers[i].size
        spans = sorted(
            (offsets[j], offsets[j] + self.buffers[j].size)
            for j in self.neighbours[i]
            if offsets[j] >= 0
        )
        candidate = 0
        for low, high in spans:
            if low - candidate >= size:
                break
            candidate = max(candidate, high)
        return candidate

    def lay(self, order: Sequence[int]) -> int:
        """Places all in `order`; keeps the result if it is the best; returns its peak."""
        offsets = [-1] * len(self.buffers)
        top = 0
        for i in order:
            offsets[i] = self.lowest(i, offsets)
            top = max(top, offsets[i] + self.buffers[i].size)
        if top < self.best_peak:
            self.best, self.best_peak = offsets, top
        return top

    def finished(self, until: float) -> bool:
        return self.best_peak <= self.bound or time.monotonic() > until

    def improve(self, until: float) -> None:
        """Swaps in good orders, with a fixed seed so that results repeat."""
        rng = random.Random(0)  # noqa: S311 - no secrets here
        span = [b.last_use - b.first_use + 1 for b in self.buffers]
        keys = (
            lambda i: (-self.buffers[i].size, -span[i]),
            lambda i: (-span[i], -self.buffers[i].size),
            lambda i: (-self.buffers[i].size * span[i],),
            lambda i: (self.buffers[i].first_use, -self.buffers[i].size),
        )
        orders = [sorted(range(len(self.buffers)), key=key) for key in keys]
        current = min(orders, key=self.lay)
        top = self.lay(current)
        while len(current) > 1 and not self.finished(until):
            trial = current.copy()
            a, b = rng.randrange(len(trial)), rng.randrange(len(trial))
            trial.insert(b, trial.pop(a))
            new = self.lay(trial)
            if new <= top:
                current, top = trial, new

    def exhaust(self) -> bool:
        """Depth first over all orders; returns whether it got to the end."""
        offsets = [-1] * len(self.buffers)
        remaining = sorted(range(len(self.buffers)), key=lambda i: -self.buffers[i].size)
        return self._deeper(offsets, remaining, 0)

    def _deeper(self, offsets: list[int], remaining: list[int], floor: int) -> bool:
        if self.finished(self.deadline):
            return self.best_peak <= self.bound
        if not remaining:
            top = max(o + b.size for o, b in zip(offsets, self.buffers, strict=True))
            if top < self.best_peak:
                self.best, self.best_peak = offsets.copy(), top
            return True
        for i in remaining:
            offset = self.lowest(i, offsets)
            # Placing by ascending offset loses nothing, and visits each plan once.
            if offset < floor or offset + self.buffers[i].size >= self.best_peak:
                continue
            offsets[i] = offset
            done = self._deeper(offsets, [j for j in remaining if j != i], offset)
            offsets[i] = -1
            if not done:
                return False
        return True


def place(
    buffers: Sequence[Buffer], first: list[int], time_limit_s: float
) -> tuple[list[int], bool]:
    """Smallest plan found within the time.

    Args:
        buffers: what to place.
        first: a plan to begin with.
        time_limit_s: seconds.

    Returns:
        Byte offsets in the order given, and whether no smaller plan exists.
    """
    start = time.monotonic()
    search = _Search(buffers, first, start + time_limit_s)
    search.improve(start + time_limit_s * _HEURISTIC_SHARE)
    proven = search.best_peak <= search.bound or search.exhaust()
    return search.best, proven
