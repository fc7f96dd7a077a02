"""Data Watchpoint and Trace unit: the cycle counter (ARMv7-M ARM C1.8, Cortex-M7 TRM ch. 11)."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.debug import DEMCR_TRCENA, CoreDebug
from emulator.peripherals.register_map import Register, RegisterMap, System, registers

LAR_KEY = 0xC5AC_CE55
_CTRL_CYCCNTENA = 1 << 0
_LSR_PRESENT = 1 << 0
_LSR_LOCKED = 1 << 1


class Dwt(RegisterMap):
    """DWT with CYCCNT, and the lock that Cortex-M7 puts in front of it.

    While LAR has not been written with its key, writes are ignored (field failure 51). CYCCNT
    counts modelled cycles while DEMCR.TRCENA and CTRL.CYCCNTENA are set, with the precision of a
    basic block.
    """

    SIZE_BYTES: ClassVar[int] = 0x1000
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("CTRL", 0x00, reset=0x4000_0000, writable=0x0FFF_FFFF),
        *registers("CYCCNT CPICNT EXCCNT SLEEPCNT LSUCNT FOLDCNT", 0x04),
        Register("PCSR", 0x1C, writable=0),
        *registers("COMP0 MASK0 FUNCTION0 - COMP1 MASK1 FUNCTION1 -", 0x20),
        *registers("COMP2 MASK2 FUNCTION2 - COMP3 MASK3 FUNCTION3 -", 0x40),
        Register("LAR", 0xFB0),
        Register("LSR", 0xFB4, writable=0),
    )

    def __init__(self, system: System, base: int, debug: CoreDebug) -> None:
        self._debug = debug
        self._locked = True
        self._counted_from: int | None = None
        super().__init__(system, base)
        debug.on_change(self._settle)

    def reset(self) -> None:
        """Power-on reset: locked, counter stopped at zero."""
        super().reset()
        self._locked = True
        self._counted_from = None

    def _settle(self) -> None:
        """Bring CYCCNT up to now, and start or stop it as the enable bits say."""
        now = self.system.cycles
        if self._counted_from is not None:
            elapsed = now - self._counted_from
            self.values["CYCCNT"] = (self.values["CYCCNT"] + elapsed) & 0xFFFF_FFFF
        traced = self._debug.values["DEMCR"] & DEMCR_TRCENA
        counting = traced and self.values["CTRL"] & _CTRL_CYCCNTENA
        self._counted_from = now if counting else None

    def on_read(self, name: str, value: int) -> int:
        """CYCCNT counts; LSR tells the lock; LAR is write-only."""
        if name == "CYCCNT":
            self._settle()
            return self.values["CYCCNT"]
        if name == "LSR":
            return _LSR_PRESENT | (_LSR_LOCKED if self._locked else 0)
        return 0 if name == "LAR" else value

    def on_write(self, name: str, value: int, _lanes: int) -> int:
        """LAR opens or closes the lock; everything else obeys it."""
        if name == "LAR":
            self._locked = value != LAR_KEY
            return 0
        if self._locked:
            return self.values[name]
        self._settle()
        self.values[name] = value
        self._settle()
        return self.values[name]
