"""The memories of a board as the host sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from emulator.errors import MemoryAccessError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from emulator.board import Memory


class MemoryMap:
    """Memories with contents.

    Attributes:
        memories: What there is.
        contents: The bytes of each, by name.
    """

    def __init__(self, memories: Iterable[Memory]) -> None:
        self.memories = tuple(memories)
        self.contents = {m.name: np.zeros(m.size_bytes, dtype=np.uint8) for m in self.memories}

    def memory_at(self, address: int) -> Memory | None:
        """The memory that holds `address`."""
        return next((m for m in self.memories if m.base <= address < m.end), None)

    def view(self, address: int, size_bytes: int) -> npt.NDArray[np.uint8]:
        """The bytes behind a range of one memory, writable in place.

        Raises:
            MemoryAccessError: The range is not inside one memory.
        """
        memory = self.memory_at(address)
        if memory is None or size_bytes < 0 or address + size_bytes > memory.end:
            raise MemoryAccessError(address, size_bytes)
        start = address - memory.base
        return self.contents[memory.name][start : start + size_bytes]

    def read(self, address: int, size_bytes: int) -> bytes:
        """Bytes of memory, whatever its permissions."""
        return self.view(address, size_bytes).tobytes()

    def read_word(self, address: int) -> int:
        """A little-endian 32-bit word of memory."""
        return int.from_bytes(self.read(address, 4), "little")

    def write(self, address: int, data: bytes) -> None:
        """Change memory, whatever its permissions."""
        self.view(address, len(data))[:] = np.frombuffer(data, dtype=np.uint8)
