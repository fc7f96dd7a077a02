"""Constants of a basic block: instructions, modelled cycles, whether it uses floating point."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

from emulator import layout


def instruction_starts(code: bytes) -> Iterator[int]:
    """Offsets of the Thumb instructions in `code` (ARMv7-M ARM, A5.1)."""
    at = 0
    while at + 1 < len(code):
        yield at
        at += 4 if code[at + 1] >> 3 >= 0b11101 else 2


def is_floating_point(code: bytes, at: int) -> bool:
    """Whether the instruction at `at` needs coprocessors 10 and 11 (ARMv7-M ARM, A5.3.18)."""
    if at + 3 >= len(code):
        return False
    first = int.from_bytes(code[at : at + 2], "little")
    second = int.from_bytes(code[at + 2 : at + 4], "little")
    return first & 0xEC00 == 0xEC00 and second >> 9 & 7 == 0b101


class BlockDecoder:
    """Looks at each block once, before it first runs."""

    mispredict_cycles = 8

    def describe(self, _address: int, code: bytes) -> tuple[int, int, int]:
        """Instructions, modelled cycles and flags of a block."""
        starts = list(instruction_starts(code))
        flags = layout.FLAG_FP if any(is_floating_point(code, at) for at in starts) else 0
        return len(starts), len(starts), flags

    def first_floating_point(self, start: int, read: Callable[[int, int], bytes]) -> int:
        """Address of the first floating-point instruction at or after `start`."""
        code = read(start, 512)
        return next(
            (start + at for at in instruction_starts(code) if is_floating_point(code, at)), start
        )
