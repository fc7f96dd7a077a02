"""What a plan can fail with: errors that carry TFLM's own words and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.errors import PlanError

if TYPE_CHECKING:
    from pyref.arena.events import Owner


class ArenaTooSmallError(PlanError):
    """AllocateTensors fails because the arena given is too small.

    Attributes:
        message: TFLM's first message, as the device prints it.
        requested: bytes asked for.
        available: bytes that were left there (TFLM prints it as an unsigned 32-bit number).
        missing: bytes short at this one request; a later request may need more.
        arena_size: bytes given.
        owner: who asked (operator, planner, ...).
        silent: TFLM does not notice: it writes over memory in use, prints nothing, and the device
            faults or fails later.
    """

    def __init__(
        self,
        message: str,
        *,
        requested: int,
        available: int,
        missing: int,
        owner: Owner | None = None,
        arena_size: int | None = None,
        silent: bool = False,
    ) -> None:
        self.message = message
        self.requested = requested
        self.available = available
        self.missing = missing
        self.owner = owner
        self.arena_size = arena_size
        self.silent = silent
        asked = "" if owner is None else f" (asked for by {owner})"
        hint = (
            "; a request above 2 GiB means a misread model, not a small arena"
            if requested >= 1 << 31
            else ""
        )
        super().__init__(f"{message}{asked}{hint}")


class OfflinePlanError(PlanError):
    """The OfflineMemoryAllocation metadata cannot be used.

    Attributes:
        message: TFLM's message where it prints one, otherwise what is wrong with the bytes
            (TFLM would read past their end).
        expected: number of tensors of all subgraphs, or bytes that the header promises.
        got: what the metadata has.
    """

    def __init__(self, message: str, *, expected: int, got: int) -> None:
        self.message = message
        self.expected = expected
        self.got = got
        super().__init__(message)
