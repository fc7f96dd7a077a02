"""Cache maintenance registers of Cortex-M7 (ARMv7-M ARM B3.2.25). There are no caches here."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers


class CacheMaintenance(RegisterMap):
    """Write-only maintenance operations.

    Data cache operations do nothing. An instruction cache invalidation makes the emulator
    translate code afresh, so code that was changed in memory runs changed after it, and as on
    the chip perhaps only after it.
    """

    SIZE_BYTES: ClassVar[int] = 0x28
    REGISTERS: ClassVar[tuple[Register, ...]] = registers(
        "ICIALLU - ICIMVAU DCIMVAC DCISW DCCMVAU DCCMVAC DCCSW DCCIMVAC DCCISW", 0x00
    )

    def on_write(self, name: str, _value: int, _lanes: int) -> int:
        """Act on instruction cache invalidation; nothing is stored."""
        if name in ("ICIALLU", "ICIMVAU"):
            self.system.forget_code()
        return 0
