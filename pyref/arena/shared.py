"""Other ways to lay out arenas: one for several models, and one model in two arenas.

Source: micro/micro_allocator.cc, the MicroAllocator::Create with two arenas; several interpreters
on one MicroAllocator (micro/docs/memory_management.md, multi-tenant).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyref.arena import releases, replay
from pyref.arena.allocator import ALIGNMENT, Arena
from pyref.arena.errors import ArenaTooSmallError
from pyref.arena.kernel import check_kernels
from pyref.arena.record import Trace, record
from pyref.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.arena.releases import Release
    from pyref.model import Model

_AMPLE = 1 << 28


@dataclass(frozen=True, slots=True)
class SharedPlan:
    """Several models on one MicroAllocator, allocated in the order given.

    Attributes:
        arena_used_bytes: after the last.
        head_bytes: the largest head of all: models run one at a time.
        tail_bytes: persistent memory of all together.
        heads: each model's own head.
        smallest_arena_bytes: smallest arena, in steps of 4 bytes, that takes all.
    """

    arena_used_bytes: int
    head_bytes: int
    tail_bytes: int
    heads: tuple[int, ...]
    smallest_arena_bytes: int


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """One model in a persistent and a non-persistent arena.

    Attributes:
        persistent_bytes: used of the first.
        non_persistent_bytes: used of the second.
        smallest_persistent_bytes: smallest size, in steps of 4 bytes, of the first.
        smallest_non_persistent_bytes: of the second; more than it uses where Prepare or the
            planner needs more than running.
    """

    persistent_bytes: int
    non_persistent_bytes: int
    smallest_persistent_bytes: int
    smallest_non_persistent_bytes: int


def shared_plan(
    models: Sequence[Model],
    tflm: str = "2026-08",
    kernels: str = "cmsis_nn",
    *,
    arena_size: int | None = None,
) -> SharedPlan:
    """Plans several models that share an arena.

    Args:
        models: in the order in which they allocate.
        tflm: release of TFLM.
        kernels: "reference" or "cmsis_nn".
        arena_size: bytes given, None for ample.

    Raises:
        PlanError: a model fails; TFLM refuses any further one on that allocator with "Model
            allocation started before finishing previously allocated model".
        RefusedError: TFLM would not take one of the models.
    """
    check_kernels(kernels)
    release = releases.find(tflm)
    traces = [record(m, release, kernels, "greedy") for m in models]
    arena = _share(traces, release, _AMPLE if arena_size is None else arena_size)
    return SharedPlan(
        arena_used_bytes=arena.head_used + arena.tail_used,
        head_bytes=arena.head_used,
        tail_bytes=arena.tail_used,
        heads=tuple(t.head_bytes for t in traces),
        smallest_arena_bytes=_smallest(lambda size: _share(traces, release, size)),
    )


def _share(traces: Sequence[Trace], release: Release, size: int) -> Arena:
    arena = Arena(0, size)
    replay.run(arena, replay.objects(release, "greedy"), "greedy")
    for number, trace in enumerate(traces):
        try:
            replay.run(arena, trace.events, "greedy")
        except ArenaTooSmallError as error:
            after = len(traces) - number - 1
            also = (
                "; the models after it would fail with: MicroAllocator: Model allocation started "
                "before finishing previously allocated model"
                if after
                else ""
            )
            raise PlanError(f"model {number}: {error.message}{also}") from error
    return arena


def split_plan(model: Model, tflm: str = "2026-08", kernels: str = "cmsis_nn") -> SplitPlan:
    """Plans a model in two arenas, 16-byte aligned both.

    Raises:
        RefusedError: TFLM would not take the model.
    """
    check_kernels(kernels)
    release = releases.find(tflm)
    trace = record(model, release, kernels, "greedy")

    def run(persistent: int, head: int) -> Arena:
        result = replay.split(trace, release, persistent=(0, persistent), head=(_AMPLE, head))
        return result.arena

    arena = run(_AMPLE // 2, _AMPLE)
    return SplitPlan(
        persistent_bytes=arena.tail_used,
        non_persistent_bytes=arena.head_used,
        smallest_persistent_bytes=_smallest(lambda size: run(size, _AMPLE)),
        smallest_non_persistent_bytes=_smallest(lambda size: run(_AMPLE // 2, size)),
    )


def _smallest(run: Callable[[int], object], step: int = 4) -> int:
    """Smallest multiple of `step` for which `run` does not fail."""

    def fits(size: int) -> bool:
        try:
            run(size)
        except PlanError:
            return False
        return True

    high = ALIGNMENT // step
    while not fits(high * step):
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle * step) else (middle, high)
    return high * step
