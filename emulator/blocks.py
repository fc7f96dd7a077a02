"""Constants of a basic block: instructions, modelled cycles, whether it uses floating point."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from emulator import timing
from emulator.native import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONGEST_BLOCK_BYTES = 1024


def instruction_starts(code: bytes) -> Iterator[int]:
    """Offsets of the Thumb instructions in `code` (ARMv7-M ARM, A5.1)."""
    at = 0
    while at + 1 < len(code):
        yield at
        at += 4 if code[at + 1] >> 3 >= 0b11101 else 2


def must_be_aligned(code: bytes) -> bool:
    """Whether the instruction needs word alignment in any memory (ARMv7-M ARM, A3.2.1).

    LDM, STM, PUSH, POP (A5.2), LDRD, STRD, LDREX, STREX (A5.3.5 and 6), floating point (A6.5, 6).
    """
    first = int.from_bytes(code[:2], "little")
    if first >> 11 < 0b11101:
        return first >> 12 == 0b1100 or first & 0xF600 == 0xB400
    return first >> 9 == 0b1110100 or first & 0xFE00 == 0xEC00


class BlockDecoder:
    """Looks at each block once, before it first runs.

    Attributes:
        mispredict_cycles: What a block costs more if another was predicted to follow.
    """

    mispredict_cycles = timing.MISPREDICT_CYCLES

    def describe(self, _address: int, code: bytes) -> tuple[int, int, int]:
        """Instructions, modelled cycles and flags of a block."""
        from emulator.decode import decode  # noqa: PLC0415 - capstone takes 0.1 s to import

        starts = [*instruction_starts(code), len(code)]
        operations = [decode(code[a:b]) for a, b in itertools.pairwise(starts)]
        last = operations[-1]
        loops = last.target is not None and last.target + starts[-2] == 0
        flags = layout.FLAG_FP if any(o.floating_point for o in operations) else 0
        if any(must_be_aligned(code[at : at + 4]) for at in starts[:-1]):
            flags |= layout.FLAG_ALIGNED
        return len(operations), timing.block_cycles(operations, loops=loops), flags

    def first_floating_point(self, start: int, read: Callable[[int, int], bytes]) -> int:
        """Address of the first floating-point instruction of the block at `start`."""
        from emulator.decode import needs_coprocessor  # noqa: PLC0415

        code = read(start, _LONGEST_BLOCK_BYTES)
        for at in instruction_starts(code):
            if needs_coprocessor(code[at : at + 4]):
                return start + at
        return start
