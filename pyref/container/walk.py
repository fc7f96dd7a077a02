"""The byte walk: every byte of a file with its meaning, in the file's order.

Follows what the loader reads, so that it needs no second parser: a region for each vtable,
table, vector and string, and for what lies between them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from pyref.container.enums import ENUMS, UNIONS
from pyref.container.layout import Layout, Path, path_text
from pyref.container.schema import SCALAR_SIZES, TABLES, Field, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Bytes shown of a region or part; scalars shown of a vector.
SHOWN_BYTES = 16
_SHOWN_ELEMENTS = 8
_SHOWN_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes inside a region, and what they say; nothing, where `is_gap`."""

    position: int
    length: int
    meaning: str
    is_gap: bool = False


@dataclass(frozen=True, slots=True)
class Region:
    """Bytes of one object of the container.

    Attributes:
        position: of its first byte.
        length: in bytes.
        kind: "header", "vtable", "table", "vector", "string", "outside", "padding" or "unread".
        meaning: what it is, with the path of one object that uses it.
        parts: what its bytes say, in order; empty where `meaning` says it all.
    """

    position: int
    length: int
    kind: str
    meaning: str
    parts: tuple[Part, ...] = ()


def walk(data: bytes) -> tuple[Region, ...]:
    """Divides a file into regions that follow one another and cover all of it.

    Raises:
        ModelError: the file is not a sound model.
    """
    from pyref.loader import load  # noqa: PLC0415 - the loader reads through this package

    regions = _Regions(data)
    load(data, regions)
    return tuple(_covering(data, regions.all()))


