"""Payloads as frozen dataclasses whose fields carry their form on the wire.

A payload is its fields in order, little endian, without padding. Fixed fields come first; at
most one field of variable length ends it (`rest`, `text_rest`, `records`).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hil.protocol.codes import Code


class PayloadError(Exception):
    """A payload does not have the form of its message.

    Attributes:
        message: name of the message.
        expected: what its form asks for.
        got: what was found.
    """

    def __init__(self, message: str, *, expected: str, got: str) -> None:
        self.message = message
        self.expected = expected
        self.got = got
        super().__init__(f"{message}: expected {expected}, got {got}")


class Form(Enum):
    """How a field stands on the wire."""

    SCALAR = "scalar"
    BYTES = "bytes"
    TEXT = "text"
    REST = "rest"
    TEXT_REST = "text_rest"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Wire:
    """A field's form; `code` is struct's letter, `record` the class of an array's elements."""

    form: Form
    code: str = ""
    record: type[Message] | None = None

    @property
    def size_bytes(self) -> int:
        """Bytes of the fixed part; an array's is its count."""
        if self.form is Form.RECORDS:
            return 2
        return struct.calcsize("<" + self.code) if self.code else 0


def _wire(wire: Wire, **options: Any) -> Any:
    return field(metadata={"wire": wire}, **options)


def u8() -> Any:
    """An unsigned byte."""
    return _wire(Wire(Form.SCALAR, "B"))


def u16() -> Any:
    """An unsigned 16-bit number."""
    return _wire(Wire(Form.SCALAR, "H"))


def u32() -> Any:
    """An unsigned 32-bit number."""
    return _wire(Wire(Form.SCALAR, "I"))


def u64() -> Any:
    """An unsigned 64-bit number."""
    return _wire(Wire(Form.SCALAR, "Q"))


def i64() -> Any:
    """A signed 64-bit number."""
    return _wire(Wire(Form.SCALAR, "q"))


def raw(size_bytes: int) -> Any:
    """Bytes of a fixed number."""
    return _wire(Wire(Form.BYTES, f"{size_bytes}s"))


def text(size_bytes: int) -> Any:
    """ASCII in a fixed number of bytes, padded with zeros."""
    return _wire(Wire(Form.TEXT, f"{size_bytes}s"))


def rest() -> Any:
    """All bytes that remain; last field only."""
    return _wire(Wire(Form.REST))


def text_rest() -> Any:
    """ASCII up to the end; last field only."""
    return _wire(Wire(Form.TEXT_REST))


def records(record: type[Message]) -> Any:
    """A 16-bit count and so many records; last field only."""
    return _wire(Wire(Form.RECORDS, "", record))


def wire_fields(message: type[Message]) -> Iterator[tuple[str, Wire]]:
    """Names and forms of a message's fields, in order."""
    for item in fields(message):
        yield item.name, item.metadata["wire"]


def fixed_size_bytes(message: type[Message]) -> int:
    """Bytes of a message's fixed part, counts of arrays included."""
    return sum(wire.size_bytes for _, wire in wire_fields(message))


@dataclass(frozen=True, slots=True)
class Message:
    """Base of payloads; `code` is the frame they travel in, None for a record inside another."""

    code: ClassVar[Code | None] = None

    def encode(self) -> bytes:
        """The payload's bytes.

        Raises:
            PayloadError: a number or a text does not fit its field.
        """
        out = bytearray()
        for name, wire in wire_fields(type(self)):
            value = getattr(self, name)
            if wire.form is Form.RECORDS:
                out += struct.pack("<H", len(value))
                for record in value:
                    out += record.encode()
                continue
            if wire.form in (Form.TEXT, Form.TEXT_REST):
                value = value.encode("ascii", errors="replace")
            if wire.form in (Form.REST, Form.TEXT_REST):
                out += value
                continue
            if wire.form in (Form.BYTES, Form.TEXT) and (
                len(value) > wire.size_bytes
                or (wire.form is Form.BYTES and len(value) != wire.size_bytes)
            ):
                raise PayloadError(
                    f"{type(self).__name__}.{name}",
                    expected=f"{wire.size_bytes} bytes",
                    got=f"{len(value)}",
                )
            try:
                out += struct.pack("<" + wire.code, value)
            except struct.error as error:
                raise PayloadError(
                    f"{type(self).__name__}.{name}", expected=str(error), got=repr(value)
                ) from error
        return bytes(out)

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """The message in a payload; every byte must belong to it.

        Raises:
            PayloadError: too short or too long.
        """
        message, used = cls.decode_from(payload, 0)
        if used != len(payload):
            raise PayloadError(cls.__name__, expected=f"{used} bytes", got=f"{len(payload)}")
        return message

    @classmethod
    def decode_from(cls, payload: bytes, position: int) -> tuple[Self, int]:
        """The message that starts at `position`, and where it ends.

        Raises:
            PayloadError: the payload ends inside it.
        """
        values: dict[str, Any] = {}
        for name, wire in wire_fields(cls):
            end = position + wire.size_bytes
            if end > len(payload):
                raise PayloadError(
                    f"{cls.__name__}.{name}", expected=f"{end} bytes", got=f"{len(payload)}"
                )
            if wire.form in (Form.REST, Form.TEXT_REST):
                tail = payload[position:]
                values[name] = tail if wire.form is Form.REST else _ascii(tail)
                end = len(payload)
            elif wire.form is Form.RECORDS:
                assert wire.record is not None
                (count,) = struct.unpack_from("<H", payload, position)
                items: list[Message] = []
                for _ in range(count):
                    item, end = wire.record.decode_from(payload, end)
                    items.append(item)
                values[name] = tuple(items)
            else:
                (value,) = struct.unpack_from("<" + wire.code, payload, position)
                values[name] = _ascii(value.rstrip(b"\0")) if wire.form is Form.TEXT else value
            position = end
        return cls(**values), position


def _ascii(data: bytes) -> str:
    return data.decode("ascii", errors="replace")
