"""Flexible Memory Controller of STM32H7 (RM0399, 23.7 and 23.9): the SDRAM is always ready."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers


class Fmc(RegisterMap):
    """Bank and SDRAM registers as storage; SDSR never shows busy, the memory answers anyway."""

    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("BCR1", 0x000, reset=0x0000_30DB),
        Register("BTR1", 0x004, reset=0x0FFF_FFFF),
        *registers("BCR2 BTR2 BCR3 BTR3 BCR4 BTR4", 0x008),
        Register("PCR", 0x080, reset=0x0000_0018),
        Register("SR", 0x084, reset=0x0000_0040),
        *registers("PMEM PATT - ECCR", 0x088),
        *registers("BWTR1 - BWTR2 - BWTR3 - BWTR4", 0x104),
        *registers("SDCR1 SDCR2", 0x140, reset=0x0000_02D0),
        *registers("SDTR1 SDTR2", 0x148, reset=0x0FFF_FFFF),
        *registers("SDCMR SDRTR", 0x150),
        Register("SDSR", 0x158, writable=0),
    )
