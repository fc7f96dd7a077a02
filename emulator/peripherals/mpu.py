"""Memory Protection Unit registers (ARMv7-M ARM B3.5), kept and read back."""

from __future__ import annotations

import itertools
from typing import ClassVar, NamedTuple

from emulator.peripherals.register_map import Register, RegisterMap, registers

_REGIONS = 16  # STM32H747's Cortex-M7 has 16 regions (RM0399, 2.1)
_RBAR_VALID = 1 << 4
_CTRL_ENABLE = 1 << 0
_CTRL_PRIVDEFENA = 1 << 2
_TOP = 1 << 32
_DEFAULT_EDGES = (0x4000_0000, 0x6000_0000, 0xA000_0000)


class Attributes(NamedTuple):
    """What an access to some address is."""

    device: bool
    readable: bool
    writable: bool


class Mpu(RegisterMap):
    """Region registers with their aliases.

    Permissions are not enforced on memory that is there. An access to where nothing is faults by
    the MPU's word, and alignment checks go by its memory types.

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
        self.values[name] = value
        self.system.memory_attributes_changed()
        return self.values[name]

    def attributes(self, address: int) -> Attributes:
        """What privileged accesses to an address are, by the region that covers it or the default.

        The region with the highest number wins (B3.5.3); AP and TEX, C, B as in tables B3-15
        and B3-13. Memory that is Strongly-ordered counts as Device.
        """
        control = self.values["CTRL"]
        if control & _CTRL_ENABLE and not 0xE000_0000 <= address < 0xE010_0000:
            for base, rasr in reversed(self.regions):
                if rasr & 1 and _covers(base, rasr, address):
                    access, memory = rasr >> 24 & 7, rasr >> 16 & 0x3B
                    return Attributes(
                        device=memory in (0b000000, 0b000001, 0b010000),
                        readable=access not in (0, 4),
                        writable=access in (1, 2, 3),
                    )
            if not control & _CTRL_PRIVDEFENA:
                return Attributes(device=True, readable=False, writable=False)
        return Attributes(device=default_is_device(address), readable=True, writable=True)

    def device_ranges(self) -> list[tuple[int, int]]:
        """Where memory is Device, as sorted (first, end) pairs."""
        edges = {0, _TOP, *_DEFAULT_EDGES}
        if self.values["CTRL"] & _CTRL_ENABLE:
            for base, rasr in self.regions:
                size = 2 << (rasr >> 1 & 0x1F)
                if rasr & 1:
                    start, step = base & -size, max(size // 8, 32)
                    edges.update(range(start, min(start + size, _TOP) + 1, step))
        ranges: list[tuple[int, int]] = []
        for first, end in itertools.pairwise(sorted(edges)):
            if not self.attributes(first).device:
                continue
            if ranges and ranges[-1][1] == first:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((first, end))
        return ranges


def default_is_device(address: int) -> bool:
    """Whether the default memory map makes an address Device or Strongly-ordered (table B3-1)."""
    return 0x4000_0000 <= address < 0x6000_0000 or address >= 0xA000_0000


def _covers(base: int, rasr: int, address: int) -> bool:
    """Whether a region covers an address, its disabled subregions (SRD) left out."""
    size = 2 << (rasr >> 1 & 0x1F)
    offset = address - (base & -size)
    if not 0 <= offset < size:
        return False
    return size < 256 or not rasr >> 8 & 1 << offset // (size // 8)
