"""The circular buffer of the signal library: signal/src/circular_buffer.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Ring:
    """A queue of int16 values.

    Args:
        capacity: how many it holds.
    """

    def __init__(self, capacity: int) -> None:
        self._values = np.zeros(max(capacity, 1), np.int16)
        self._capacity = capacity
        self.reset()

    def reset(self) -> None:
        """Empties it."""
        self._values[:] = 0
        self._read = self._write = 0
        self._empty = True

    @property
    def available(self) -> int:
        """How many values can be read."""
        difference = self._write - self._read
        if difference:
            return difference % self._capacity
        return 0 if self._empty else self._capacity

    def write(self, values: ArrayLike) -> None:
        """Appends values."""
        values = np.asarray(values, np.int16)
        if values.size:
            self._values[(self._write + np.arange(values.size)) % self._capacity] = values
            self._write = (self._write + values.size) % self._capacity
            self._empty = False

    def extend(self, count: int, times: int) -> None:
        """Appends the last `count` values again, `times` times."""
        if count > 0 and times > 0:
            start = (self._write - count) % self._capacity
            last = self._values[(start + np.arange(count)) % self._capacity]
            for _ in range(times):
                self.write(last)

    def get(self, count: int) -> NDArray[Any]:
        """The oldest `count` values, which stay."""
        return self._values[(self._read + np.arange(count)) % self._capacity]

    def discard(self, count: int) -> None:
        """Drops the oldest `count` values."""
        self._read += count
        if self._read >= self._capacity:
            self._read -= self._capacity
        if self._read == self._write:
            self._empty = True
