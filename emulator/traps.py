"""What the core does about faults, supervisor calls and exception returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emulator.blocks import instruction_starts
from emulator.bus import RefusedAccess
from emulator.errors import FaultError, InternalError, LockupError, MemoryAccessError
from emulator.events import Event, EventKind
from emulator.exceptions import Exceptions, ReturnError, StackError
from emulator.faults import HARD_FAULT, Fault, FaultKind
from emulator.native import layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from emulator.blocks import BlockDecoder
    from emulator.bus import Bus
    from emulator.core import Core

_QEMU_UDEF, _QEMU_SVC, _QEMU_BKPT, _QEMU_EXCEPTION_EXIT = 1, 2, 7, 8
_QEMU_NOCP, _QEMU_INVSTATE = 17, 18
_EXC_RETURN: Final = 0xFFFF_FF00  # fetches from here up are exception returns
_CFSR_MMARVALID, _CFSR_BFARVALID = 1 << 7, 1 << 15
_HFSR_FORCED: Final = 1 << 30
_MASKED_RETRY_CYCLES: Final = 200  # until a masked exception is looked at again
_HINTS: Final = {0xBF10: "YIELD", 0xBF20: "WFE"}


class Traps:
    """Turns events of the core into faults and exceptions.

    Attributes:
        last_fault: The most recent fault, or None.
        raise_faults: Raise `FaultError` at each fault instead of entering a handler.
    """

    def __init__(
        self, core: Core, bus: Bus, decoder: BlockDecoder, symbolize: Callable[[int], str]
    ) -> None:
        self.last_fault: Fault | None = None
        self.raise_faults = False
        self._core = core
        self._bus = bus
        self._decoder = decoder
        self._symbolize = symbolize
        self._exceptions = Exceptions(core, bus.scb)

    def reset(self) -> None:
        """No exception is active."""
        self._exceptions.reset()

    def pend(self, number: int, *, pending: bool) -> None:
        """Make an exception pending, or no longer so."""
        if pending:
            self._exceptions.pending.add(number)
        else:
            self._exceptions.pending.discard(number)

    def is_pending(self, number: int) -> bool:
        """Whether an exception is pending."""
        return number in self._exceptions.pending

    def take_pending(self) -> None:
        """Enter a pending exception if the core may take one now; else look again soon.

        Called at points that depend on the firmware alone, never on how its run is sliced.
        """
        if not self._exceptions.pending:
            return
        try:
            self._exceptions.take_pending(self._core.pc)
        except StackError:
            self._bus.scb.values["CFSR"] |= FaultKind.STKERR.status_bit
        except MemoryAccessError:
            self._fault(FaultKind.VECTTBL, in_block=False)
        if self._exceptions.pending:
            now = int(self._core.state[layout.MODELLED_CYCLES])
            soon = now + _MASKED_RETRY_CYCLES
            due = self._bus.systick.due
            self._core.stop_at_cycle(soon if due is None else min(due, soon))

    def handle(self, event: Event) -> EventKind | None:
        """Deal with an event.

        Returns:
            WAIT_FOR_INTERRUPT if the instruction turned out to wait, else None.

        Raises:
            FaultError: The firmware faulted and `raise_faults` is set.
            LockupError: The firmware faulted where the core cannot take the fault.
        """
        match event.kind:
            case EventKind.ACCESS_REFUSED:
                self._refused_access()
            case EventKind.BLOCK_REFUSED:
                self._refused_block()
            case EventKind.EXCEPTION:
                self._exception(event.number)
            case EventKind.MEMORY:
                self._memory(event)
            case EventKind.UNDEFINED:
                return self._undefined()
            case EventKind.INVALID_STATE:
                self._fault(FaultKind.INVSTATE)
            case other:
                raise InternalError(f"unexpected event {other.value!r}", code=0, pc=self._core.pc)
        return None

    def _refused_access(self) -> None:
        """An access of a width the register does not take, or one that is not aligned."""
        wrong = int(self._core.state[layout.USART_WRONG_WIDTH])
        refused, self._bus.refused = self._bus.refused, None
        if refused is None:
            address = self._bus.console.base + (wrong >> 8 & 0xFF_FFFF)
            refused = RefusedAccess(address, wrong & 0xFF, "write" if wrong >> 32 else "read")
        self._fault(
            FaultKind.UNALIGNED if refused.misaligned else FaultKind.PRECISERR,
            access=refused.access,
            address=refused.address,
            width_bytes=refused.width_bytes,
        )

    def _undefined(self) -> EventKind | None:
        start, end = self._last_block()
        pc = self._core.pc
        if not self._core.thumb:
            self._fault(FaultKind.INVSTATE)
            return None
        if pc == end and start < pc:  # past the instruction: a hint, which Unicorn reports so
            hint = _HINTS.get(int.from_bytes(self._core.read(pc - 2, 2), "little"))
            return EventKind.WAIT_FOR_INTERRUPT if hint == "WFE" else None
        self._fault(FaultKind.UNDEFINSTR)
        return None

    def _exception(self, number: int) -> None:
        pc = self._core.pc
        if number == _QEMU_SVC:
            if not self._exceptions.supervisor_call(pc):
                self._fault(FaultKind.SVC)
        elif number == _QEMU_EXCEPTION_EXIT:
            self._return(pc)
        else:
            kinds = {
                _QEMU_UDEF: FaultKind.UNDEFINSTR,
                _QEMU_BKPT: FaultKind.DEBUGEVT,
                _QEMU_NOCP: FaultKind.NOCP,
                _QEMU_INVSTATE: FaultKind.INVSTATE,
            }
            if number not in kinds:
                raise InternalError("unknown exception", code=number, pc=pc)
            self._fault(kinds[number])

    def _return(self, exc_return: int) -> None:
        try:
            self._exceptions.leave(exc_return | 1)
            self.take_pending()
        except ReturnError:
            self._fault(FaultKind.INVPC)
        except StackError as error:
            self._fault(FaultKind.UNSTKERR, access="read", address=error.address, width_bytes=4)

    def _memory(self, event: Event) -> None:
        address = event.address
        if event.access == "fetch":
            if address >= _EXC_RETURN and self._exceptions.active:
                self._return(address)
                return
            never = address >= 0xA000_0000 or 0x4000_0000 <= address < 0x6000_0000
            kind = FaultKind.IBUSERR if event.unmapped and not never else FaultKind.IACCVIOL
            self._fault(kind, access="fetch", address=address, width_bytes=event.width_bytes)
            return
        attributes = self._bus.mpu.attributes(address)
        allowed = attributes.writable if event.access == "write" else attributes.readable
        self._fault(
            FaultKind.PRECISERR if allowed else FaultKind.DACCVIOL,
            access=event.access,
            address=address,
            width_bytes=event.width_bytes,
        )

    def _last_block(self) -> tuple[int, int]:
        row = int(self._core.state[layout.LAST_BLOCK])
        key = int(self._core.state[row + layout.BLOCK_KEY])
        return key >> 16, (key >> 16) + (key & 0xFFFF)

    def _refused_block(self) -> None:
        """CPACR denies floating point and the next block has some: run up to it, then fault."""
        start = self._core.pc
        address = self._decoder.first_floating_point(start, self._core.read)
        if address != start:
            event = self._core.run_to(address)
            if event is not None:
                self.handle(event)
                return
        self._fault(FaultKind.NOCP, in_block=False)

    # Faults.

    def _fault(
        self,
        kind: FaultKind,
        *,
        access: str = "",
        address: int | None = None,
        width_bytes: int | None = None,
        in_block: bool = True,
    ) -> None:
        pc = self._core.pc
        if in_block and access != "fetch":
            self._settle_count(pc, kind)
        first = self.last_fault if self._exceptions.active else None
        takes = self._exceptions.can_take(kind.exception)
        values = self._bus.scb.values
        if kind.exception == HARD_FAULT:
            values["HFSR"] |= kind.status_bit
        else:
            values["CFSR"] |= kind.status_bit
            values["HFSR"] |= 0 if takes else _HFSR_FORCED
            if kind is FaultKind.PRECISERR and address is not None:
                values["BFAR"], values["CFSR"] = address, values["CFSR"] | _CFSR_BFARVALID
            if kind is FaultKind.DACCVIOL and address is not None:
                values["MMFAR"], values["CFSR"] = address, values["CFSR"] | _CFSR_MMARVALID
        fault = Fault(
            kind=kind,
            pc=pc,
            symbol=self._symbolize(pc),
            access=access,
            address=address,
            width_bytes=width_bytes,
            escalated=not takes and kind.exception != HARD_FAULT,
            cfsr=values["CFSR"],
            hfsr=values["HFSR"],
            mmfar=values["MMFAR"],
            bfar=values["BFAR"],
            note=self._note(address),
        )
        self.last_fault = fault
        if self.raise_faults:
            raise FaultError(fault)
        number = kind.exception if takes else HARD_FAULT
        if not self._exceptions.can_take(number):
            raise LockupError(fault, first)
        self._enter(number, fault)

    def _enter(self, number: int, fault: Fault) -> None:
        try:
            self._exceptions.enter(number, self._core.pc)
        except StackError:
            self._bus.scb.values["CFSR"] |= FaultKind.STKERR.status_bit
        except MemoryAccessError as error:
            raise LockupError(fault, None) from error

    def _settle_count(self, pc: int, kind: FaultKind) -> None:
        """Take back the instructions of the last block that did not complete."""
        start, end = self._last_block()
        if kind is not FaultKind.SVC and start <= pc < end:
            code = self._core.read(start, end - start)
            left = sum(1 for at in instruction_starts(code) if start + at >= pc)
            self._core.state[layout.INSTRUCTIONS] -= left

    def _note(self, address: int | None) -> str:
        if address is None:
            return ""
        memory = self._core.memory_at(address)
        if memory is not None:
            return f"{memory.name}, {memory.access}"
        return "no memory or peripheral there" if not self._is_mapped(address) else ""

    def _is_mapped(self, address: int) -> bool:
        return any(start <= address <= end for start, end, _ in self._core.uc.mem_regions())
