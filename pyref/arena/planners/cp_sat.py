"""OR-tools' CP-SAT: buffers as rectangles over time and address that must not overlap."""

from __future__ import annotations

from importlib.util import find_spec
from math import gcd
from typing import TYPE_CHECKING

from pyref.arena.bounds import lower_bound
from pyref.arena.planners import peak

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.arena.buffers import Buffer

#: Whether OR-tools (the extra `solver`) is installed.
AVAILABLE = find_spec("ortools") is not None


def place(
    buffers: Sequence[Buffer], first: list[int], time_limit_s: float
) -> tuple[list[int], bool]:
    """Smallest plan found within the time.

    Args:
        buffers: what to place; sizes in bytes.
        first: a plan to begin with.
        time_limit_s: seconds.

    Returns:
        Byte offsets in the order given, and whether no smaller plan exists.
    """
    from ortools.sat.python import cp_model  # noqa: PLC0415 - an extra

    unit = gcd(*(b.size for b in buffers)) or 1
    top = peak(buffers, first) // unit
    model = cp_model.CpModel()
    height = model.new_int_var(-(-lower_bound(buffers) // unit), top, "height")
    offsets, times, spaces = [], [], []
    for i, (buffer, start) in enumerate(zip(buffers, first, strict=True)):
        size = buffer.size // unit
        offset = model.new_int_var(0, top - size, f"offset{i}")
        end = model.new_int_var(size, top, f"end{i}")
        model.add(end <= height)
        model.add_hint(offset, start // unit)
        alive = buffer.last_use - buffer.first_use + 1
        times.append(model.new_fixed_size_interval_var(buffer.first_use, alive, f"time{i}"))
        spaces.append(model.new_interval_var(offset, size, end, f"space{i}"))
        offsets.append(offset)
    model.add_no_overlap_2d(times, spaces)
    model.minimize(height)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = time_limit_s
    solver.parameters.num_workers = 2
    solver.parameters.random_seed = 0
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return first, False
    return [int(solver.value(o)) * unit for o in offsets], status == cp_model.OPTIMAL
