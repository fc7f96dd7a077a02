"""Executable ELF files for Arm: what to load where, and the symbols; read with pyelftools."""

from __future__ import annotations

import bisect
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from emulator.errors import ElfError

if TYPE_CHECKING:
    from collections.abc import Iterator

_REBUILD: Final = "build it for Cortex-M7 with arm-none-eabi-gcc and link it, then use the .elf"
#: What pyelftools raises on files that lie about themselves: it checks little on its own.
_UNREADABLE: Final = (
    ELFError,
    ConstructError,
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
)
_SYMBOL_TYPES: Final = ("STT_NOTYPE", "STT_OBJECT", "STT_FUNC")


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
        if data[:4] != b"\x7fELF":
            raise ElfError(
                f"not an ELF file: it starts with {data[:4].hex() or 'nothing'}; {_REBUILD}",
                offset=0,
                expected="7f454c46",
                got=data[:4].hex(),
            )
        try:
            elf = ELFFile(io.BytesIO(data))
            header = elf.header
            self._check_header(elf)
            self.entry: int = header.e_entry
            self._check_range("program headers", header.e_phoff, header.e_phentsize, header.e_phnum)
            self._check_range("section headers", header.e_shoff, header.e_shentsize, header.e_shnum)
            self.segments = tuple(self._segments(elf))
            self.symbols = {s.name: s for s in self._symbols(elf)}
        except _UNREADABLE as error:
            raise ElfError(
                f"the ELF is broken or cut off ({error or type(error).__name__}); "
                "copy or build it again"
            ) from error
        if not self.segments:
            raise ElfError(f"the ELF has no segment to load; {_REBUILD}", offset=header.e_phoff)
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

    def _check_header(self, elf: ELFFile) -> None:
        header = elf.header
        if elf.elfclass != 32 or not elf.little_endian:
            raise ElfError(
                f"the ELF is not 32-bit little-endian (class and data are "
                f"{self._data[4:6].hex()}); {_REBUILD}",
                offset=4,
                expected="0101",
                got=self._data[4:6].hex(),
            )
        if header.e_type != "ET_EXEC" or header.e_machine != "EM_ARM":
            raise ElfError(
                f"the ELF is of type {header.e_type} for machine {header.e_machine}, not an Arm "
                f"executable (ET_EXEC, EM_ARM); {_REBUILD}",
                offset=16,
                expected=("ET_EXEC", "EM_ARM"),
                got=(header.e_type, header.e_machine),
            )

    def _check_range(self, what: str, offset: int, size_bytes: int, count: int = 1) -> None:
        end = offset + size_bytes * count
        if end > len(self._data):
            raise ElfError(
                f"the ELF is cut off: its {what} need bytes {offset}..{end}, "
                f"the file has {len(self._data)}; copy or build it again",
                offset=offset,
                expected=end,
                got=len(self._data),
            )

    def _segments(self, elf: ELFFile) -> Iterator[Segment]:
        for segment in elf.iter_segments("PT_LOAD"):
            offset, size_bytes = segment["p_offset"], segment["p_filesz"]
            if size_bytes:
                self._check_range("segments", offset, size_bytes)
                data = self._data[offset : offset + size_bytes]
                yield Segment(segment["p_paddr"], segment["p_vaddr"], data)

    def _symbols(self, elf: ELFFile) -> Iterator[Symbol]:
        for section in elf.iter_sections("SHT_SYMTAB"):
            assert isinstance(section, SymbolTableSection)
            for table in (section, elf.get_section(section["sh_link"])):
                self._check_range("symbols", table["sh_offset"], table["sh_size"])
            for symbol in section.iter_symbols():
                found = _symbol(symbol)
                if found is not None:
                    yield found

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


def _symbol(symbol: Any) -> Symbol | None:
    kind, section, name = symbol["st_info"]["type"], symbol["st_shndx"], symbol.name
    if kind not in _SYMBOL_TYPES or section in {"SHN_UNDEF", "SHN_COMMON"}:
        return None
    if not name or name.startswith("$"):  # mapping symbols $a, $d, $t
        return None
    function = kind == "STT_FUNC"
    value = symbol["st_value"]
    return Symbol(
        name, value & ~1 if function else value, symbol["st_size"], function, section == "SHN_ABS"
    )
