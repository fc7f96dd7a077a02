"""Reset and Clock Control of STM32H745/755/747/757 (RM0399, 9.7): clocks are ready at once."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers

_CFGR_SW = 0x7
_CFGR_SWS_SHIFT = 3
_CR_D1CKRDY_D2CKRDY = 3 << 14
_ENABLES = (
    "AHB3ENR AHB1ENR AHB2ENR AHB4ENR APB3ENR APB1LENR APB1HENR APB2ENR APB4ENR - "
    "AHB3LPENR AHB1LPENR AHB2LPENR AHB4LPENR APB3LPENR APB1LLPENR APB1HLPENR APB2LPENR APB4LPENR"
)


def _of_core(core: int) -> str:
    return " ".join(n if n == "-" else f"C{core}_{n}" for n in f"RSR {_ENABLES}".split())


class Rcc(RegisterMap):
    """Oscillators and PLLs report ready as soon as they are on; SWS follows SW."""

    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("CR", 0x00, reset=0x0000_0083),
        Register("HSICFGR", 0x04, reset=0x4000_0000),
        Register("CRRCR", 0x08, writable=0),
        Register("CSICFGR", 0x0C, reset=0x2000_0000),
        *registers("CFGR - D1CFGR D2CFGR D3CFGR", 0x10),
        Register("PLLCKSELR", 0x28, reset=0x0202_0200),
        Register("PLLCFGR", 0x2C, reset=0x01FF_0000),
        Register("PLL1DIVR", 0x30, reset=0x0101_0280),
        Register("PLL1FRACR", 0x34),
        Register("PLL2DIVR", 0x38, reset=0x0101_0280),
        Register("PLL2FRACR", 0x3C),
        Register("PLL3DIVR", 0x40, reset=0x0101_0280),
        Register("PLL3FRACR", 0x44),
        *registers("D1CCIPR D2CCIP1R D2CCIP2R D3CCIPR - CIER CIFR CICR - BDCR CSR", 0x4C),
        *registers(
            "AHB3RSTR AHB1RSTR AHB2RSTR AHB4RSTR APB3RSTR APB1LRSTR APB1HRSTR APB2RSTR APB4RSTR "
            "GCR - D3AMR",
            0x7C,
        ),
        Register("RSR", 0xD0, reset=0x00E8_0000),
        *registers(_ENABLES, 0xD4),
        *registers(_of_core(1), 0x130),
        *registers(_of_core(2), 0x190),
    )
    READY: ClassVar[dict[str, tuple[tuple[int, int], ...]]] = {
        "CR": (
            (1 << 0, 1 << 2),  # HSION, HSIRDY
            (1 << 7, 1 << 8),  # CSION, CSIRDY
            (1 << 12, 1 << 13),  # HSI48ON, HSI48RDY
            (1 << 16, 1 << 17),  # HSEON, HSERDY
            (1 << 24, 1 << 25),  # PLL1ON, PLL1RDY
            (1 << 26, 1 << 27),  # PLL2ON, PLL2RDY
            (1 << 28, 1 << 29),  # PLL3ON, PLL3RDY
        ),
        "BDCR": ((1 << 0, 1 << 1),),  # LSEON, LSERDY
        "CSR": ((1 << 0, 1 << 1),),  # LSION, LSIRDY
    }

    def on_read(self, name: str, value: int) -> int:
        """SWS repeats SW; both domain clocks are ready."""
        if name == "CFGR":
            return value & ~(_CFGR_SW << _CFGR_SWS_SHIFT) | (value & _CFGR_SW) << _CFGR_SWS_SHIFT
        return value | _CR_D1CKRDY_D2CKRDY if name == "CR" else value
