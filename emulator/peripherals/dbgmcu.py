"""Debug MCU registers of STM32H745/755/747/757 (RM0399, 65.5.8): which chip this is."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers


class Dbgmcu(RegisterMap):
    """IDC: device 0x450 (STM32H745/755/747/757), revision 0xFFFF.

    No silicon has that revision: by it firmware tells that it runs here, and that what its cycle
    counter counts is modelled. Code that asks for revision V or later takes it for one.
    """

    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("IDC", 0x00, reset=0xFFFF_6450, writable=0),
        *registers("CR", 0x04),
    )
