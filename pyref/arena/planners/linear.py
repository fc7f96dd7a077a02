"""TFLM's LinearMemoryPlanner: no memory is used twice (preserve_all_tensors).

Source: micro/memory_planner/linear_memory_planner.cc.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from pyref.arena.buffers import ONLINE
from pyref.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.arena.buffers import Buffer

#: LinearMemoryPlanner::kMaxBufferCount.
MAX_BUFFERS = 1024


def place(buffers: Sequence[Buffer]) -> list[int]:
    """Byte offset of each buffer, in the order given.

    Raises:
        PlanError: more buffers than the planner holds, or a model with an offline plan, which
            it does not take.
    """
    if len(buffers) > MAX_BUFFERS:
        raise PlanError(f"Too many buffers (max is {MAX_BUFFERS})")
    if any(b.offline_offset != ONLINE for b in buffers):
        raise PlanError(
            "the linear planner takes no offline offsets (MicroMemoryPlanner::AddBuffer fails); "
            "plan with the greedy one, or take OfflineMemoryAllocation out of the model"
        )
    return [0, *accumulate(b.size for b in buffers)][: len(buffers)]
