"""Vectors of tensor indices, each checked against the tensors there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import SimpleNamespace

    from pyref.container.layout import Path
    from pyref.container.reader import Reader


def indices(
    reader: Reader,
    entry: SimpleNamespace,
    table: str,
    field: str,
    path: Path,
    *,
    count: int,
    optional: bool = False,
) -> tuple[int, ...]:
    """Reads a vector of tensor indices; absent is empty.

    Args:
        reader: of the file.
        entry: the table that was read.
        table: its name in the schema.
        field: the vector's.
        path: of the entry.
        count: number of tensors in the subgraph.
        optional: whether -1 may stand for an absent tensor.

    Raises:
        ModelError: an index has no tensor.
    """
    values = getattr(entry, field)
    if values is None:
        return ()
    found: tuple[int, ...] = tuple(values.tolist())
    lowest = -1 if optional else 0
    if found and (min(found) < lowest or max(found) >= count):
        index = next(i for i, tensor in enumerate(found) if not lowest <= tensor < count)
        reader.fail(
            ((path, field), index),
            reader.place(entry.position, table, field, index),
            f"the index of one of {count} tensors" + (", or -1 for none" if optional else ""),
            found[index],
            "no such tensor",
        )
    return found
