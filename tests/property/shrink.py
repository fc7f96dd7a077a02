"""Makes a recorded list of choices smaller while what it shows stays.

Hypothesis shrinks what it finds itself; the long run draws from a plain seed, and so shrinks its
own finds: pieces of the list are removed, then numbers are lowered.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.property import regressions
from tests.property.check import Checker
from tests.property.compare import Outcome
from tests.property.draw import ReplayDraw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.property.draw import Draw
    from tests.property.instance import Instance

#: Seconds for one difference.
BUDGET_S = 15


def shrink(strategy: Callable[[Draw], Instance], choices: Sequence[int], kind: str) -> Instance:
    """The simplest instance found that differs in the same way.

    Args:
        strategy: what drew it.
        choices: its choices.
        kind: `regressions.kind` of its verdict.
    """
    checker = Checker()
    best, smallest = list(choices), strategy(ReplayDraw(choices))
    end, tried = time.monotonic() + BUDGET_S, {tuple(best)}
    again = True
    while again:
        again = False
        for candidate in _simpler(best):
            if time.monotonic() > end:
                checker.close()
                return smallest
            if tuple(candidate) in tried:
                continue
            tried.add(tuple(candidate))
            draw = ReplayDraw(candidate)
            instance = strategy(draw)
            verdict = checker.check(instance)
            same = regressions.kind(verdict) == kind and verdict.outcome is Outcome.DIFFERENT
            if same and (len(draw.choices), draw.choices) < (len(best), best):
                best, smallest, again = draw.choices, instance, True
                break
    checker.close()
    return smallest


def _simpler(choices: list[int]) -> Iterator[list[int]]:
    for size in (16, 8, 4, 2, 1):
        for i in range(len(choices) - size + 1):
            yield choices[:i] + choices[i + size :]
            if any(choices[i : i + size]):
                yield choices[:i] + [0] * size + choices[i + size :]
    for i, number in enumerate(choices):
        for lower in dict.fromkeys((number // 2, number - 1)):
            if 0 < lower < number:
                yield [*choices[:i], lower, *choices[i + 1 :]]
