"""The peripherals, one file each. To add one: write its file, a line in a table, a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emulator.peripherals.caches import CacheMaintenance
from emulator.peripherals.dbgmcu import Dbgmcu
from emulator.peripherals.debug import CoreDebug
from emulator.peripherals.dwt import Dwt
from emulator.peripherals.flash import Flash
from emulator.peripherals.fmc import Fmc
from emulator.peripherals.fpu import Fpu
from emulator.peripherals.gpio import Gpio
from emulator.peripherals.mpu import Mpu
from emulator.peripherals.nvic import Nvic
from emulator.peripherals.pwr import Pwr
from emulator.peripherals.rcc import Rcc
from emulator.peripherals.scb import Scb
from emulator.peripherals.syscfg import Syscfg
from emulator.peripherals.systick import SysTick
from emulator.peripherals.usart import Usart

if TYPE_CHECKING:
    from emulator.peripherals.register_map import RegisterMap

PERIPHERALS: Final[dict[str, type[RegisterMap]]] = {
    "dbgmcu": Dbgmcu,
    "flash": Flash,
    "fmc": Fmc,
    "gpio": Gpio,
    "pwr": Pwr,
    "rcc": Rcc,
    "syscfg": Syscfg,
    "usart": Usart,
}
"""What a board file may name as a peripheral's `type`."""

CORE_PERIPHERALS: Final[dict[type[RegisterMap], int]] = {
    Dwt: 0xE000_1000,
    SysTick: 0xE000_E010,
    Nvic: 0xE000_E100,
    Scb: 0xE000_ED00,
    Mpu: 0xE000_ED90,
    CoreDebug: 0xE000_EDF0,
    Fpu: 0xE000_EF30,
    CacheMaintenance: 0xE000_EF50,
}
"""Those every ARMv7-M core has, at the addresses the architecture gives them."""
