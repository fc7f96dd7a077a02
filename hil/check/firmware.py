"""What an ELF says: its arenas and where the linker put them, the model it carries, its operators.

Everything is read from symbols, program headers and bytes; nothing is run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hil.check import arena, elf_contents, placement, registrations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyref
    from emulator import Board, Memory
    from hil.check.elf_contents import Loaded, Symbol

#: C++ and C names, mangled or not, of objects that hold an arena.
_ARENA_NAME = re.compile(r"arena", re.IGNORECASE)
#: Compiler-made objects: virtual tables, type names, guards.
_COMPILER_MADE = ("_ZTV", "_ZTI", "_ZTS", "_ZGV")
#: An arena is data of some size; pointers and counters named after it are smaller.
_SMALLEST_ARENA_BYTES = 256


@dataclass(frozen=True, slots=True)
class ArenaSymbol:
    """An object of the ELF that looks like an arena.

    Attributes:
        memory: the board's memory that holds it, None where none does.
        missing_bytes: what it lacks of the smallest arena at this address; 0 where it does.
        spare_bytes: what it has more than that.
        message: TFLM's words with such an arena, None where it does.
        misalignment_bytes: its address modulo 16; TFLM skips to the next multiple.
        load_address: where its initial bytes take flash; None for one in .bss or a NOLOAD section.
    """

    name: str
    address: int
    size_bytes: int
    memory: str | None
    missing_bytes: int
    spare_bytes: int
    message: str | None
    misalignment_bytes: int
    load_address: int | None


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """The model's bytes inside the ELF.

    Attributes:
        misalignment_bytes: address modulo 16, which TFLM needs to be 0.
    """

    address: int
    memory: str | None
    misalignment_bytes: int


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What the ELF takes of one memory of the board, loaded and running."""

    name: str
    size_bytes: int
    used_bytes: int
    free_bytes: int


@dataclass(frozen=True, slots=True)
class FirmwareFindings:
    """What an ELF tells.

    Attributes:
        arenas: objects that look like an arena, the largest first; the first one is judged.
        model: where the ELF carries the very model; None where it does not.
        registrations: what it registers.
        memories: what it takes of each memory of the board.
        has_symbols: False for a stripped ELF, of which the rest tells nothing.
        notes: what to know and is no failure.
    """

    arenas: tuple[ArenaSymbol, ...]
    model: EmbeddedModel | None
    registrations: registrations.Registrations
    memories: tuple[MemoryUse, ...]
    has_symbols: bool
    notes: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """What stands against flashing it; empty where nothing does."""
        found = []
        if self.arenas and self.arenas[0].missing_bytes:
            symbol = self.arenas[0]
            words = f' (TFLM: "{symbol.message}")' if symbol.message else ""
            found.append(
                f"the firmware's {symbol.name} has {symbol.size_bytes:,} bytes: "
                f"{symbol.missing_bytes:,} are missing{words}"
            )
        if self.model is not None and self.model.misalignment_bytes:
            found.append(
                f"the firmware's model stands at 0x{self.model.address:08X}, "
                f"{self.model.misalignment_bytes} bytes off a multiple of 16: give its array "
                "alignas(16), or 64-bit loads from it may fault"
            )
        if self.registrations.missing:
            found.append(f"the firmware registers no {', '.join(self.registrations.missing)}")
        if self.registrations.resolver_message:
            found.append(
                f"the firmware's resolver has no room for the model's operators "
                f'(TFLM: "{self.registrations.resolver_message}")'
            )
        return tuple(found)


def examine(path: Path, model: pyref.Model, board: Board, plan: pyref.Plan) -> FirmwareFindings:
    """Reads a firmware.

    Args:
        path: its ELF.
        model: the model it is to run.
        board: whose memories its addresses are in.
        plan: of the model, for the build's release and kernel set.

    Raises:
        UsageError: there is no such file.
        FirmwareFileError: it is no ELF for this core.
    """
    symbols, segments = elf_contents.read(path)
    return judge(symbols, segments, model, board, plan)


def judge(
    symbols: Sequence[Symbol],
    segments: Sequence[Loaded],
    model: pyref.Model,
    board: Board,
    plan: pyref.Plan,
) -> FirmwareFindings:
    """The findings from an ELF's symbols and segments; see `examine`."""
    arenas = sorted(
        (_arena(s, segments, board, plan) for s in symbols if _is_arena(s)),
        key=lambda a: -a.size_bytes,
    )
    registered = registrations.examine(
        [s.name for s in symbols], model, link_time=elf_contents.optimised_at_link_time(symbols)
    )
    embedded = _embedded(model, segments, board)
    return FirmwareFindings(
        arenas=tuple(arenas),
        model=embedded,
        registrations=registered,
        memories=tuple(_use(m, segments) for m in board.memories),
        has_symbols=bool(symbols),
        notes=tuple(_notes(arenas, embedded, registered, board, bool(symbols))),
    )


