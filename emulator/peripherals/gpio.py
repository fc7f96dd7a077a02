"""General-purpose I/O port of STM32H7 (RM0399, 11.4)."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers

_OUTPUT_MODE = 0b01


class Gpio(RegisterMap):
    """A port: BSRR sets and resets ODR; IDR shows the pins that are outputs, others read low."""

    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("MODER", 0x00, reset=0xFFFF_FFFF),
        *registers("OTYPER OSPEEDR PUPDR", 0x04),
        Register("IDR", 0x10, writable=0),
        Register("ODR", 0x14, writable=0xFFFF),
        *registers("BSRR LCKR AFRL AFRH", 0x18),
    )

    def on_read(self, name: str, value: int) -> int:
        """IDR follows ODR on outputs; BSRR is write-only."""
        if name != "IDR":
            return 0 if name == "BSRR" else value
        mode = self.values["MODER"]
        outputs = sum(1 << i for i in range(16) if mode >> 2 * i & 3 == _OUTPUT_MODE)
        return self.values["ODR"] & outputs

    def on_write(self, name: str, value: int, lanes: int) -> int:
        """BSRR: low half sets, high half resets, set wins."""
        if name != "BSRR":
            return value
        bits = value & lanes
        self.values["ODR"] = self.values["ODR"] & ~(bits >> 16) | bits & 0xFFFF
        return 0
