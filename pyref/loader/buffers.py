"""What the file holds of tensors' values: buffers inside and outside the flatbuffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.model import DTYPES

if TYPE_CHECKING:
    from types import SimpleNamespace

    from numpy.typing import NDArray

    from pyref.container.layout import Path
    from pyref.container.reader import Reader

#: Bits an element, of the types that share bytes.
_PACKED_BITS = {"INT4": 4, "UINT4": 4, "INT2": 2}

#: Types whose constants have no fixed size an element.
_SHAPELESS = ("STRING", "VARIANT")


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """One entry of buffers.

    Attributes:
        content: its bytes in the file; None where TFLM sees none (absent and empty are alike).
        external: the bytes stand outside the flatbuffer, where this TFLM does not look.
        position: of the first byte.
        table: position of the entry.
    """

    content: memoryview | None
    external: bool
    position: int
    table: int


def read_buffer(reader: Reader, entry: SimpleNamespace, path: Path) -> Buffer:
    """Finds an entry's bytes: in `data`, or where `offset` and `size` say (schema 3c).

    An offset of 0 or 1 is a writer's placeholder and means none.
    """
    data = entry.data
    if data is not None and len(data):
        position = reader.place(entry.position, "Buffer", "data") + 4
        return Buffer(data, external=False, position=position, table=entry.position)
    content = outside(reader, entry, "Buffer", ("offset", "size"), path)
    if content is None:
        return Buffer(None, external=False, position=entry.position, table=entry.position)
    return Buffer(content, external=True, position=entry.offset, table=entry.position)


def outside(
    reader: Reader, table: SimpleNamespace, name: str, fields: tuple[str, str], path: Path
) -> memoryview | None:
    """Bytes that a table points to by file offset and size; None where it points to none."""
    offset, size = (getattr(table, field) for field in fields)
    if offset <= 1 or size == 0:
        return None
    if offset + size > reader.size:
        reader.fail(
            path,
            reader.place(table.position, name, fields[0]),
            f"{fields[0]} + {fields[1]} inside the file of {reader.size} bytes",
            f"{offset} + {size}",
            "bytes outside the flatbuffer are missing",
        )
    if reader.observer is not None:
        reader.observer.outside(offset, size, path)
    return reader.view[offset : offset + size]


def element_size(type_name: str) -> int:
    """Bytes an element in the arena; 1 for packed types, as TFLM counts INT4."""
    return DTYPES[type_name].itemsize


def constant_size(type_name: str, count: int) -> int | None:
    """Bytes that `count` elements take in the file; None for types without a fixed size."""
    if type_name in _SHAPELESS:
        return None
    bits = _PACKED_BITS.get(type_name, 0)
    return -(-count * bits // 8) if bits else count * element_size(type_name)


def constant_value(type_name: str, shape: tuple[int, ...], raw: memoryview) -> NDArray[Any]:
    """A constant as an array: a view of the file, but for packed types and odd booleans.

    Args:
        type_name: TensorType's name.
        shape: whose size `raw` was found to have.
        raw: the bytes in the file.

    Returns:
        A read-only array of `shape`; one dimension of bytes for STRING and VARIANT.
    """
    if type_name in _SHAPELESS:
        return np.frombuffer(raw, np.uint8)
    bits = _PACKED_BITS.get(type_name, 0)
    if bits:
        value = _unpack(np.frombuffer(raw, np.uint8), bits, signed=type_name != "UINT4")
        value = value[: int(np.prod(shape, dtype=np.int64))].reshape(shape)
    elif type_name == "BOOL":
        flags = np.frombuffer(raw, np.uint8).reshape(shape)
        value = flags != 0 if flags.max(initial=0) > 1 else flags.view(np.bool_)
    else:
        value = np.frombuffer(raw, DTYPES[type_name].newbyteorder("<")).reshape(shape)
    value.flags.writeable = False
    return value


def _unpack(packed: NDArray[np.uint8], bits: int, *, signed: bool) -> NDArray[Any]:
    """Elements of 2 or 4 bits, the first in a byte's low bits (portable_tensor_utils.cc)."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    fields = ((packed[:, np.newaxis] >> shifts) & ((1 << bits) - 1)).reshape(-1)
    if not signed:
        return fields
    half = 1 << (bits - 1)
    return ((fields ^ half).astype(np.int8) - np.int8(half)).astype(np.int8)
