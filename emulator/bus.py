"""The peripheral bus: which peripheral answers at which address."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from emulator.errors import BoardError
from emulator.peripherals import CORE_PERIPHERALS, PERIPHERALS
from emulator.peripherals.debug import CoreDebug
from emulator.peripherals.dwt import Dwt
from emulator.peripherals.mpu import Mpu
from emulator.peripherals.register_map import AccessWidthError
from emulator.peripherals.scb import Scb
from emulator.peripherals.systick import SysTick
from emulator.peripherals.usart import Console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emulator.board import Board
    from emulator.core import Core
    from emulator.peripherals.register_map import RegisterMap, System

_PAGE_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class RefusedAccess:
    """An access whose width or alignment the peripheral, or the core, does not take."""

    address: int
    width_bytes: int
    access: str
    misaligned: bool = False


class Bus:
    """All peripherals of a board, mapped into a core.

    Attributes:
        console: Host end of the console USART.
        scb: The core's system control block.
        mpu: Its memory protection unit.
        systick: Its timer.
        peripherals: By name; those of the core under their class names.
        refused: The access that was refused, until the machine has dealt with it.
    """

    def __init__(self, board: Board, core: Core, system: System) -> None:
        self._core = core
        self.refused: RefusedAccess | None = None
        self.peripherals: dict[str, RegisterMap] = {}
        console = board.peripheral(board.console.peripheral)
        self.console = Console(core, console.base)
        for spec in board.peripherals:
            kind = PERIPHERALS.get(spec.type)
            if kind is None:
                known = ", ".join(sorted(PERIPHERALS))
                message = f"is of unknown type {spec.type!r}; known: {known}"
                raise BoardError(message, path=None, key=f"peripheral {spec.name}", got=spec.type)
            if spec != console:
                self.peripherals[spec.name] = kind(system, spec.base)
        debug = CoreDebug(system, CORE_PERIPHERALS[CoreDebug])
        for kind, base in CORE_PERIPHERALS.items():
            if kind is CoreDebug:
                self.peripherals[kind.__name__] = debug
            elif kind is Dwt:
                self.peripherals[kind.__name__] = Dwt(system, base, debug)
            else:
                self.peripherals[kind.__name__] = kind(system, base)
        scb = self.peripherals[Scb.__name__]
        assert isinstance(scb, Scb)
        self.scb = scb
        mpu = self.peripherals[Mpu.__name__]
        assert isinstance(mpu, Mpu)
        self.mpu = mpu
        systick = self.peripherals[SysTick.__name__]
        assert isinstance(systick, SysTick)
        self.systick = systick
        for start, end, members in self._spans():
            _Span(self, start, members).map(core, end - start)

    def _spans(self) -> Iterator[tuple[int, int, list[RegisterMap]]]:
        """Runs of whole pages that hold peripherals."""
        start = end = 0
        members: list[RegisterMap] = []
        for peripheral in sorted(self.peripherals.values(), key=lambda p: p.base):
            first = peripheral.base & -_PAGE_BYTES
            last = (peripheral.base + peripheral.SIZE_BYTES + _PAGE_BYTES - 1) & -_PAGE_BYTES
            if members and first <= end:
                members.append(peripheral)
                end = max(end, last)
                continue
            if members:
                yield start, end, members
            start, end, members = first, last, [peripheral]
        if members:
            yield start, end, members

    def reset(self, *, power_on: bool) -> None:
        """Reset every peripheral; the debug units only at power-on (ARMv7-M ARM, C1.2)."""
        self.refused = None
        self.console.reset()
        for peripheral in self.peripherals.values():
            if power_on or not isinstance(peripheral, (CoreDebug, Dwt)):
                peripheral.reset()

    def refuse(self, address: int, width_bytes: int, access: str) -> None:
        """Note a refused access and stop the core within it."""
        if self.refused is None:
            self.refused = RefusedAccess(address, width_bytes, access)
        self._core.refuse_access()

    def misaligned(self, address: int, width_bytes: int, access: str) -> None:
        """Note an access that had to be aligned and stop the core within it."""
        if self.refused is None:
            self.refused = RefusedAccess(address, width_bytes, access, misaligned=True)
        self._core.refuse_access()


class _Span:
    """A run of pages with the peripherals in it."""

    def __init__(self, bus: Bus, start: int, members: list[RegisterMap]) -> None:
        self._bus = weakref.ref(bus)
        self._start = start
        self._members = members

    def map(self, core: Core, size_bytes: int) -> None:
        core.map_mmio(self._start, size_bytes, self._read, self._write)

    def _find(self, address: int) -> RegisterMap | None:
        for member in self._members:
            if member.base <= address < member.base + member.SIZE_BYTES:
                return member
        return None

    def _read(self, offset: int, width: int) -> int:
        address = self._start + offset
        member = self._find(address)
        try:
            return member.read(address - member.base, width) if member is not None else 0
        except AccessWidthError:
            self._refuse(address, width, "read")
            return 0

    def _write(self, offset: int, width: int, value: int) -> None:
        address = self._start + offset
        member = self._find(address)
        try:
            if member is not None:
                member.write(address - member.base, width, value)
        except AccessWidthError:
            self._refuse(address, width, "write")

    def _refuse(self, address: int, width: int, access: str) -> None:
        bus = self._bus()
        if bus is not None:
            bus.refuse(address, width, access)
