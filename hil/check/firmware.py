"""What an ELF says: the arena it reserves, where the linker put it, the operators it registers.

Symbols tell: TFLM's registrations are functions `tflite::Register_<OP>()`, of which the linker
keeps those that the op resolver names; and an arena is an object whose name says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyref
    from emulator import Board, Symbol

_ARENA_NAME = re.compile(r"arena", re.IGNORECASE)
#: Mangled `tflite::Register_X()` and `tflite::tflm_signal::Register_X()`: a length, then the name.
_REGISTRATION = re.compile(r"^_ZN6tflite(?:11tflm_signal)?\d+Register_([A-Za-z0-9_]+?)Ev$")
#: An arena is data of some size; pointers and counters named after it are smaller.
_SMALLEST_ARENA_BYTES = 256


@dataclass(frozen=True, slots=True)
class ArenaSymbol:
    """An object of the ELF that looks like an arena.

    Attributes:
        memory: the board's memory that holds it, None where none does.
        missing_bytes: what it lacks of the smallest arena; 0 where it is large enough.
        misalignment_bytes: its address modulo 16.
    """

    name: str
    address: int
    size_bytes: int
    memory: str | None
    missing_bytes: int
    misalignment_bytes: int


@dataclass(frozen=True, slots=True)
class FirmwareFindings:
    """What symbols tell of a firmware.

    Attributes:
        arenas: objects that look like an arena, the largest first.
        registered: operators whose registration is linked in; empty where symbols tell nothing.
        missing_operators: operators of the model that are not among them.
    """

    arenas: tuple[ArenaSymbol, ...]
    registered: tuple[str, ...]
    missing_operators: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether nothing found stands against the model."""
        enough = not self.arenas or self.arenas[0].missing_bytes == 0
        return enough and not self.missing_operators


def examine(
    symbols: tuple[Symbol, ...], model: pyref.Model, board: Board, arena_bytes: int
) -> FirmwareFindings:
    """Reads a firmware's symbols.

    Args:
        symbols: of the ELF.
        model: the model it is to run.
        board: whose memories its addresses are in.
        arena_bytes: smallest arena that allocates.
    """
    arenas = sorted(
        (_arena(s, board, arena_bytes) for s in symbols if _is_arena(s)),
        key=lambda a: -a.size_bytes,
    )
    registered = sorted({m[1] for s in symbols if (m := _REGISTRATION.match(s.name))})
    missing = [] if not registered else _missing(model, registered)
    return FirmwareFindings(tuple(arenas), tuple(registered), tuple(missing))


def _is_arena(symbol: Symbol) -> bool:
    return (
        not symbol.is_function
        and symbol.size_bytes >= _SMALLEST_ARENA_BYTES
        and _ARENA_NAME.search(symbol.name) is not None
    )


def _arena(symbol: Symbol, board: Board, arena_bytes: int) -> ArenaSymbol:
    memory = next((m.name for m in board.memories if m.base <= symbol.address < m.end), None)
    return ArenaSymbol(
        name=symbol.name,
        address=symbol.address,
        size_bytes=symbol.size_bytes,
        memory=memory,
        missing_bytes=max(arena_bytes - symbol.size_bytes, 0),
        misalignment_bytes=symbol.address % 16,
    )


def _missing(model: pyref.Model, registered: list[str]) -> list[str]:
    """Operators of the model none of whose registrations, type-specific ones included, is there."""
    used = sorted({o.op for s in model.subgraphs for o in s.operators})
    return [
        op
        for op in used
        if not any(
            have == _registration(op) or have.startswith(f"{_registration(op)}_INT")
            for have in registered
        )
    ]


def _registration(op: str) -> str:
    """What stands after `Register_` for an operator (micro_ops.h and its signal library)."""
    if op in _RENAMED:
        return _RENAMED[op]
    if op.startswith("Signal") and op != "SignalPCAN":
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", op.removeprefix("Signal")).upper()
    return op.removeprefix("Signal")


_RENAMED = {
    "TFLite_Detection_PostProcess": "DETECTION_POSTPROCESS",
    "TFLM_DECODE": "DECODE",
    "ethos-u": "ETHOSU",
}
