"""Floating-point context registers (ARMv7-M ARM B3.2.21 to 24)."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap


class Fpu(RegisterMap):
    """FPCCR, FPCAR, FPDSCR and the feature registers of a double-precision FPv5 unit."""

    SIZE_BYTES: ClassVar[int] = 0x18
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("FPCCR", 0x4, reset=0xC000_0000),
        Register("FPCAR", 0x8),
        Register("FPDSCR", 0xC, writable=0x07C0_0000),
        Register("MVFR0", 0x10, reset=0x1011_0221, writable=0),
        Register("MVFR1", 0x14, reset=0x1200_0011, writable=0),
    )
