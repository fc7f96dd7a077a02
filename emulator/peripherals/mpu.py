"""Memory Protection Unit registers (ARMv7-M ARM B3.5), kept and read back."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers

_REGIONS = 16  # STM32H747's Cortex-M7 has 16 regions (RM0399, 2.1)
_RBAR_VALID = 1 << 4


class Mpu(RegisterMap):
    """Region registers with their aliases. Access permissions are not enforced.

    Attributes:
        regions: (RBAR, RASR) of each region.
    """

    SIZE_BYTES: ClassVar[int] = 0x2C
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("TYPE", 0x00, reset=_REGIONS << 8, writable=0),
        Register("CTRL", 0x04, writable=0x7),
        Register("RNR", 0x08, writable=0xF),
        *registers("RBAR RASR RBAR_A1 RASR_A1 RBAR_A2 RASR_A2 RBAR_A3 RASR_A3", 0x0C),
    )

    def reset(self) -> None:
        """All regions off."""
        super().reset()
        self.regions = [(0, 0)] * _REGIONS

    def on_read(self, name: str, value: int) -> int:
        """RBAR and RASR, also by their aliases, show the selected region."""
        selected = self.values["RNR"]
        if name.startswith("RBAR"):
            return self.regions[selected][0] & ~0x1F | selected
        return self.regions[selected][1] if name.startswith("RASR") else value

    def on_write(self, name: str, value: int, _lanes: int) -> int:
        """RBAR may select the region that it sets."""
        if name.startswith("RBAR"):
            if value & _RBAR_VALID:
                self.values["RNR"] = value & 0xF
            selected = self.values["RNR"]
            self.regions[selected] = (value & ~0x1F, self.regions[selected][1])
        elif name.startswith("RASR"):
            selected = self.values["RNR"]
            self.regions[selected] = (self.regions[selected][0], value)
        return value
