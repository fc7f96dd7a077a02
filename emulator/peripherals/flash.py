"""Embedded flash interface of STM32H745/755/747/757 (RM0399, 4.9): latency, never busy."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers


class Flash(RegisterMap):
    """Registers of both banks. Programming and erasing are not modelled: flash is read-only."""

    SIZE_BYTES: ClassVar[int] = 0x400
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("ACR", 0x000, reset=0x0000_0037),
        *registers("KEYR1 OPTKEYR", 0x004),
        Register("CR1", 0x00C, reset=0x0000_0031),
        Register("SR1", 0x010, writable=0),
        Register("CCR1", 0x014),
        Register("OPTCR", 0x018, reset=0x0000_0001),
        Register("OPTSR_CUR", 0x01C, reset=0x1BF6_AAF0, writable=0),
        Register("OPTSR_PRG", 0x020, reset=0x1BF6_AAF0),
        Register("KEYR2", 0x104),
        Register("CR2", 0x10C, reset=0x0000_0031),
        Register("SR2", 0x110, writable=0),
        Register("CCR2", 0x114),
    )
