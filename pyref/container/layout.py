"""How the tables of one vtable are laid out, and how errors name what is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import struct

    from pyref.container.schema import Field

#: Path of an object: its parent's path and a field name or an index; None is the root.
Path = tuple[Any, "str | int"] | None


def path_text(path: Path) -> str:
    """A path as text, such as `subgraphs[0].tensors[3].shape`."""
    words: list[str] = []
    while path is not None:
        path, step = path
        words.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(words)).removeprefix(".") or "file"


@dataclass(frozen=True, slots=True)
class Layout:
    """How a vtable lays out the tables that use it: checked once, then one unpack a table.

    Attributes:
        position: of the vtable.
        size: of the vtable, in bytes.
        object_size: of each table, in bytes.
        slots: the vtable's entries: offset in the table of each field, 0 where absent.
        fields: the fields that are present, in the order of their place in the table.
        offsets: their places.
        inline: unpacks all of them at once.
        names: their names.
        numbers: fields with an enumeration: index in `fields`, the field, how many values it has.
        references: index in `fields`, the field, its place in the table.
        defaults: value by name of the fields that are absent.
    """

    position: int
    size: int
    object_size: int
    slots: tuple[int, ...]
    fields: tuple[Field, ...]
    offsets: tuple[int, ...]
    inline: struct.Struct
    names: tuple[str, ...]
    numbers: tuple[tuple[int, Field, int], ...]
    references: tuple[tuple[int, Field, int], ...]
    defaults: dict[str, Any]
