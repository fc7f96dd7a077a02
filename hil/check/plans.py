"""TFLM's plan of a model, the best one that can be found, and what writing it would gain."""

from __future__ import annotations

from dataclasses import dataclass

import pyref
from pyref.arena import Optimum, offline, optimum
from pyref.arena.planners import PLANNERS


@dataclass(frozen=True, slots=True)
class Plans:
    """One model's plans for one release and kernel set.

    Attributes:
        online: by TFLM's planner, without any offline plan that the file has.
        as_is: as the file is; None where it has no offline plan.
        best: with the best offsets found, written as offline plan.
        optimum: how they were found.
        best_file: the model with them.
    """

    online: pyref.Plan
    as_is: pyref.Plan | None
    best: pyref.Plan
    optimum: Optimum
    best_file: bytes

    @property
    def gain_bytes(self) -> int:
        """What the best plan saves of the smallest arena; negative where it costs."""
        return self.online.smallest_arena_bytes - self.best.smallest_arena_bytes

    @property
    def verdict(self) -> str:
        """How far TFLM's plan is from the optimum, in one sentence."""
        found, online = self.optimum, self.online
        above = online.head_bytes - found.peak_bytes
        planner = f"the {online.planner} plan"
        if above == 0:
            if found.proven:
                return f"{planner} is optimal: no plan of this head is smaller"
            return (
                f"no better plan was found in {found.seconds:.1f} s; {planner} is not proven best"
            )
        share = 100 * above / online.head_bytes
        certainty = "the optimum" if found.proven else "the best plan found"
        return f"{planner} takes {above:,} bytes ({share:.1f} %) more than {certainty}"

    @property
    def gain(self) -> str:
        """What writing the best plan changes for the smallest arena, in one sentence."""
        before, after = self.online.smallest_arena_bytes, self.best.smallest_arena_bytes
        if self.gain_bytes == 0:
            limit = (
                ", since what AllocateTensors needs for a while is its limit and not the head"
                if self.best.head_bytes < self.online.head_bytes
                else ""
            )
            return f"nothing gained: the smallest arena stays at {before:,} bytes{limit}"
        word = "less" if self.gain_bytes > 0 else "more"
        return (
            f"smallest arena {after:,} bytes instead of {before:,}: {abs(self.gain_bytes):,} {word}"
        )


def plans(
    model: pyref.Model,
    *,
    tflm: str = "2026-08",
    kernels: str = "cmsis_nn",
    planner: str = "greedy",
    time_limit_s: float = 10.0,
) -> Plans:
    """Plans a model in every way.

    Args:
        model: the model.
        tflm: TFLM's release, or "hil-1" for our engine.
        kernels: kernel set of the build; our engine has "reference" alone.
        planner: TFLM's planner to compare with, one of `PLANNERS`.
        time_limit_s: seconds to search for a better plan at most.

    Raises:
        pyref.RefusedError: TFLM does not take the model.
        pyref.PlanError: an unknown release, kernel set or planner, or a broken offline plan.
    """
    has_plan = offline.read(model) is not None
    online_model = pyref.Model.from_bytes(offline.write(model, {})) if has_plan else model
    online = pyref.plan(online_model, tflm=tflm, kernels=kernels, planner=planner)
    found = optimum(online, time_limit_s=time_limit_s)
    best_file = offline.write(model, found.offsets)
    best_model = pyref.Model.from_bytes(best_file)
    return Plans(
        online=online,
        as_is=pyref.plan(model, tflm=tflm, kernels=kernels, planner=planner) if has_plan else None,
        best=pyref.plan(best_model, tflm=tflm, kernels=kernels),
        optimum=found,
        best_file=best_file,
    )


PLANNER_NAMES = tuple(PLANNERS)
