"""The arena's two ends on a 32-bit target, byte by byte, in TFLM's words when they meet.

Sources: micro/arena_allocator/single_arena_buffer_allocator.cc,
persistent_arena_buffer_allocator.cc, non_persistent_arena_buffer_allocator.cc and
micro/memory_helpers.cc. Addresses are plain integers; only their remainder matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pyref.arena.errors import ArenaTooSmallError

if TYPE_CHECKING:
    from pyref.arena.events import Owner

#: MicroArenaBufferAlignment(), micro/micro_arena_constants.h, in bytes.
ALIGNMENT = 16
_UNSIGNED = 1 << 32


def align_up(value: int, alignment: int) -> int:
    """`value` rounded up to a multiple of `alignment` (AlignPointerUp, AlignSizeUp)."""
    return -(-value // alignment) * alignment


def align_down(value: int, alignment: int) -> int:
    """`value` rounded down to a multiple of `alignment` (AlignPointerDown)."""
    return value // alignment * alignment


def _fail(text: str, requested: int, available: int, missing: int, owner: Owner | None) -> NoReturn:
    message = (
        f"{text} Requested: {requested % _UNSIGNED}, available {available % _UNSIGNED}, "
        f"missing: {missing % _UNSIGNED}"
    )
    raise ArenaTooSmallError(
        message, requested=requested, available=available, missing=missing, owner=owner
    )


class Arena:
    """One arena, or two: persistent blocks grow down from a tail, the rest up from a head.

    Attributes:
        buffer_head: first usable address of the non-persistent side (16-byte aligned).
        buffer_tail: one past the last usable address of the persistent side.
        head: end of the resizable buffer or of the planned memory.
        tail: lowest persistent block.
        temp: end of the temporary allocations.
        vital: end of the temporaries that a persistent block must not write over.
        head_used_max: largest head that a model's plan has asked for (max_head_buffer_usage_).
    """

    def __init__(self, base: int, size: int) -> None:
        self.buffer_head = align_up(base, ALIGNMENT)
        self.buffer_tail = base + size
        self.head = self.temp = self.vital = self.buffer_head
        self.tail = self.buffer_tail
        self.head_used_max = 0

    @property
    def head_limit(self) -> int:
        """Address that the head side may not pass."""
        return self.tail

    @property
    def tail_limit(self) -> int:
        """Address that the tail side may not pass, as TFLM checks it."""
        return self.head

    @property
    def temp_limit(self) -> int:
        """Address below which temporaries stand."""
        return self.vital

    def persistent(
        self, size: int, align: int, owner: Owner | None = None, *, touched: bool = True
    ) -> int:
        """AllocatePersistentBuffer.

        TFLM compares with the head only: a block may reach into the temporary TfLiteTensors of
        the kernel that asks for it. What is then written over them fails in ways that no message
        tells, so that counts as a failure too (unless nothing is: `touched`).

        Returns:
            The block's address.

        Raises:
            ArenaTooSmallError: "Failed to allocate tail memory. ...", or the silent case.
        """
        address = (self.tail - size) // align * align
        if address < self.tail_limit:
            missing = self.tail_limit - address
            _fail("Failed to allocate tail memory.", size, size - missing, missing, owner)
        if touched and address < self.temp_limit:
            missing = self.temp_limit - address
            raise ArenaTooSmallError(
                f"{missing} bytes of the block lie over temporary tensors in use; TFLM prints "
                "nothing and writes over them",
                requested=size,
                available=size - missing,
                missing=missing,
                owner=owner,
                silent=True,
            )
        self.tail = address
        return address

    def allocate_temp(
        self, size: int, align: int, owner: Owner | None = None, *, vital: bool = True
    ) -> int:
        """AllocateTemp: memory above the head until the next reset.

        Raises:
            ArenaTooSmallError: "Failed to allocate temp memory. ...".
        """
        address = align_up(self.temp, align)
        available = self.head_limit - address
        if available < 0:
            raise ArenaTooSmallError(
                f"temporary memory begins {-available} bytes beyond its end; TFLM takes the "
                f"difference for {available % _UNSIGNED} bytes left and writes over the tail",
                requested=size,
                available=available,
                missing=size - available,
                owner=owner,
                silent=True,
            )
        if available < size:
            _fail("Failed to allocate temp memory.", size, available, size - available, owner)
        self.temp = address + size
        if vital:
            self.vital = self.temp
        return address

    def reset_temp(self) -> None:
        """ResetTempAllocations, after every kernel gave its temporaries back."""
        self.temp = self.vital = self.head

    def resize(self, size: int, align: int, owner: Owner | None = None) -> None:
        """ResizeBuffer: the one buffer at the head becomes `size` bytes.

        Raises:
            ArenaTooSmallError: "Failed to resize buffer. ...".
        """
        address = align_up(self.buffer_head, align)
        available = self.head_limit - address
        if available < size:
            _fail("Failed to resize buffer.", size, available, size - available, owner)
        self.head = self.temp = self.vital = address + size

    def available(self) -> int:
        """GetAvailableMemory at 16 bytes' alignment; may be negative, which TFLM does not see."""
        return align_down(self.head_limit, ALIGNMENT) - align_up(self.temp, ALIGNMENT)

    @property
    def head_used(self) -> int:
        """GetNonPersistentUsedBytes."""
        return max(self.head, self.temp) - self.buffer_head

    @property
    def tail_used(self) -> int:
        """GetPersistentUsedBytes."""
        return self.buffer_tail - self.tail


class SplitArena(Arena):
    """Two arenas: MicroAllocator::Create with a persistent and a non-persistent one.

    The persistent arena's end is aligned down to 16 bytes, the other's begin up.
    """

    def __init__(
        self, persistent_base: int, persistent_size: int, head_base: int, head_size: int
    ) -> None:
        super().__init__(head_base, head_size)
        self._head_limit = head_base + head_size
        self._tail_limit = persistent_base
        self.buffer_tail = self.tail = align_down(persistent_base + persistent_size, ALIGNMENT)

    @property
    def head_limit(self) -> int:
        """End of the non-persistent arena."""
        return self._head_limit

    @property
    def tail_limit(self) -> int:
        """Begin of the persistent arena."""
        return self._tail_limit

    @property
    def temp_limit(self) -> int:
        """Temporaries stand in the other arena."""
        return self._tail_limit
