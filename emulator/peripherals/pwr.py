"""Power control of STM32H745/755/747/757 (RM0399, 7.8): every supply is ready at once."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap

_D3CR_VOS = 3 << 14
_D3CR_VOSRDY = 1 << 13
_CSR1_ACTVOSRDY = 1 << 13
_CR3_USB33RDY_SMPSEXTRDY = 1 << 26 | 1 << 16


class Pwr(RegisterMap):
    """VOSRDY and ACTVOSRDY read as set; ACTVOS repeats VOS."""

    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("CR1", 0x00, reset=0xF000_C000),
        Register("CSR1", 0x04, reset=0x0000_4000, writable=0),
        Register("CR2", 0x08),
        Register("CR3", 0x0C, reset=0x0000_0046),
        Register("CPU1CR", 0x10),
        Register("CPU2CR", 0x14),
        Register("D3CR", 0x18, reset=0x0000_4000),
        Register("WKUPCR", 0x20),
        Register("WKUPFR", 0x24),
        Register("WKUPEPR", 0x28),
    )
    READY: ClassVar[dict[str, tuple[tuple[int, int], ...]]] = {
        "CR2": ((1 << 0, 1 << 16),),  # BREN, BRRDY
    }

    def on_read(self, name: str, value: int) -> int:
        """Voltage scaling takes effect at once."""
        if name == "D3CR":
            return value | _D3CR_VOSRDY
        if name == "CSR1":
            return self.values["D3CR"] & _D3CR_VOS | _CSR1_ACTVOSRDY
        return value | _CR3_USB33RDY_SMPSEXTRDY if name == "CR3" else value
