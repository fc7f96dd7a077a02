"""Executable ELF files for Arm: what to load where, and the symbols.

Follows "ELF for the Arm Architecture" (IHI 0044) and the System V gABI, chapters 4 and 5.
"""

from __future__ import annotations

import bisect
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from emulator.errors import ElfError

_HEADER: Final = struct.Struct("<16sHHIIIIIHHHHHH")
_PROGRAM: Final = struct.Struct("<IIIIIIII")
_SECTION: Final = struct.Struct("<IIIIIIIIII")
_SYMBOL: Final = struct.Struct("<IIIBBH")
_ET_EXEC, _EM_ARM, _PT_LOAD, _SHT_SYMTAB = 2, 40, 1, 2
_STT_NOTYPE, _STT_OBJECT, _STT_FUNC = 0, 1, 2
_SHN_UNDEF, _SHN_ABS, _SHN_LORESERVE = 0, 0xFFF1, 0xFF00
_REBUILD: Final = "build it for Cortex-M7 with arm-none-eabi-gcc and link it, then use the .elf"


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes to load: at `load_address` (LMA), to run at `run_address` (VMA)."""

    load_address: int
    run_address: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named address. `address` has bit 0 cleared; `size_bytes` may be 0."""

    name: str
    address: int
    size_bytes: int
    is_function: bool
    is_absolute: bool


class Image:
    """A parsed ELF file.

    Attributes:
        entry: Entry point as the header says.
        segments: PT_LOAD segments with file contents.
        symbols: By name. Of equal names, the last in the table.
    """

    def __init__(self, data: bytes) -> None:
        """Parse.

        Raises:
            ElfError: Not a 32-bit little-endian Arm executable, or cut off.
        """
        self._data = data
        ident = self._unpack_header()
        (_, kind, machine, _, self.entry, ph_at, sh_at, _, _, ph_size, ph_count, sh_size) = ident[
            :12
        ]
        sh_count = ident[12]
        if kind != _ET_EXEC or machine != _EM_ARM:
            raise ElfError(
                f"the ELF is of type {kind} for machine {machine}, not an Arm executable "
                f"(type {_ET_EXEC}, machine {_EM_ARM}); {_REBUILD}",
                offset=16,
                expected=(_ET_EXEC, _EM_ARM),
                got=(kind, machine),
            )
        self.segments = tuple(self._segments(ph_at, ph_size, ph_count))
        if not self.segments:
            raise ElfError(f"the ELF has no segment to load; {_REBUILD}", offset=ph_at)
        self.symbols = self._symbols(sh_at, sh_size, sh_count)
        self._ordered = sorted(
            (s for s in self.symbols.values() if not s.is_absolute),
            key=lambda s: (s.address, s.is_function, s.size_bytes, s.name),
        )
        self._addresses = [s.address for s in self._ordered]

    @classmethod
    def from_source(cls, source: bytes | bytearray | memoryview | str | Path) -> Image:
        """Parse bytes or a file.

        Raises:
            ElfError: The file cannot be read or is not a usable ELF.
        """
        if isinstance(source, (str, Path)):
            try:
                return cls(Path(source).read_bytes())
            except OSError as error:
                message = f"cannot read firmware {source}: {error.strerror}"
                raise ElfError(message) from error
        return cls(bytes(source))

    def _unpack_header(self) -> tuple[int, ...]:
        data = self._data
        if data[:4] != b"\x7fELF":
            raise ElfError(
                f"not an ELF file: it starts with {data[:4].hex() or 'nothing'}; {_REBUILD}",
                offset=0,
                expected="7f454c46",
                got=data[:4].hex(),
            )
        if len(data) < _HEADER.size:
            self._cut_off("header", 0, _HEADER.size)
        if data[4:6] != b"\x01\x01":
            raise ElfError(
                f"the ELF is not 32-bit little-endian (class and data are {data[4:6].hex()}); "
                f"{_REBUILD}",
                offset=4,
                expected="0101",
                got=data[4:6].hex(),
            )
        return _HEADER.unpack_from(data)

    def _cut_off(self, what: str, offset: int, size_bytes: int) -> None:
        have = len(self._data)
        if offset + size_bytes > have:
            raise ElfError(
                f"the ELF is cut off: its {what} needs bytes {offset}..{offset + size_bytes}, "
                f"the file has {have}; copy or build it again",
                offset=offset,
                expected=offset + size_bytes,
                got=have,
            )

    def _segments(self, table: int, entry_size: int, count: int) -> list[Segment]:
        found = []
        if count and entry_size != _PROGRAM.size:
            raise ElfError("the ELF's program headers have a wrong size", offset=42, got=entry_size)
        for i in range(count):
            at = table + i * entry_size
            self._cut_off(f"program header {i}", at, entry_size)
            kind, offset, vaddr, paddr, file_size, _, _, _ = _PROGRAM.unpack_from(self._data, at)
            if kind == _PT_LOAD and file_size:
                self._cut_off(f"segment {i}", offset, file_size)
                found.append(Segment(paddr, vaddr, self._data[offset : offset + file_size]))
        return found

    def _symbols(self, table: int, entry_size: int, count: int) -> dict[str, Symbol]:
        found: dict[str, Symbol] = {}
        if count and entry_size != _SECTION.size:
            raise ElfError("the ELF's section headers have a wrong size", offset=46, got=entry_size)
        self._cut_off("section table", table, entry_size * count)
        sections = [_SECTION.unpack_from(self._data, table + i * entry_size) for i in range(count)]
        for section in sections:
            if section[1] != _SHT_SYMTAB:
                continue
            offset, size, link = section[4], section[5], section[6]
            self._cut_off("symbol table", offset, size)
            if link >= count:
                raise ElfError("the ELF's symbol table names no string table", got=link)
            names_at, names_size = sections[link][4], sections[link][5]
            self._cut_off("string table", names_at, names_size)
            names = self._data[names_at : names_at + names_size]
            for fields in _SYMBOL.iter_unpack(self._data[offset : offset + size // 16 * 16]):
                symbol = _symbol(fields, names)
                if symbol is not None:
                    found[symbol.name] = symbol
        return found

    def symbol_at(self, address: int) -> Symbol | None:
        """The symbol that holds `address`, else the nearest one before it within 64 KB."""
        end = bisect.bisect_right(self._addresses, address)
        before = self._ordered[max(0, end - 16) : end]
        for symbol in reversed(before):
            if address < symbol.address + max(symbol.size_bytes, 1):
                return symbol
        if before and address - before[-1].address < 1 << 16:
            return before[-1]
        return None


def _symbol(fields: tuple[int, ...], names: bytes) -> Symbol | None:
    name_at, value, size, info, _, section = fields
    kind = info & 0xF
    if kind not in (_STT_NOTYPE, _STT_OBJECT, _STT_FUNC) or section == _SHN_UNDEF:
        return None
    if section >= _SHN_LORESERVE and section != _SHN_ABS:
        return None
    name = names[name_at : names.find(b"\0", name_at)].decode("utf-8", "replace")
    if not name or name.startswith("$"):  # mapping symbols $a, $d, $t
        return None
    function = kind == _STT_FUNC
    return Symbol(name, value & ~1 if function else value, size, function, section == _SHN_ABS)