def _is_arena(symbol: Symbol) -> bool:
    return (
        symbol.kind == "OBJECT"
        and symbol.size_bytes >= _SMALLEST_ARENA_BYTES
        and not symbol.name.startswith(_COMPILER_MADE)
        and _ARENA_NAME.search(symbol.name) is not None
    )


def _memory(board: Board, address: int) -> Memory | None:
    return next((m for m in board.memories if m.base <= address < m.end), None)


def _arena(
    symbol: Symbol, segments: Sequence[Loaded], board: Board, plan: pyref.Plan
) -> ArenaSymbol:
    memory = _memory(board, symbol.address)
    needed = arena.missing_bytes(plan.smallest_arena_bytes, 0, base=symbol.address)
    missing = max(needed - symbol.size_bytes, 0)
    initial = next(
        (
            s.load_address + symbol.address - s.run_address
            for s in segments
            if s.run_address <= symbol.address < s.run_address + len(s.data)
        ),
        None,
    )
    return ArenaSymbol(
        name=elf_contents.plain_name(symbol.name),
        address=symbol.address,
        size_bytes=symbol.size_bytes,
        memory=None if memory is None else memory.name,
        missing_bytes=missing,
        spare_bytes=max(symbol.size_bytes - needed, 0),
        message=plan.refusal(symbol.size_bytes, base=symbol.address) if missing else None,
        misalignment_bytes=symbol.address % arena.ALIGNMENT_BYTES,
        load_address=initial,
    )


def _embedded(model: pyref.Model, segments: Sequence[Loaded], board: Board) -> EmbeddedModel | None:
    for segment in segments:
        at = segment.data.find(bytes(model.data))
        if at >= 0:
            address = segment.run_address + at
            memory = _memory(board, address)
            return EmbeddedModel(address, None if memory is None else memory.name, address % 16)
    return None


def _use(memory: Memory, segments: Sequence[Loaded]) -> MemoryUse:
    spans = []
    for s in segments:
        spans.append((s.run_address, s.run_address + s.run_bytes))
        spans.append((s.load_address, s.load_address + len(s.data)))
    used = _covered([(max(a, memory.base), min(b, memory.end)) for a, b in spans])
    return MemoryUse(memory.name, memory.size_bytes, used, memory.size_bytes - used)


def _covered(spans: list[tuple[int, int]]) -> int:
    """Bytes that at least one span covers."""
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(end - max(start, reached), 0)
        reached = max(reached, end)
    return total


def _notes(
    arenas: Sequence[ArenaSymbol],
    embedded: EmbeddedModel | None,
    found: registrations.Registrations,
    board: Board,
    has_symbols: bool,
) -> list[str]:
    notes = []
    if not has_symbols:
        notes.append("the ELF has no symbol table: look at the one before `strip`")
    elif not arenas:
        notes.append(
            "no object of the ELF has `arena` in its name: what the interpreter is given is not "
            "known, check its size with --arena-size"
        )
    for symbol in arenas:
        if symbol.load_address is not None:
            notes.append(
                f"{symbol.name} has initial bytes, which take {symbol.size_bytes:,} bytes of flash "
                f"at 0x{symbol.load_address:08X}: put it in .bss or a NOLOAD section"
            )
        if symbol.misalignment_bytes:
            notes.append(
                f"{symbol.name} is {symbol.misalignment_bytes} bytes off a multiple of 16: TFLM "
                f"skips {16 - symbol.misalignment_bytes}; give it alignas(16)"
            )
        memory = _memory(board, symbol.address)
        if memory is None:
            notes.append(f"{symbol.name} at 0x{symbol.address:08X} is in no memory of {board.name}")
        else:
            notes += placement.memory_notes(memory)
    if embedded is None:
        notes.append("the ELF does not carry this model: it has another one, or is given it later")
    if found.unclear:
        notes.append(
            f"no symbol speaks of {', '.join(found.unclear)}, and the image was optimised at link "
            "time, where that proves nothing: check the op resolver"
        )
    return list(dict.fromkeys(notes))