class _Regions:
    """Observer that makes a region of each object, once however often it is shared."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        root = int.from_bytes(data[:4], "little")
        self.found: dict[tuple[int, str], Region] = {}
        self._users: dict[int, dict[str, int]] = {}
        self._add(0, 4, "header", f"root offset: uoffset = {root} -> Model at {root}")
        self._add(4, 4, "header", f"file identifier {data[4:8].decode('ascii', 'replace')!r}")

    def _add(
        self, position: int, length: int, kind: str, meaning: str, parts: tuple[Part, ...] = ()
    ) -> None:
        self.found.setdefault((position, kind), Region(position, length, kind, meaning, parts))

    def table(self, position: int, name: str, layout: Layout, values: Any, path: Path) -> None:
        """A table, and its vtable."""
        if (position, "table") in self.found:
            return
        self._vtable(name, layout)
        back = position - layout.position
        parts = [Part(position, 4, f"soffset = {back} -> vtable at {layout.position}")]
        for field, offset in zip(layout.fields, layout.offsets, strict=True):
            at = position + offset
            label = f"field {field.slot} ({field.name})"
            value = getattr(values, field.name)
            if field.is_offset:
                text = f"{label}: uoffset = {value} -> {at + value}"
            else:
                text = f"{label} = {_scalar(field, value)}"
            parts.append(Part(at, field.inline_size, text))
        length = min(layout.object_size, len(self.data) - position)
        self._add(
            position,
            length,
            "table",
            f"{_of(name, path)}: table of {layout.object_size} bytes",
            tuple(_with_gaps(self.data, parts, position, length)),
        )

    def _vtable(self, name: str, layout: Layout) -> None:
        at = layout.position
        users = self._users.setdefault(at, {})
        users[name] = users.get(name, 0) + 1
        if (at, "vtable") in self.found:
            return
        known = {field.slot: field.name for field in TABLES[name]}
        parts = [
            Part(at, 2, f"vtable_size = {layout.size}"),
            Part(at + 2, 2, f"object_size = {layout.object_size}"),
        ]
        for slot, offset in enumerate(layout.slots):
            label = f"field {slot} ({known.get(slot, 'of a newer schema')})"
            text = f"at +{offset}" if offset else "absent"
            parts.append(Part(at + 4 + 2 * slot, 2, f"{label} {text}"))
        self._add(
            at,
            layout.size,
            "vtable",
            f"{layout.size} bytes, object {layout.object_size} bytes",
            tuple(parts),
        )

    def all(self) -> Iterator[Region]:
        """What was found; vtables say which tables share them."""
        for region in self.found.values():
            if region.kind == "vtable":
                users = self._users[region.position]
                names = ", ".join(f"{n} {name}" if n > 1 else name for name, n in users.items())
                yield replace(region, meaning=f"vtable of {names}: {region.meaning}")
            else:
                yield region

    def vector(self, position: int, field: Field, values: Any, path: Path) -> None:
        """A vector: of scalars with its values, of tables with an offset each."""
        if (position, "vector") in self.found:
            return
        count = values if field.kind is Kind.TABLES else len(values)
        parts = [Part(position, 4, f"length = {count}")]
        width = SCALAR_SIZES[field.code]
        if field.kind is Kind.TABLES:
            for index in range(count):
                at = position + 4 + 4 * index
                offset = int.from_bytes(self.data[at : at + 4], "little")
                text = f"{field.name}[{index}]: uoffset = {offset} -> {at + offset}"
                parts.append(Part(at, 4, text))
        elif count:
            shown = [_scalar(field, v) for v in values[:_SHOWN_ELEMENTS].tolist()]
            more = ", ..." if count > _SHOWN_ELEMENTS else ""
            parts.append(Part(position + 4, count * width, f"{', '.join(shown)}{more}"))
        self._add(
            position,
            4 + count * width,
            "vector",
            f"{path_text(path)}: vector of {count} {field.type}",
            tuple(parts),
        )

    def string(self, position: int, text: str, length: int, path: Path) -> None:
        """A string with its length and NUL."""
        self._add(
            position,
            4 + length + 1,
            "string",
            f"{path_text(path)}: string",
            (
                Part(position, 4, f"length = {length}"),
                Part(position + 4, length + 1, f"{_quoted(text)} and NUL"),
            ),
        )

    def outside(self, position: int, length: int, path: Path) -> None:
        """Bytes outside the flatbuffer."""
        self._add(
            position,
            length,
            "outside",
            f"{path_text(path)}: {length} bytes that the file points to, outside the flatbuffer",
        )


def _quoted(text: str) -> str:
    """Text on one line, not too long."""
    shown = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."
    return json.dumps(shown, ensure_ascii=False)


def _of(name: str, path: Path) -> str:
    return name if path is None else f"{path_text(path)} ({name})"


def _scalar(field: Field, value: Any) -> str:
    if field.type in UNIONS:
        tables = UNIONS[field.type]
        name = tables[value - 1] if 1 <= value <= len(tables) else ("unknown" if value else "NONE")
        return f"{value} ({name})"
    if field.enum is not None:
        return f"{value} ({ENUMS[field.enum].name(value)})"
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _gap(data: bytes, position: int, length: int) -> tuple[str, str]:
    """Kind and meaning of bytes that nothing refers to."""
    if data.startswith(b"PK\3\4", position):
        return "unread", f"{length} bytes of a zip archive: files that belong to the metadata"
    if any(data[position : position + length]):
        return "unread", f"{length} bytes that this schema does not refer to"
    return "padding", f"{length} bytes of padding"


def _with_gaps(data: bytes, parts: list[Part], start: int, length: int) -> Iterator[Part]:
    end = start
    for part in sorted(parts, key=lambda part: part.position):
        if part.position > end:
            yield _gap_part(data, end, part.position)
        yield part
        end = part.position + part.length
    if end < start + length:
        yield _gap_part(data, end, start + length)


def _gap_part(data: bytes, start: int, end: int) -> Part:
    return Part(start, end - start, _gap(data, start, end - start)[1], is_gap=True)


def _covering(data: bytes, regions: Any) -> Iterator[Region]:
    end = 0
    ordered = sorted(regions, key=lambda region: (region.position, -region.length))
    for region, following in zip_longest(ordered, ordered[1:]):
        if following is not None:
            region = _without_shared_padding(region, following.position)  # noqa: PLW2901
        if region.position > end:
            kind, meaning = _gap(data, end, region.position - end)
            yield Region(end, region.position - end, kind, meaning)
        if region.position < end:
            shared = min(end, region.position + region.length) - region.position
            meaning = f"{region.meaning} (shares {shared} bytes with the object before it)"
            yield Region(region.position, region.length, region.kind, meaning, region.parts)
        else:
            yield region
        end = max(end, region.position + region.length)
    if end < len(data):
        kind, meaning = _gap(data, end, len(data) - end)
        yield Region(end, len(data) - end, kind, meaning)


def _without_shared_padding(region: Region, following: int) -> Region:
    """A table up to the object that follows, where only trailing padding reaches into that.

    Tables that share a vtable share its object size, which may count padding that one lacks.
    """
    length = following - region.position
    if region.kind != "table" or length >= region.length:
        return region
    last = region.parts[-1]
    if not last.is_gap or following < last.position:
        return region
    parts = region.parts[:-1]
    if following > last.position:
        parts += (replace(last, length=following - last.position),)
    return replace(region, length=length, parts=parts)


def hex_bytes(data: bytes, position: int, length: int) -> str:
    """Bytes as the articles write them, elided after 16."""
    shown = data[position : position + min(length, SHOWN_BYTES)].hex(" ")
    return f"{shown} ..." if length > SHOWN_BYTES else shown


def walk_text(data: bytes) -> str:
    """The walk as text: a paragraph for each region, a line for each part.

    Raises:
        ModelError: the file is not a sound model.
    """
    digits = len(str(len(data)))
    lines = []
    for region in walk(data):
        last = region.position + region.length - 1
        head = f"[{region.position:>{digits}}..{last:>{digits}}] {region.meaning}"
        if region.parts:
            lines.append(head)
        else:
            lines.append(f"{head}: {hex_bytes(data, region.position, region.length)}")
        for part in region.parts:
            dump = hex_bytes(data, part.position, part.length)
            lines.append(f"  [{part.position:>{digits}}] {dump:<23}  {part.meaning}")
    return "\n".join(lines) + "\n"


def walk_json(data: bytes) -> list[dict[str, Any]]:
    """The walk as plain data: position, length, kind, meaning, bytes and parts of each region.

    Raises:
        ModelError: the file is not a sound model.
    """
    return [
        {
            "position": region.position,
            "length": region.length,
            "kind": region.kind,
            "meaning": region.meaning,
            "bytes": hex_bytes(data, region.position, region.length),
            "parts": [
                {
                    "position": part.position,
                    "length": part.length,
                    "meaning": part.meaning,
                    "bytes": hex_bytes(data, part.position, part.length),
                }
                for part in region.parts
            ],
        }
        for region in walk(data)
    ]
