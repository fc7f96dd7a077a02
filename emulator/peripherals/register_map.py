"""What every peripheral is: a table of registers with storage, and hooks for what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol


class System(Protocol):
    """What a peripheral may ask of the machine it sits in."""

    @property
    def cycles(self) -> int:
        """Modelled core cycles since power-on."""

    def request_reset(self) -> None:
        """Reset the machine once the current basic block has ended."""

    def allow_floating_point(self, allowed: bool) -> None:
        """Let floating-point instructions run, or make them fault with NOCP."""

    def pend(self, exception: int, *, pending: bool = True) -> None:
        """Make an exception pending, or no longer so."""

    def is_pending(self, exception: int) -> bool:
        """Whether an exception is pending."""

    def set_timer(self, cycles: int | None) -> None:
        """Have SysTick's `on_timer` called once `cycles` has come; None never calls it."""

    def memory_attributes_changed(self) -> None:
        """Look at the MPU's regions again."""

    def forget_code(self) -> None:
        """Translate code afresh from memory, as after an instruction cache invalidation."""


@dataclass(frozen=True, slots=True)
class Register:
    """One 32-bit register.

    Attributes:
        name: As the manual spells it.
        offset: Byte offset from the peripheral's base.
        reset: Value after reset.
        writable: Bits that a write changes; the others keep their value.
    """

    name: str
    offset: int
    reset: int = 0
    writable: int = 0xFFFF_FFFF


def registers(names: str, start: int, *, reset: int = 0) -> tuple[Register, ...]:
    """Consecutive plain registers from space-separated names; `-` leaves a gap."""
    return tuple(
        Register(name, start + 4 * i, reset) for i, name in enumerate(names.split()) if name != "-"
    )


class AccessWidthError(Exception):
    """A register was accessed with a width that the bus does not take. Internal to the bus."""


class RegisterMap:
    """A peripheral: subclasses fill in the tables and override `on_read` and `on_write`.

    Offsets without a register read as zero and ignore writes, as reserved words on ST's buses do.

    Attributes:
        SIZE_BYTES: Address range taken on the bus.
        WIDTHS: Access widths in bytes that the manual allows.
        REGISTERS: The register table.
        READY: Per register, (on, ready) bit masks: `ready` reads as set whenever `on` is set.
    """

    SIZE_BYTES: ClassVar[int] = 0x400
    WIDTHS: ClassVar[tuple[int, ...]] = (4,)
    REGISTERS: ClassVar[tuple[Register, ...]] = ()
    READY: ClassVar[dict[str, tuple[tuple[int, int], ...]]] = {}

    def __init__(self, system: System, base: int) -> None:
        self.system = system
        self.base = base
        self.values: dict[str, int] = {}
        self._by_offset = {r.offset: r for r in self.REGISTERS}
        self.reset()

    def reset(self) -> None:
        """Put every register to its reset value."""
        self.values = {r.name: r.reset for r in self.REGISTERS}

    def read(self, offset: int, width_bytes: int) -> int:
        """Read from the bus.

        Raises:
            AccessWidthError: The manual does not allow this width or alignment.
        """
        register, shift = self._find(offset, width_bytes)
        if register is None:
            return 0
        value = self.values[register.name]
        for on, ready in self.READY.get(register.name, ()):
            value = value | ready if value & on else value & ~ready
        value = self.on_read(register.name, value) & 0xFFFF_FFFF
        return value >> shift & ((1 << 8 * width_bytes) - 1)

    def write(self, offset: int, width_bytes: int, value: int) -> None:
        """Write from the bus.

        Raises:
            AccessWidthError: The manual does not allow this width or alignment.
        """
        register, shift = self._find(offset, width_bytes)
        if register is None:
            return
        lanes = ((1 << 8 * width_bytes) - 1) << shift & register.writable
        old = self.values[register.name]
        new = self.on_write(register.name, old & ~lanes | value << shift & lanes, lanes)
        self.values[register.name] = new & 0xFFFF_FFFF

    def _find(self, offset: int, width_bytes: int) -> tuple[Register | None, int]:
        if width_bytes not in self.WIDTHS or offset % width_bytes:
            raise AccessWidthError
        return self._by_offset.get(offset & ~3), 8 * (offset & 3)

    def on_read(self, _name: str, value: int) -> int:
        """What a read of register `name`, which holds `value`, returns."""
        return value

    def on_write(self, _name: str, value: int, _lanes: int) -> int:
        """What register `name` holds after a write.

        Args:
            _name: The register.
            value: Old value with the written, writable bits replaced.
            _lanes: Mask of the bits that were written.
        """
        return value
