"""Test programs as firmware images: `programs.json` wrapped into minimal ELF files."""

from __future__ import annotations

import functools
import json
import struct
from pathlib import Path

import emulator

ROOT = Path(__file__).parents[2]
BOARD_FILE = ROOT / "boards" / "stm32h747i_disco" / "board.yaml"
FLASH = 0x0800_0000
ET_EXEC, EM_ARM, PT_LOAD, SHT_SYMTAB, SHT_STRTAB = 2, 40, 1, 2, 3
STT_FUNC = 2


@functools.cache
def board() -> emulator.Board:
    return emulator.Board.from_file(BOARD_FILE)


@functools.cache
def programs() -> dict[str, dict]:
    return json.loads((Path(__file__).parent / "programs.json").read_text())


def elf(
    segments: list[tuple[int, bytes]],
    symbols: dict[str, int] | None = None,
    *,
    kind: int = ET_EXEC,
    machine: int = EM_ARM,
    ident: bytes = b"\x7fELF\x01\x01\x01",
) -> bytes:
    """A minimal executable: program headers, data, a symbol table and its strings."""
    symbols = symbols or {}
    names, table = b"\0", struct.pack("<IIIBBH", 0, 0, 0, 0, 0, 0)
    for name, address in symbols.items():
        table += struct.pack("<IIIBBH", len(names), address | 1, 0, STT_FUNC, 0, 1)
        names += name.encode() + b"\0"
    at = 52 + 32 * len(segments)
    headers, body = b"", b""
    for address, data in segments:
        fields = (PT_LOAD, at + len(body), address, address, len(data), len(data), 5, 4)
        headers += struct.pack("<8I", *fields)
        body += data
    names_at = at + len(body)
    table_at = names_at + len(names)
    sections_at = table_at + len(table)
    sections = bytes(40)
    sections += struct.pack("<10I", 0, SHT_SYMTAB, 0, 0, table_at, len(table), 2, 1, 4, 16)
    sections += struct.pack("<10I", 0, SHT_STRTAB, 0, 0, names_at, len(names), 0, 0, 1, 0)
    header = struct.pack(
        "<16sHHIIIIIHHHHHH",
        ident.ljust(16, b"\0"),
        kind,
        machine,
        1,
        FLASH,
        52,
        sections_at,
        0x0500_0200,
        52,
        32,
        len(segments),
        40,
        3,
        2,
    )
    return header + headers + body + names + table + sections


def program_elf(name: str) -> bytes:
    program = programs()[name]
    return elf([(FLASH, bytes.fromhex(program["code"]))], program["symbols"])


def machine(name: str, **options: bool) -> emulator.Machine:
    return emulator.Machine(board(), program_elf(name), **options)


def registers(m: emulator.Machine, *numbers: int) -> list[int]:
    return [m.register(f"r{n}") for n in numbers]
