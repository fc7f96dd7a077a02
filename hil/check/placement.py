"""Which memories of a board can hold model and arena, and how much stays free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from emulator import Board, Memory

#: Kinds that hold neither: code alone, or a few bytes behind a battery.
_RESERVED = frozenset({"itcm", "backup_sram"})
#: Kinds in the order in which to try the arena, fastest first; other writable kinds come after.
ARENA_ORDER = ("dtcm", "axi_sram", "sram1", "sram2", "sram3", "sram4", "sdram2")
#: Kinds in the order in which to try the model: flash needs no copy. Small memories are kept for
#: the arena.
MODEL_ORDER = ("flash", "axi_sram", "sdram2")


@dataclass(frozen=True, slots=True)
class MemoryFit:
    """One memory and what it could hold.

    Attributes:
        free_for_arena_bytes: what stays free with the arena in it; negative where it lacks room,
            None where it is not for arenas.
        free_for_model_bytes: likewise with the model in it.
        free_for_both_bytes: likewise with both.
        free_as_placed_bytes: what stays free with what `Placement` puts there.
    """

    name: str
    base: int
    size_bytes: int
    free_for_arena_bytes: int | None
    free_for_model_bytes: int | None
    free_for_both_bytes: int | None
    free_as_placed_bytes: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Where model and arena go.

    Attributes:
        model: memory for the model, None where none has room.
        arena: memory for the arena, None likewise.
        memories: every memory and what it could hold. Code, data and stack, which a firmware
            also needs, are not known here and not taken off.
        notes: what to know of the chosen memories.
    """

    model: str | None
    arena: str | None
    memories: tuple[MemoryFit, ...]
    notes: tuple[str, ...]


def place(board: Board, model_bytes: int, arena_bytes: int) -> Placement:
    """Fits a model and its arena into a board: model into flash first, arena fastest first."""
    free = {m.name: m.size_bytes for m in board.memories}
    model = _take(free, _ordered(board, MODEL_ORDER, holds_model), model_bytes)
    arena = _take(free, _ordered(board, ARENA_ORDER, holds_arena), arena_bytes)
    return Placement(
        model=None if model is None else model.name,
        arena=None if arena is None else arena.name,
        memories=tuple(_fit(m, model_bytes, arena_bytes, free[m.name]) for m in board.memories),
        notes=tuple(memory_notes(arena)) if arena is not None else (),
    )


def holds_arena(memory: Memory) -> bool:
    """Whether an arena may go there."""
    return memory.writable and memory.kind not in _RESERVED


def holds_model(memory: Memory) -> bool:
    """Whether a model may go there."""
    return memory.kind in MODEL_ORDER or not memory.writable


def memory_notes(memory: Memory) -> list[str]:
    """What to know before an arena goes there."""
    if memory.attributes == "device":
        note = (
            f"{memory.name} is Device memory until firmware says otherwise: program its MPU region "
            "as Normal, or CMSIS-NN's unaligned loads fault there"
        )
        return [note]
    return []


def _ordered(board: Board, order: Sequence[str], holds: Callable[[Memory], bool]) -> list[Memory]:
    known = {kind: position for position, kind in enumerate(order)}
    fitting = [m for m in board.memories if holds(m)]
    return sorted(fitting, key=lambda m: known.get(m.kind, len(order)))


def _take(free: dict[str, int], memories: list[Memory], size_bytes: int) -> Memory | None:
    for memory in memories:
        if free[memory.name] >= size_bytes:
            free[memory.name] -= size_bytes
            return memory
    return None


def _fit(memory: Memory, model_bytes: int, arena_bytes: int, free_bytes: int) -> MemoryFit:
    arena = memory.size_bytes - arena_bytes if holds_arena(memory) else None
    model = memory.size_bytes - model_bytes if holds_model(memory) else None
    both = None
    if arena is not None and model is not None:
        both = memory.size_bytes - arena_bytes - model_bytes
    return MemoryFit(memory.name, memory.base, memory.size_bytes, arena, model, both, free_bytes)
