"""Writes small Arm ELF files with chosen symbols and segments, for `hil check`'s tests."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ELF_HEADER_BYTES = 52
_KINDS = {"OBJECT": 1, "FUNC": 2}


@dataclass(frozen=True)
class Entry:
    """A symbol to write."""

    name: str
    address: int = 0x0800_1000
    size_bytes: int = 4
    kind: str = "FUNC"
    is_local: bool = False


@dataclass(frozen=True)
class Load:
    """A segment to write: `data` at `load_address`, `run_bytes` at `run_address`."""

    run_address: int
    run_bytes: int
    data: bytes = b""
    load_address: int | None = None


_ONE_SEGMENT = (Load(0x0800_0000, 64, bytes(64)),)


def elf(
    symbols: Sequence[Entry] = (),
    segments: Sequence[Load] = _ONE_SEGMENT,
    *,
    stripped: bool = False,
) -> bytes:
    """An executable; `stripped` leaves the symbol table out."""
    body = bytearray(ELF_HEADER_BYTES + 32 * len(segments))
    headers = bytearray()
    for s in segments:
        body += bytes(-len(body) % 4)
        at = s.run_address if s.load_address is None else s.load_address
        headers += struct.pack(
            "<8I", 1, len(body), s.run_address, at, len(s.data), s.run_bytes, 6, 4
        )
        body += s.data
    body[ELF_HEADER_BYTES : ELF_HEADER_BYTES + len(headers)] = headers
    names = bytearray(b"\0")
    table = bytearray(16)
    ordered = sorted(symbols, key=lambda s: not s.is_local)
    for entry in ordered:
        binding = 0 if entry.is_local else 1
        info = binding << 4 | _KINDS[entry.kind]
        table += struct.pack("<IIIBBH", len(names), entry.address, entry.size_bytes, info, 0, 1)
        names += entry.name.encode() + b"\0"
    titles = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    body += bytes(-len(body) % 4)
    at = len(body)
    body += table + names + titles
    locals_ = 1 + sum(s.is_local for s in ordered)
    sections = [
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (1, 1, 6, segments[0].run_address if segments else 0, 84, 4, 0, 0, 4, 0),
        (7, 2, 0, 0, at, len(table), 3, locals_, 4, 16),
        (15, 3, 0, 0, at + len(table), len(names), 0, 0, 1, 0),
        (23, 3, 0, 0, at + len(table) + len(names), len(titles), 0, 0, 1, 0),
    ]
    if stripped:
        sections = [sections[0], sections[1], sections[4]]
    body += bytes(-len(body) % 4)
    table_at = len(body)
    for section in sections:
        body += struct.pack("<10I", *section)
    body[:ELF_HEADER_BYTES] = struct.pack(
        "<16sHHIIIIIHHHHHH",
        b"\x7fELF\x01\x01\x01",
        2,
        40,
        1,
        0x0800_0001,
        ELF_HEADER_BYTES,
        table_at,
        0x0500_0400,
        ELF_HEADER_BYTES,
        32,
        len(segments),
        40,
        len(sections),
        len(sections) - 1,
    )
    return bytes(body)
