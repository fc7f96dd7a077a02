"""Debug MCU registers of STM32H745/755/747/757 (RM0399, 65.5.8): which chip this is."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers


class Dbgmcu(RegisterMap):
    """IDC: device 0x450 (STM32H745/755/747/757), revision V."""

    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("IDC", 0x00, reset=0x2003_6450, writable=0),
        *registers("CR", 0x04),
    )
