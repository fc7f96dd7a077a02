"""What can stop the core."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class EventKind(enum.Enum):
    """Why `Core.run` came back."""

    LIMIT = "instruction limit"
    WAITING = "console polled, nothing received"
    OUTPUT = "console output"
    TIMER = "a timer is due"
    PERIPHERAL = "a peripheral asked to stop"
    ACCESS_REFUSED = "a register access was refused"
    WAIT_FOR_INTERRUPT = "WFI"
    BLOCK_REFUSED = "block holds refused instructions"
    EXCEPTION = "exception"
    MEMORY = "memory access failed"
    UNDEFINED = "undefined instruction"
    INVALID_STATE = "execution without the Thumb bit"


@dataclass(frozen=True)
class Event:
    """What stopped the core.

    Attributes:
        kind: Sort of event.
        number: QEMU's exception number for EXCEPTION.
        access: "read", "write" or "fetch" for MEMORY.
        address: Address of the access, for MEMORY.
        width_bytes: Its width, for MEMORY.
        unmapped: Whether nothing is there, as against not allowed, for MEMORY.
    """

    kind: EventKind
    number: int = 0
    access: str = ""
    address: int = 0
    width_bytes: int = 0
    unmapped: bool = False
