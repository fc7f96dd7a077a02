"""The arena of this project's own engine (boards/firmware), release name "hil-1".

Its head holds activations only, placed by the same greedy planner with 16-byte alignment: the
layout of TFLM's reference kernels for operators without scratch buffers. Its tail holds the
engine's own tables (boards/firmware/engine/arena.c), which are not TFLM's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena import lifetimes, offline
from pyref.arena.planners import greedy, peak

if TYPE_CHECKING:
    from pyref.arena.buffers import Buffer
    from pyref.model import Model

#: Release name that `plan(model, tflm=...)` takes.
NAME = "hil-1"


def head(model: Model) -> tuple[list[Buffer], list[int], int]:
    """The engine's head.

    Returns:
        Buffers in the planner's order, byte offset of each, and the head's size in bytes.

    Raises:
        OfflinePlanError: the model's offline plan is broken.
    """
    buffers = lifetimes.collect(model, [], shapes={}, offline=offline.read(model))
    offsets = greedy.place(buffers)
    return buffers, offsets, peak(buffers, offsets)
