"""Reads a flatbuffer by the table in `schema.py`, checking everything before it is used.

The rules are the format's own (flatbuffers' verifier): offsets are positive and stay inside the
file, tables and vectors stand at multiples of 4, vtables at multiples of 2, inline fields at
multiples of their size inside their table, strings end in NUL. Only 8-byte numbers may stand at
multiples of 4, as in public models that tools have rewritten: a Cortex-M7 reads them there.
Tables of the schema never nest in themselves, so the depth is bounded by the schema; the sum of
what is read is bounded by the file's size, so that vectors shared by a hostile file cannot
multiply.
"""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np

from pyref.container.enums import ENUMS, UNIONS
from pyref.container.layout import Layout, Path, path_text
from pyref.container.schema import SCALAR_SIZES, TABLES, Field, Kind
from pyref.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UINT32 = struct.Struct("<I")
_INT32 = struct.Struct("<i")
_VTABLE_HEAD = struct.Struct("<HH")
_DTYPES = {
    code: np.dtype("<" + {"?": "u1", "b": "i1", "H": "u2"}.get(code, code)) for code in SCALAR_SIZES
}
_EMPTY = {code: np.frombuffer(b"", dtype) for code, dtype in _DTYPES.items()}

#: Bytes of tables and vectors that may be read: twice the file's size and this much more.
_FREE_BUDGET_BYTES = 1 << 20

#: Tables that may be read, shared ones as often as they are referred to.
_MOST_TABLES = 1 << 18


class Observer(Protocol):
    """Told of everything that is read, for the byte walk."""

    def table(self, position: int, name: str, layout: Layout, values: Any, path: Path) -> None:
        """A table, its scalars checked."""

    def vector(self, position: int, field: Field, values: Any, path: Path) -> None:
        """A vector, its extent checked."""

    def string(self, position: int, text: str, length: int, path: Path) -> None:
        """A string."""

    def outside(self, position: int, length: int, path: Path) -> None:
        """Bytes that a table points to by their place in the file."""


