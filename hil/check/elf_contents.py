"""What `hil check` reads of an ELF: every symbol with its binding, and every segment's extent.

`emulator.elf` reads what an emulator needs: symbols by name, and segments with contents. Here
two arenas of one name in two files count twice, and so does memory that no file contents fill.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from hil.errors import FirmwareFileError
from hil.firmware import Firmware

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_CLONE = re.compile(r"\.(isra|part|constprop|cold|lto_priv)\b")
#: Functions of TFLM by name; those in an anonymous namespace or `static` are local anyway.
_TFLM = re.compile(r"^_ZNK?6tflite\d")
_LENGTH = re.compile(r"\d+")
_LOCAL_BY_SOURCE = re.compile(r"12_GLOBAL__N_1|L\d")


@dataclass(frozen=True, slots=True)
class Symbol:
    """One entry of the symbol table."""

    name: str
    address: int
    size_bytes: int
    kind: str
    is_local: bool


@dataclass(frozen=True, slots=True)
class Loaded:
    """One PT_LOAD segment: `file_bytes` at `load_address`, `run_bytes` at `run_address`."""

    run_address: int
    run_bytes: int
    load_address: int
    data: bytes


def read(path: Path) -> tuple[list[Symbol], list[Loaded]]:
    """Symbols and loaded segments of a firmware.

    Raises:
        UsageError: there is no such file.
        FirmwareFileError: it is no ELF for this core.
    """
    Firmware.from_file(path)
    try:
        elf = ELFFile(io.BytesIO(path.read_bytes()))
        return _symbols(elf), _segments(elf)
    except ELFError as error:
        raise FirmwareFileError(str(path), f"its sections cannot be read ({error})") from error


def _symbols(elf: ELFFile) -> list[Symbol]:
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return []
    return [
        Symbol(
            s.name,
            s["st_value"],
            s["st_size"],
            s["st_info"]["type"].removeprefix("STT_"),
            s["st_info"]["bind"] == "STB_LOCAL",
        )
        for s in table.iter_symbols()
        if s.name and s["st_shndx"] != "SHN_UNDEF"
    ]


def _segments(elf: ELFFile) -> list[Loaded]:
    return [
        Loaded(s["p_vaddr"], s["p_memsz"], s["p_paddr"], s.data())
        for s in elf.iter_segments("PT_LOAD")
    ]


def plain_name(mangled: str) -> str:
    """The last name in a mangled one: `tensor_arena` of `_ZN12_GLOBAL__N_112tensor_arenaE`."""
    if not mangled.startswith("_Z"):
        return mangled
    name, position = "", 0
    while match := _LENGTH.search(mangled, position):
        position = match.end() + int(match[0])
        if position <= len(mangled):
            name = mangled[match.end() : position]
    return name or mangled


def optimised_at_link_time(symbols: Sequence[Symbol]) -> bool:
    """Whether functions of TFLM that other files call are local: what link-time optimisation does.

    Compilers' clones and what stands in an anonymous namespace are local anyway.
    """
    return any(
        s.kind == "FUNC"
        and s.is_local
        and _TFLM.match(s.name)
        and not _LOCAL_BY_SOURCE.search(s.name)
        and not _CLONE.search(s.name)
        for s in symbols
    )
