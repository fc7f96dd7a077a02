"""Adds a metadata entry to a `.tflite` file without touching what is in it.

References of a flatbuffer point forward only, so the new root table, its vectors and the entry
are put in front, a multiple of 16 bytes long, and the old file follows as it is; its old root
table stays behind unused. Only offsets from the file's begin (weights outside the flatbuffer)
have to be moved on.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from pyref.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Field numbers of table Model, schema.fbs.
_VERSION, _BUFFERS, _METADATA = 0, 4, 6
_MODEL_FIELDS = 8
_ALIGN = 16


class _Table:
    """A table of the old file."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at
        self.vtable = at - struct.unpack_from("<i", data, at)[0]
        size = struct.unpack_from("<H", data, self.vtable)[0]
        self.fields = (size - 4) // 2

    def place(self, field: int) -> int:
        """Position of a field, 0 where it is absent."""
        if field >= self.fields:
            return 0
        slot = struct.unpack_from("<H", self.data, self.vtable + 4 + 2 * field)[0]
        return self.at + slot if slot else 0

    def target(self, field: int) -> int:
        """Position of what a reference field points to, 0 where it is absent."""
        place = self.place(field)
        return place + struct.unpack_from("<I", self.data, place)[0] if place else 0


def _elements(data: bytes, vector: int) -> list[int]:
    """Positions of the tables that a vector of tables points to."""
    if not vector:
        return []
    count = struct.unpack_from("<I", data, vector)[0]
    places = range(vector + 4, vector + 4 + 4 * count, 4)
    return [p + struct.unpack_from("<I", data, p)[0] for p in places]


def _name(data: bytes, entry: int) -> bytes:
    at = _Table(data, entry).target(0)
    if not at:
        return b""
    length = struct.unpack_from("<I", data, at)[0]
    return data[at + 4 : at + 4 + length]


class _Front:
    """The part that is put before the old file, written forwards."""

    def __init__(self) -> None:
        self.bytes = bytearray()

    def align(self, to: int) -> int:
        self.bytes += bytes(-len(self.bytes) % to)
        return len(self.bytes)

    def word(self, value: int) -> int:
        at = self.align(4)
        self.bytes += struct.pack("<I", value)
        return at

    def refer(self, at: int, target: int) -> None:
        """Lets the reference at `at` point to `target`."""
        struct.pack_into("<I", self.bytes, at, target - at)

    def table(self, slots: Sequence[int], size: int) -> int:
        """A vtable and the table behind it, zeroed; `slots` are the fields' offsets."""
        self.align(4)
        vtable = len(self.bytes)
        self.bytes += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), size, *slots)
        at = self.align(4)
        self.bytes += struct.pack("<i", at - vtable) + bytes(size - 4)
        return at

    def vector(self, count: int) -> int:
        """A vector of references, to be filled in."""
        at = self.word(count)
        self.bytes += bytes(4 * count)
        return at

    def content(self, data: bytes, align: int) -> int:
        """A vector of bytes whose data stands at a multiple of `align`; a zero follows."""
        while (len(self.bytes) + 4) % align:
            self.bytes += b"\0"
        at = len(self.bytes)
        self.bytes += struct.pack("<I", len(data)) + data + b"\0"
        return at


def replace_metadata(data: bytes, name: str, content: bytes) -> bytes:
    """The file with metadata `name`; entries of that name it had are left out.

    Args:
        data: a sound `.tflite` file.
        name: the entry's name.
        content: its buffer's bytes.

    Raises:
        ModelError: table Model has fields that this does not know.
    """
    model = _Table(data, struct.unpack_from("<I", data, 0)[0])
    if model.fields > _MODEL_FIELDS:
        raise ModelError("Model", expected=f"{_MODEL_FIELDS} fields", got=model.fields)
    buffers = _elements(data, model.target(_BUFFERS))
    entries = [
        e for e in _elements(data, model.target(_METADATA)) if _name(data, e) != name.encode()
    ]
    front = _Front()
    root_reference = front.word(0)
    front.bytes += data[4:8]  # identifier
    root = front.table([4 + 4 * i for i in range(_MODEL_FIELDS)], 4 + 4 * _MODEL_FIELDS)
    new_buffers = front.vector(len(buffers) + 1)
    new_entries = front.vector(len(entries) + 1)
    entry = front.table([4, 8], 12)
    entry_name = front.content(name.encode(), 4)
    buffer = front.table([4], 8)
    buffer_data = front.content(content, _ALIGN)
    shift = front.align(_ALIGN)

    front.refer(root_reference, root)
    front.refer(entry + 4, entry_name)
    struct.pack_into("<I", front.bytes, entry + 8, len(buffers))
    front.refer(buffer + 4, buffer_data)
    for number, target in enumerate([*(b + shift for b in buffers), buffer]):
        front.refer(new_buffers + 4 + 4 * number, target)
    for number, target in enumerate([*(e + shift for e in entries), entry]):
        front.refer(new_entries + 4 + 4 * number, target)
    _fill_root(front, root, model, {_BUFFERS: new_buffers, _METADATA: new_entries}, shift)
    old = bytearray(data)
    _move_external(old, data, buffers, shift)
    return bytes(front.bytes + old)


def _fill_root(front: _Front, root: int, model: _Table, new: dict[int, int], shift: int) -> None:
    """The new root's fields: old ones where they were, absent ones taken out of the vtable."""
    vtable = root - struct.unpack_from("<i", front.bytes, root)[0]
    for field in range(_MODEL_FIELDS):
        at = root + 4 + 4 * field
        if field in new:
            front.refer(at, new[field])
        elif field == _VERSION and model.place(field):
            front.bytes[at : at + 4] = model.data[model.place(field) :][:4]
        elif model.place(field):
            front.refer(at, model.target(field) + shift)
        else:
            struct.pack_into("<H", front.bytes, vtable + 4 + 2 * field, 0)


def _move_external(old: bytearray, data: bytes, buffers: Sequence[int], shift: int) -> None:
    """Buffer.offset and the custom options' counterpart count from the file's begin."""
    for at in buffers:
        _move(old, _Table(data, at).place(1), shift)
    model = _Table(data, struct.unpack_from("<I", data, 0)[0])
    for subgraph in _elements(data, model.target(2)):
        for operator in _elements(data, _Table(data, subgraph).target(3)):
            _move(old, _Table(data, operator).place(9), shift)


def _move(old: bytearray, place: int, shift: int) -> None:
    if place and (offset := struct.unpack_from("<Q", old, place)[0]) > 1:
        struct.pack_into("<Q", old, place, offset + shift)
