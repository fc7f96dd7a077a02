"""OfflineMemoryAllocation: a memory plan inside the model file, read as TFLM reads it.

Format (micro/docs/memory_management.md): little-endian int32 words: version, subgraph, number
of offsets, then one byte offset for each tensor of all subgraphs; -1 leaves a tensor to the
planner. Source: micro/micro_allocation_info.cc, GetOfflinePlannedOffsets.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from pyref.arena.errors import OfflinePlanError

if TYPE_CHECKING:
    from pyref.model import Model

#: Name of the metadata entry.
METADATA = "OfflineMemoryAllocation"
_HEADER_WORDS = 3


def read(model: Model) -> tuple[int, ...] | None:
    """The model's offline offsets; None without such metadata.

    Raises:
        OfflinePlanError: the metadata is cut off (TFLM would read past its end), or has another
            number of offsets than the model has tensors.
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
    return values[_HEADER_WORDS : _HEADER_WORDS + count]
