"""TFLM's arena, predicted to the byte on a 32-bit target, and other ways to plan it."""

from __future__ import annotations

from pyref.arena.buffers import Buffer
from pyref.arena.errors import ArenaTooSmallError, OfflinePlanError
from pyref.arena.optimum import Optimum, optimum
from pyref.arena.plan import plan
from pyref.arena.result import Consumer, Placed, Plan
from pyref.arena.shared import SharedPlan, SplitPlan, shared_plan, split_plan

__all__ = [
    "ArenaTooSmallError",
    "Buffer",
    "Consumer",
    "OfflinePlanError",
    "Optimum",
    "Placed",
    "Plan",
    "SharedPlan",
    "SplitPlan",
    "optimum",
    "plan",
    "shared_plan",
    "split_plan",
]
