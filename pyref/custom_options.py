"""Options of custom operators: flexbuffers, read as TFLM reads them.

TFLM's kernels take the elements of a map by position, in the alphabetical order of the keys,
and read an element's raw bytes with the map's width, whatever its type says
(micro/flatbuffer_utils.cc, `FlexbufferWrapper`). Nothing in it checks bounds; this does.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from pyref.node import Node

_INTS = {1: "<b", 2: "<h", 4: "<i", 8: "<q"}
_UNSIGNED = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}
_FLOATS = {1: "<b", 2: "<e", 4: "<f", 8: "<d"}
_MAP, _VECTOR = 9, 10
#: Types of scalars: INT, UINT, FLOAT, BOOL; and those that stand elsewhere, by what they are.
_FORMATS = {1: _INTS, 2: _UNSIGNED, 3: _FLOATS, 26: _UNSIGNED}
_INDIRECT = {6: 1, 7: 2, 8: 3}


class CustomOptions:
    """The root map (or vector) of an operator's custom options.

    Args:
        node: the operator; refuses with its name what cannot be read.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._data = bytes(node.operator.custom_options)
        data = self._data
        if len(data) < 3:
            self._refuse(f"{len(data)} bytes are too few for a flexbuffer")
        width, packed = data[-1], data[-2]
        if width not in _INTS or packed >> 2 not in (_MAP, _VECTOR):
            self._refuse("the flexbuffer's root is no map")
        self._is_map = packed >> 2 == _MAP
        self._width = 1 << (packed & 3)
        self._start = self._follow(len(data) - 2 - width, width)
        self._size = self._unsigned(self._start - self._width, self._width)
        if self._start + self._size * (self._width + 1) > len(data):
            self._refuse(f"a map of {self._size} elements goes beyond the flexbuffer")

    def __len__(self) -> int:
        """Number of elements."""
        return self._size

    def integer(self, index: int) -> int:
        """ElementAsInt32: the element at a position, low 32 bits."""
        value = self._element(index)
        return (value + 2**31) % 2**32 - 2**31

    def boolean(self, index: int) -> bool:
        """ElementAsBool."""
        return bool(self._element(index))

    def named(self, key: str) -> float | int | None:
        """m[key] with its own type; None where there is no such key or it is null."""
        keys = self._keys()
        if key.encode() not in keys:
            return None
        index = keys.index(key.encode())
        packed = self._data[self._start + self._size * self._width + index]
        kind, width = packed >> 2, self._width
        at = self._start + index * width
        if kind in _INDIRECT:
            at, width, kind = self._follow(at, width), 1 << (packed & 3), _INDIRECT[kind]
        if kind not in _FORMATS:
            return None
        self._unsigned(at, width)
        value: float | int = struct.unpack_from(_FORMATS[kind][width], self._data, at)[0]
        return value

    def named_integer(self, key: str) -> int:
        """m[key].AsInt32(); 0 where there is no such key."""
        value = self.named(key)
        return 0 if value is None else (int(value) + 2**31) % 2**32 - 2**31

    def named_real(self, key: str) -> float:
        """m[key].AsFloat(), as a double; 0 where there is no such key."""
        return float(self.named(key) or 0)

    def _keys(self) -> list[bytes]:
        if not self._is_map:
            return []
        width = self._unsigned(self._start - 2 * self._width, self._width)
        if width not in _INTS:
            self._refuse(f"keys of {width} bytes")
        start = self._follow(self._start - 3 * self._width, self._width)
        keys = []
        for i in range(self._size):
            at = self._follow(start + i * width, width)
            end = self._data.find(b"\0", at)
            keys.append(self._data[at:end] if end >= 0 else b"")
        return keys

    def _element(self, index: int) -> int:
        if index >= self._size:
            self._refuse(f"element {index} of {self._size} is missing")
        at = self._start + index * self._width
        value: int = struct.unpack_from(_INTS[self._width], self._data, at)[0]
        return value

    def _follow(self, at: int, width: int) -> int:
        target = at - self._unsigned(at, width)
        if target < 0:
            self._refuse(f"an offset at byte {at} goes before the flexbuffer")
        return target

    def _unsigned(self, at: int, width: int) -> int:
        if at < 0 or at + width > len(self._data):
            self._refuse(f"byte {at} lies outside the flexbuffer")
        return int.from_bytes(self._data[at : at + width], "little")

    def _refuse(self, what: str) -> NoReturn:
        name = self._node.operator.op
        self._node.refuse(f"{name}: custom options cannot be read: {what}")
