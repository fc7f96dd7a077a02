"""TFLM's arena, predicted to the byte on a 32-bit target, and other ways to plan it."""

from __future__ import annotations

from pyref.arena.buffers import Buffer
from pyref.arena.errors import ArenaTooSmallError, OfflinePlanError
from pyref.arena.plan import Consumer, Placed, Plan, plan

__all__ = [
    "ArenaTooSmallError",
    "Buffer",
    "Consumer",
    "OfflinePlanError",
    "Placed",
    "Plan",
    "plan",
]
