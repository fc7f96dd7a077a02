"""SysTick timer (ARMv7-M ARM B3.3), counting modelled cycles."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap

_CTRL_ENABLE = 1 << 0
_CTRL_TICKINT = 1 << 1
_CTRL_COUNTFLAG = 1 << 16


EXCEPTION = 15


class SysTick(RegisterMap):
    """CTRL, LOAD, VAL and CALIB; the value follows from the cycles since it was last loaded."""

    SIZE_BYTES: ClassVar[int] = 0x10
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("CTRL", 0x0, writable=0x7),
        Register("LOAD", 0x4, writable=0x00FF_FFFF),
        Register("VAL", 0x8),
        Register("CALIB", 0xC, reset=0x4000_0000, writable=0),
    )

    def reset(self) -> None:
        """Stopped at zero."""
        super().reset()
        self._loaded_at = 0
        self._wraps_seen = 0
        self._due: int | None = None

    def on_read(self, name: str, value: int) -> int:
        """VAL counts down; CTRL tells once whether it passed zero."""
        if not self.values["CTRL"] & _CTRL_ENABLE or name not in ("CTRL", "VAL"):
            return value
        period = self.values["LOAD"] + 1
        elapsed = self.system.cycles - self._loaded_at
        if name == "VAL":
            return self.values["LOAD"] - elapsed % period if period > 1 else 0
        wraps = elapsed // period
        passed, self._wraps_seen = wraps > self._wraps_seen, wraps
        return value | (_CTRL_COUNTFLAG if passed else 0)

    def on_write(self, name: str, value: int, _lanes: int) -> int:
        """Enabling the timer, or any write to VAL, starts a period."""
        enabling = name == "CTRL" and value & ~self.values["CTRL"] & _CTRL_ENABLE
        if name == "VAL" or enabling:
            self._loaded_at, self._wraps_seen = self.system.cycles, 0
        self.values[name] = 0 if name == "VAL" else value
        self._schedule()
        return self.values[name]

    def _schedule(self) -> None:
        both = _CTRL_ENABLE | _CTRL_TICKINT
        period = self.values["LOAD"] + 1
        if self.values["CTRL"] & both == both and period > 1:
            passed = (self.system.cycles - self._loaded_at) // period
            self._due = self._loaded_at + (passed + 1) * period
        else:
            self._due = None
        self.system.set_timer(self._due)

    @property
    def due(self) -> int | None:
        """When it next raises its exception, in cycles since power-on; None for never."""
        return self._due

    def on_timer(self) -> None:
        """Raise the exception if it is time."""
        if self._due is not None and self.system.cycles >= self._due:
            self.system.pend(EXCEPTION)
        self._schedule()
