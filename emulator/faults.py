"""What a fault is: its cause in Arm's terms, where it happened, and what was accessed."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

HARD_FAULT: Final = 3
MEM_MANAGE: Final = 4
BUS_FAULT: Final = 5
USAGE_FAULT: Final = 6
SV_CALL: Final = 11

EXCEPTION_NAMES: Final = {
    HARD_FAULT: "HardFault",
    MEM_MANAGE: "MemManage",
    BUS_FAULT: "BusFault",
    USAGE_FAULT: "UsageFault",
    SV_CALL: "SVCall",
}


class FaultKind(enum.Enum):
    """Cause of a fault: (exception number, status bit, what it means).

    The bit is one of CFSR, or of HFSR for the HardFault causes (ARMv7-M ARM, B3.2.15 and 16).
    """

    IACCVIOL = (MEM_MANAGE, 1 << 0, "instruction fetch from execute-never memory")
    DACCVIOL = (MEM_MANAGE, 1 << 1, "data access that the MPU forbids")
    IBUSERR = (BUS_FAULT, 1 << 8, "instruction fetch from an address where nothing is")
    PRECISERR = (BUS_FAULT, 1 << 9, "data access that the bus refused")
    UNSTKERR = (BUS_FAULT, 1 << 11, "exception return from a stack that is not in memory")
    STKERR = (BUS_FAULT, 1 << 12, "exception entry on a stack that is not in memory")
    UNDEFINSTR = (USAGE_FAULT, 1 << 16, "undefined instruction")
    INVSTATE = (USAGE_FAULT, 1 << 17, "branch to an even address, which is not Thumb code")
    INVPC = (USAGE_FAULT, 1 << 18, "exception return that no active exception allows")
    NOCP = (
        USAGE_FAULT,
        1 << 19,
        "floating-point or coprocessor instruction while CPACR denies it (set CPACR.CP10, CP11)",
    )
    UNALIGNED = (USAGE_FAULT, 1 << 24, "unaligned access where the core allows none")
    VECTTBL = (HARD_FAULT, 1 << 1, "the vector table is not in memory")
    DEBUGEVT = (HARD_FAULT, 1 << 31, "BKPT without a debugger (semihosting is not supported)")
    SVC = (HARD_FAULT, 0, "SVC where its exception cannot be taken")

    @property
    def exception(self) -> int:
        """Number of the exception that this cause raises."""
        return self.value[0]

    @property
    def status_bit(self) -> int:
        """Its bit in CFSR, or in HFSR for a HardFault."""
        return self.value[1]

    @property
    def text(self) -> str:
        """What it means."""
        return self.value[2]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault.

    Attributes:
        kind: Cause.
        pc: Address of the instruction.
        symbol: `name+0xoffset` of `pc`, or empty.
        access: "read", "write" or "fetch", or empty when no memory was concerned.
        address: Address accessed, or None.
        width_bytes: Width of the access, or None.
        escalated: Whether it became a HardFault, its own exception being off or of no avail.
        cfsr: CFSR after the fault.
        hfsr: HFSR after the fault.
        mmfar: MMFAR then; meaningful if CFSR bit 7 is set.
        bfar: BFAR then; meaningful if CFSR bit 15 is set.
        note: What the memory map says about `address`.
    """

    kind: FaultKind
    pc: int
    symbol: str
    access: str
    address: int | None
    width_bytes: int | None
    escalated: bool
    cfsr: int
    hfsr: int
    mmfar: int
    bfar: int
    note: str

    def __str__(self) -> str:
        exception = EXCEPTION_NAMES[self.kind.exception]
        text = f"{exception} {self.kind.name} at pc {self.pc:#010x}"
        text += f" <{self.symbol}>" if self.symbol else ""
        text += f": {self.kind.text}"
        if self.address is not None:
            text += f"; {self.access} of {self.width_bytes} bytes at {self.address:#010x}"
        text += f" ({self.note})" if self.note else ""
        return f"{text}; CFSR {self.cfsr:#010x}, HFSR {self.hfsr:#010x}"