class Reader:
    """Reads tables of one file.

    Args:
        data: the file.
        observer: told of everything that is read.
    """

    def __init__(self, data: bytes, observer: Observer | None = None) -> None:
        self.data = data
        self.view = memoryview(data)
        self.size = len(data)
        self.observer = observer
        self._layouts: dict[tuple[int, str], Layout] = {}
        self._budget = 2 * len(data) + _FREE_BUDGET_BYTES
        self._tables_left = _MOST_TABLES

    def fail(
        self, path: Path, position: int | None, expected: str, got: object, reason: str = ""
    ) -> NoReturn:
        """Raises the error of something at a position."""
        raise ModelError(
            path_text(path), expected=expected, got=got, position=position, reason=reason
        )

    def charge(self, count: int, path: Path, position: int | None) -> None:
        """Counts bytes that are read or copied against what a sound file can need."""
        self._budget -= count
        if self._budget < 0:
            limit = 2 * self.size + _FREE_BUDGET_BYTES
            self.fail(
                path,
                position,
                f"tables and vectors of at most {limit} bytes in all in a file of {self.size}",
                "more: objects are shared far too often",
            )

    def root(self, name: str) -> SimpleNamespace:
        """The file's root table with everything below it."""
        if self.size < 8:
            self.fail(None, 0, "a root offset and a file identifier, 8 bytes", f"{self.size} bytes")
        return self.table(self.follow(0, None), name, None)

    def follow(self, position: int, path: Path) -> int:
        """Where the offset at a position leads; the position itself is inside the file."""
        (offset,) = _UINT32.unpack_from(self.data, position)
        target: int = position + offset
        if offset == 0 or target + 4 > self.size:
            self.fail(
                path,
                position,
                f"an offset to an object inside the file of {self.size} bytes",
                f"offset {offset}",
            )
        if target % 4:
            self.fail(path, position, "an offset to a multiple of 4", f"byte {target}")
        return target

    def table(self, position: int, name: str, path: Path) -> SimpleNamespace:
        """Reads a table and all that hangs on it.

        Args:
            position: of the table, a multiple of 4 with 4 bytes inside the file.
            name: the table's name in the schema.
            path: for errors.

        Returns:
            Every field by name: scalars as numbers, strings as str, vectors of scalars as
            read-only numpy arrays (bytes as memoryview), vectors of tables as lists, unions as
            the table (its number in `..._type`); None for an absent reference.
        """
        (back,) = _INT32.unpack_from(self.data, position)
        layout = self._layouts.get((position - back, name)) or self._layout(
            position - back, name, path, position
        )
        # Not object_size: where tables share a vtable, it may count padding that only one has.
        extent = layout.inline.size
        if position + extent > self.size:
            self.fail(
                path,
                position,
                f"a {name} table with {extent} bytes of fields in a file of {self.size} bytes",
                f"{self.size - position} bytes to the end",
            )
        self.charge(extent, path, position)
        self._tables_left -= 1
        if self._tables_left < 0:
            self.fail(path, position, f"at most {_MOST_TABLES} tables in all", "more")
        inline = layout.inline.unpack_from(self.data, position)
        for index, field, count in layout.numbers:
            if not 0 <= inline[index] < count:
                self.fail(
                    (path, field.name),
                    position + layout.offsets[index],
                    f"a number of {field.enum}, 0 to {count - 1}",
                    inline[index],
                )
        values = SimpleNamespace(**layout.defaults)
        known = values.__dict__
        known.update(zip(layout.names, inline, strict=True))
        known["position"] = position
        if self.observer is not None:
            self.observer.table(position, name, layout, values, path)
        for _, field, offset in layout.references:
            known[field.name] = self._reference(position + offset, field, known, (path, field.name))
        return values

    def _reference(self, position: int, field: Field, known: dict[str, Any], path: Path) -> Any:
        kind = field.kind
        if kind is Kind.UNION:
            number = known[f"{field.name}_type"]
            tables = UNIONS[field.type]
            target = self.follow(position, path)
            if not 1 <= number <= len(tables):
                return None  # NONE, or a table of a newer schema: never looked at
            return self.table(target, tables[number - 1], path)
        target = self.follow(position, path)
        if kind is Kind.SCALARS:
            return self.scalars(target, field, path)
        if kind is Kind.TABLES:
            return self._tables(target, field, path)
        if kind is Kind.STRING:
            return self._string(target, path)
        return self.table(target, field.type, path)

    def place(self, table: int, name: str, field: str, index: int | None = None) -> int:
        """Where a field of a table that was read stands, for errors about its value.

        Args:
            table: position of the table.
            name: the table's name in the schema.
            field: a field that is present; its value where inline, else the object.
            index: an element of that vector.

        Returns:
            The byte position; the table's own where the field is absent.
        """
        (back,) = _INT32.unpack_from(self.data, table)
        layout = self._layouts[table - back, name]
        if field not in layout.names:
            return table
        slot = layout.names.index(field)
        position = table + layout.offsets[slot]
        if not layout.fields[slot].is_offset:
            return position
        target = self.follow(position, None)
        if index is None:
            return target
        return target + 4 + index * SCALAR_SIZES[layout.fields[slot].code]

    def _length(self, position: int, element_size: int, what: str, path: Path) -> int:
        """Length of the vector at a position, all of its elements inside the file."""
        (count,) = _UINT32.unpack_from(self.data, position)
        room = self.size - position - 4
        if count * element_size > room:
            self.fail(
                path,
                position,
                f"{what} inside the file of {self.size} bytes (room for {room // element_size})",
                f"a length of {count}",
            )
        return int(count)

    def scalars(
        self, position: int, field: Field, path: Path
    ) -> NDArray[Any] | memoryview[int] | memoryview:
        """The vector of scalars at a position, without a copy."""
        code = field.code
        size = SCALAR_SIZES[code]
        count = self._length(position, size, f"a vector of {field.type}", path)
        if code == "B":
            start = position + 4
            content = self.view[start : start + count]
            if self.observer is not None:
                self.observer.vector(position, field, content, path)
            return content
        self.charge(4 + count * size, path, position)
        values = (
            np.frombuffer(self.data, _DTYPES[code], count, position + 4) if count else _EMPTY[code]
        )
        if code == "?":
            values = values != 0
        if field.enum is not None and count:
            names = ENUMS[field.enum].names
            if int(values.min()) < 0 or int(values.max()) >= len(names):
                self.fail(
                    path, position, f"numbers of {field.enum}, 0 to {len(names) - 1}", values.max()
                )
        if self.observer is not None:
            self.observer.vector(position, field, values, path)
        return values

    def _tables(self, position: int, field: Field, path: Path) -> list[SimpleNamespace]:
        count = self._length(position, 4, f"a vector of {field.type}", path)
        self.charge(4 + 4 * count, path, position)
        if self.observer is not None:
            self.observer.vector(position, field, count, path)
        first = position + 4
        return [
            self.table(self.follow(at, (path, index)), field.type, (path, index))
            for index, at in enumerate(range(first, first + 4 * count, 4))
        ]

    def _string(self, position: int, path: Path) -> str:
        count = self._length(position, 1, "a string", path)
        end = position + 4 + count
        if end >= self.size or self.data[end]:
            self.fail(path, end, "a NUL byte after the string", "none")
        self.charge(4 + count, path, position)
        text = self.data[position + 4 : end].decode("utf-8", "replace")
        if self.observer is not None:
            self.observer.string(position, text, count, path)
        return text

    def _layout(self, position: int, name: str, path: Path, table: int) -> Layout:
        """Checks a vtable once for the tables of one kind that use it."""
        if position < 0 or position + 4 > self.size or position % 2:
            self.fail(
                path,
                table,
                f"a vtable at an even byte inside the file of {self.size} bytes",
                f"byte {position}",
            )
        size, object_size = _VTABLE_HEAD.unpack_from(self.data, position)
        if size < 4 or size % 2 or position + size > self.size:
            self.fail(
                path,
                position,
                f"a vtable of an even size, 4 to {self.size - position} bytes",
                f"{size} bytes",
            )
        if object_size < 4:
            self.fail(path, position + 2, f"a {name} table of 4 bytes or more", object_size)
        self.charge(size, path, position)
        slots = struct.unpack_from(f"<{size // 2 - 2}H", self.data, position + 4)
        present = sorted(
            ((at, field) for field, at in zip(TABLES[name], slots, strict=False) if at),
            key=lambda entry: entry[0],
        )
        form = ["<4x"]
        end = 4
        for offset, field in present:
            width = field.inline_size
            if offset < end or offset + width > object_size or offset % min(width, 4):
                self.fail(
                    (path, field.name),
                    position + 4 + 2 * field.slot,
                    f"a place for {width} bytes in the {name} table of {object_size} bytes, "
                    "aligned and its own",
                    f"offset {offset}",
                )
            form.append(f"{offset - end}x{'I' if field.is_offset else field.code}")
            end = offset + width
        fields = tuple(field for _, field in present)
        numbered = tuple(
            (i, f, len(ENUMS[f.enum].names))
            for i, f in enumerate(fields)
            if f.enum and f.kind is Kind.SCALAR and not f.open
        )
        layout = Layout(
            position=position,
            size=size,
            object_size=object_size,
            slots=slots,
            fields=fields,
            offsets=tuple(offset for offset, _ in present),
            inline=struct.Struct("".join(form)),
            names=tuple(field.name for field in fields),
            numbers=numbered,
            references=tuple((i, f, present[i][0]) for i, f in enumerate(fields) if f.is_offset),
            defaults={field.name: field.default for field in TABLES[name]},
        )
        self._layouts[position, name] = layout
        return layout
