"""Which memories of a board can hold model and arena, and how much stays free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emulator import Board, Memory

#: Kinds of memory in the order in which to try the arena: fastest first.
ARENA_ORDER = ("dtcm", "axi_sram", "sram1", "sram2", "sram3", "sram4", "sdram2")
#: Kinds in which to try the model: flash needs no copy.
MODEL_ORDER = ("flash", "axi_sram", "sdram2")


@dataclass(frozen=True, slots=True)
class MemoryFit:
    """One memory and what it could hold.

    Attributes:
        free_for_arena_bytes: what stays free with the arena in it; negative where it lacks room.
        free_for_model_bytes: likewise with the model in it.
        free_for_both_bytes: likewise with both.
    """

    name: str
    base: int
    size_bytes: int
    free_for_arena_bytes: int | None
    free_for_model_bytes: int | None
    free_for_both_bytes: int | None


@dataclass(frozen=True, slots=True)
class Placement:
    """Where model and arena go.

    Attributes:
        model: memory for the model, None where none has room.
        arena: memory for the arena, None likewise.
        memories: every memory and what it could hold. Code, data and stack, which a firmware
            also needs, are not known here and not taken off.
    """

    model: str | None
    arena: str | None
    memories: tuple[MemoryFit, ...]


def place(board: Board, model_bytes: int, arena_bytes: int) -> Placement:
    """Fits a model and its arena into a board: model into flash first, arena fastest first."""
    fits = tuple(_fit(m, model_bytes, arena_bytes) for m in board.memories)
    by_kind = {m.kind: m for m in board.memories}
    taken = {m.name: 0 for m in board.memories}
    model = _first(by_kind, MODEL_ORDER, model_bytes, taken)
    arena = _first(by_kind, ARENA_ORDER, arena_bytes, taken)
    return Placement(model=model, arena=arena, memories=fits)


def _first(
    by_kind: dict[str, Memory], order: tuple[str, ...], size_bytes: int, taken: dict[str, int]
) -> str | None:
    for kind in order:
        memory = by_kind.get(kind)
        if memory is not None and memory.size_bytes - taken[memory.name] >= size_bytes:
            taken[memory.name] += size_bytes
            return memory.name
    return None


def _fit(memory: Memory, model_bytes: int, arena_bytes: int) -> MemoryFit:
    arena = memory.size_bytes - arena_bytes if memory.kind in ARENA_ORDER else None
    model = memory.size_bytes - model_bytes if memory.kind in MODEL_ORDER else None
    both = None
    if arena is not None and model is not None:
        both = memory.size_bytes - arena_bytes - model_bytes
    return MemoryFit(memory.name, memory.base, memory.size_bytes, arena, model, both)
