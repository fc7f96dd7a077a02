"""System configuration controller of STM32H745/755/747/757 (RM0399, 12.3)."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers


class Syscfg(RegisterMap):
    """Plain storage; the I/O compensation cell is ready as soon as it is on."""

    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        *registers("PMCR EXTICR1 EXTICR2 EXTICR3 EXTICR4 CFGR - CCCSR CCVR CCCR PWRCR", 0x04),
        Register("PKGR", 0x124, writable=0),
    )
    READY: ClassVar[dict[str, tuple[tuple[int, int], ...]]] = {
        "CCCSR": ((1 << 0, 1 << 8),),  # EN, READY
    }
