"""OfflineMemoryAllocation: a memory plan inside the model file, read as TFLM reads it, and written.

Format (micro/docs/memory_management.md): little-endian int32 words: version, subgraph, number
of offsets, then one byte offset for each tensor of all subgraphs; -1 leaves a tensor to the
planner. Source: micro/micro_allocation_info.cc, GetOfflinePlannedOffsets.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from pyref.arena.allocator import ALIGNMENT
from pyref.arena.buffers import ONLINE
from pyref.arena.errors import OfflinePlanError
from pyref.arena.metadata import replace_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyref.model import Model

#: Name of the metadata entry.
METADATA = "OfflineMemoryAllocation"
_HEADER_WORDS = 3


def read(model: Model) -> tuple[int, ...] | None:
    """The model's offline offsets; None without such metadata.

    Raises:
        OfflinePlanError: the metadata is cut off (TFLM would read past its end), has another
            number of offsets than the model has tensors, or an offset before the arena.
    """
    data = model.metadata.get(METADATA)
    if data is None:
        return None
    words = len(data) // 4
    if words < _HEADER_WORDS:
        raise OfflinePlanError(
            f"{METADATA} is cut off: {len(data)} bytes, its header alone takes 12",
            expected=4 * _HEADER_WORDS,
            got=len(data),
        )
    values = struct.unpack_from(f"<{words}i", data)
    count = values[2]
    tensors = sum(len(s.tensors) for s in model.subgraphs)
    if count != tensors:
        raise OfflinePlanError(
            f"Nbr of offline buffer offsets ({count}) in metadata not equal nbr tensors "
            f"({tensors})",
            expected=tensors,
            got=count,
        )
    if words < _HEADER_WORDS + count:
        raise OfflinePlanError(
            f"{METADATA} is cut off: {len(data)} bytes for {count} offsets, "
            f"{4 * (_HEADER_WORDS + count)} needed",
            expected=4 * (_HEADER_WORDS + count),
            got=len(data),
        )
    offsets = values[_HEADER_WORDS : _HEADER_WORDS + count]
    if min(offsets, default=0) < ONLINE:
        raise OfflinePlanError(
            f"{METADATA} puts tensor {offsets.index(min(offsets))} at offset {min(offsets)}: "
            "before the arena",
            expected=ONLINE,
            got=min(offsets),
        )
    return offsets


def write(model: Model, offsets: Mapping[tuple[int, int], int]) -> bytes:
    """The model's file with an offline plan; an older one is replaced, all else is kept.

    Args:
        model: the model.
        offsets: (subgraph, tensor index) to byte offset, such as Optimum.offsets; tensors left
            out stay with the planner.

    Returns:
        The new file's bytes.

    Raises:
        OfflinePlanError: an offset that is negative or no multiple of 16.
        ModelError: the file cannot be extended.
    """
    keys = [(s.index, t.index) for s in model.subgraphs for t in s.tensors]
    for key, offset in offsets.items():
        if offset < 0 or offset % ALIGNMENT or key not in set(keys):
            raise OfflinePlanError(
                f"offset {offset} of tensor {key[1]} of subgraph {key[0]}: expected a tensor of "
                f"the model and a multiple of {ALIGNMENT}",
                expected=ALIGNMENT,
                got=offset,
            )
    words = [1, 0, len(keys), *(offsets.get(key, ONLINE) for key in keys)]
    return replace_metadata(model.data, METADATA, struct.pack(f"<{len(words)}i", *words))
