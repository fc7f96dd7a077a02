"""Nested Vectored Interrupt Controller registers (ARMv7-M ARM B3.4), kept and read back."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap

_BANKS = 5  # 150 interrupts on STM32H747 (RM0399, chapter 19)


def _bank(name: str, offset: int, count: int) -> tuple[Register, ...]:
    return tuple(Register(f"{name}{i}", offset + 4 * i) for i in range(count))


class Nvic(RegisterMap):
    """Enable, pending and priority registers. No peripheral here raises an interrupt."""

    SIZE_BYTES: ClassVar[int] = 0x3F0
    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        *_bank("ISER", 0x000, _BANKS),
        *_bank("ICER", 0x080, _BANKS),
        *_bank("ISPR", 0x100, _BANKS),
        *_bank("ICPR", 0x180, _BANKS),
        *_bank("IABR", 0x200, _BANKS),
        *_bank("IPR", 0x300, 8 * _BANKS),
    )

    def on_read(self, name: str, value: int) -> int:
        """The clear registers read as the set registers do."""
        if name[:4] in ("ICER", "ICPR"):
            return self.values[name.replace("IC", "IS", 1)]
        return value

    def on_write(self, name: str, value: int, lanes: int) -> int:
        """Writing one sets or clears."""
        kind, number = name[:4], name[4:]
        written = value & lanes
        if kind in ("ISER", "ISPR"):
            return self.values[name] | written
        if kind in ("ICER", "ICPR"):
            self.values[f"IS{kind[2:]}{number}"] &= ~written
            return 0
        return value if kind.startswith("IPR") else self.values[name]
