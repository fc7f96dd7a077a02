"""Core debug registers (ARMv7-M ARM C1.6): DEMCR.TRCENA gates the trace units."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from emulator.peripherals.register_map import Register, RegisterMap

if TYPE_CHECKING:
    from collections.abc import Callable

DEMCR_TRCENA = 1 << 24


class CoreDebug(RegisterMap):
    """DHCSR, DCRSR, DCRDR and DEMCR, with no debugger attached."""

    SIZE_BYTES: ClassVar[int] = 0x10
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("DHCSR", 0x0, writable=0),
        Register("DCRSR", 0x4, writable=0),
        Register("DCRDR", 0x8),
        Register("DEMCR", 0xC, writable=0x010F_07F1),
    )
    _observer: Callable[[], None] | None = None

    def on_change(self, observer: Callable[[], None]) -> None:
        """Call `observer` after each write to DEMCR."""
        self._observer = observer

    def on_write(self, name: str, value: int, _lanes: int) -> int:
        """Tell the DWT that tracing went on or off."""
        self.values[name] = value
        if name == "DEMCR" and self._observer is not None:
            self._observer()
        return value
