"""Where random choices come from: hypothesis, a seed, or a list recorded before.

A strategy is a function of a `Draw`. Every choice is one bounded integer whose simplest value is
the lowest, so that the same strategy runs under hypothesis (which shrinks), in the long run
(fast, deterministic by seed) and when a recorded list of choices is shrunk (`shrink.py`).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from tests.property.values import values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

T = TypeVar("T")


class Draw(ABC):
    """A source of choices."""

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`; the first is the simplest."""
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """True in about `percent` of a hundred draws; False is the simpler."""
        return self.integer(0, 99) >= 100 - percent

    def subset(self, options: Sequence[T]) -> list[T]:
        """Some of `options`, in order."""
        return [o for o in options if self.integer(0, 1)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """`options` in some order; the given order is the simplest."""
        rest, result = list(options), []
        while rest:
            result.append(rest.pop(self.integer(0, len(rest) - 1)))
        return result

    def shape(
        self, low: int = 1, high: int = 4, *, most: int = 7, elements: int = 600
    ) -> list[int]:
        """A shape of rank `low` to `high`, with dimensions 1 to `most`."""
        result: list[int] = []
        for _ in range(self.integer(low, high)):
            used = int(np.prod(result, dtype=np.int64))
            result.append(self.integer(1, max(1, min(most, elements // used))))
        return result

    def broadcast(self, rank: int = 6) -> tuple[list[int], list[int], list[int]]:
        """Two shapes of rank 0 to `rank` and what they broadcast to."""
        out = self.shape(0, rank)
        if self.chance(40):
            return out, list(out), out
        if self.integer(0, 1):
            narrow = [1 if self.integer(0, 1) else n for n in out]
            narrow = narrow[self.integer(0, len(out)) :] if out else narrow
            return (out, narrow, out) if self.integer(0, 1) else (narrow, out, out)
        who = [self.integer(0, 2) for _ in out]
        first = [1 if w == 1 else n for n, w in zip(out, who, strict=True)]
        second = [1 if w == 2 else n for n, w in zip(out, who, strict=True)]
        return first, second, out

    def values(self, type_: str, shape: Sequence[int], **limits: Any) -> NDArray[Any]:
        """An array of TensorType `type_`; see `values.values`."""
        return values(self.integer, type_, tuple(shape), **limits)

    def scale(self, low: int = -12, high: int = 2) -> float:
        """A float32 scale, mostly 2^low to 2^high."""
        mantissa = 1 + self.integer(0, 1023) / 1024
        return float(np.float32(mantissa * 2.0 ** -self.integer(-high, -low)))

    def near(self, scale: float, low: int = -3, high: int = 5) -> float:
        """A scale 2^low to 2^high times another; sometimes the same."""
        if self.chance(20):
            return scale
        return float(np.float32(scale * self.scale(low, high)))

    def exact_ratio(self, scale: float, low: int = -3, high: int = 3) -> float:
        """A scale whose ratio to `scale`, one of `scale()`, float32 holds exactly."""
        ratio = (1 + self.integer(0, 63) / 64) * 2.0 ** self.integer(low, high)
        return scale if self.chance(20) else scale * ratio

    def zero_point(self, type_: str = "INT8") -> int:
        """A zero point, often at an end; for int16, where most kernels want it, mostly 0."""
        if type_ == "INT16":
            return self.integer(-300, 300) if self.chance(4) else 0
        low, high = {"INT8": (-128, 127), "UINT8": (0, 255)}[type_]
        return (0, low, high, self.integer(low, high))[self.integer(0, 3)]


class SeededDraw(Draw):
    """Choices from a seed, recorded in `choices`."""

    def __init__(self, seed: str | int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - not for secrets
        self.choices: list[int] = []

    def integer(self, low: int, high: int) -> int:
        """See `Draw.integer`; the record holds distances from `low`."""
        number = self._random.randint(0, max(0, high - low))
        self.choices.append(number)
        return low + number


class ReplayDraw(Draw):
    """Choices from a list; the simplest ones where it ends, the nearest where they do not fit."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._left = iter(choices)
        self.choices: list[int] = []

    def integer(self, low: int, high: int) -> int:
        """See `Draw.integer`."""
        number = min(next(self._left, 0), max(0, high - low))
        self.choices.append(number)
        return low + number


class HypothesisDraw(Draw):
    """Choices of hypothesis, from the `draw` of a composite strategy."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """See `Draw.integer`."""
        return low + self._draw(st.integers(0, max(0, high - low)))
