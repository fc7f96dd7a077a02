"""Exception entry and return (ARMv7-M ARM, B1.5), for the exceptions of the core itself.

Simplifications: the floating-point registers are stacked at once, not lazily; there is no
tail-chaining; of asynchronous exceptions there are PendSV and SysTick only.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from unicorn import arm_const as arm

from emulator.errors import MemoryAccessError
from emulator.faults import BUS_FAULT, HARD_FAULT, MEM_MANAGE, SV_CALL, USAGE_FAULT
from emulator.native import layout

if TYPE_CHECKING:
    from emulator.core import Core
    from emulator.peripherals.scb import Scb

_CONTROL_SPSEL: Final = 1 << 1
_CONTROL_FPCA: Final = 1 << 2
_XPSR_T: Final = 1 << 24
_XPSR_ALIGNED: Final = 1 << 9  # stacked xPSR: the frame was moved down by 4 to align it
_XPSR_IT: Final = 0x0600_FC00
_XPSR_EXCEPTION: Final = 0x1FF
_BASIC_FRAME: Final = struct.Struct("<8I")
_FP_FRAME: Final = struct.Struct("<18I")
_FRAME_REGISTERS: Final = (
    arm.UC_ARM_REG_R0,
    arm.UC_ARM_REG_R1,
    arm.UC_ARM_REG_R2,
    arm.UC_ARM_REG_R3,
    arm.UC_ARM_REG_R12,
    arm.UC_ARM_REG_LR,
)
_FP_REGISTERS: Final = tuple(arm.UC_ARM_REG_S0 + i for i in range(16))
_RETURNS: Final = {0x1: "handler", 0x9: "thread on MSP", 0xD: "thread on PSP"}

# SHCSR enable bits of the faults with one (B3.2.13).
_SHCSR_ENABLES: Final = {MEM_MANAGE: 1 << 16, BUS_FAULT: 1 << 17, USAGE_FAULT: 1 << 18}
_THREAD_PRIORITY: Final = 256
_ENTRY_CYCLES: Final = 12  # Arm's figure for interrupt latency without wait states


class StackError(Exception):
    """The stack frame is not in memory. Internal to the package."""

    def __init__(self, address: int) -> None:
        super().__init__(f"{address:#x}")
        self.address = address


class ReturnError(Exception):
    """An EXC_RETURN value that the state of the core does not allow. Internal to the package."""


class Exceptions:
    """The exceptions in progress on one core."""

    def __init__(self, core: Core, scb: Scb) -> None:
        self._core = core
        self._scb = scb
        self.active: list[int] = []
        self.pending: set[int] = set()

    def reset(self) -> None:
        """No exception is active or pending."""
        self.active.clear()
        self.pending.clear()

    def priority(self, number: int) -> int:
        """Priority of an exception; lower goes first."""
        if number == HARD_FAULT:
            return -1
        shpr = self._scb.values[f"SHPR{number // 4}"]
        return shpr >> 8 * (number % 4) & 0xF0

    def execution_priority(self) -> int:
        """Priority at which the core runs now (B1.5.4)."""
        core = self._core
        now = min((self.priority(n) for n in self.active), default=_THREAD_PRIORITY)
        basepri = core.register(arm.UC_ARM_REG_BASEPRI) & 0xF0
        if basepri:
            now = min(now, basepri)
        if core.register(arm.UC_ARM_REG_PRIMASK) & 1:
            now = min(now, 0)
        if core.register(arm.UC_ARM_REG_FAULTMASK) & 1:
            now = min(now, -1)
        return now

    def can_take(self, number: int) -> bool:
        """Whether the exception is enabled and may preempt what runs now."""
        enable = _SHCSR_ENABLES.get(number, 0)
        if enable and not self._scb.values["SHCSR"] & enable:
            return False
        return self.priority(number) < self.execution_priority()

    def vector(self, number: int) -> int:
        """Handler address, with the Thumb bit.

        Raises:
            MemoryAccessError: The vector table is not in memory.
        """
        return self._core.read_word((self._scb.values["VTOR"] + 4 * number) & 0xFFFF_FFFF)

    def enter(self, number: int, return_address: int) -> None:
        """Stack the frame and go to the handler.

        Raises:
            StackError: The frame does not fit in memory; the handler is entered all the same.
            MemoryAccessError: The vector table is not in memory; nothing was changed.
        """
        core = self._core
        handler = self.vector(number)
        control = core.register(arm.UC_ARM_REG_CONTROL)
        with_fp = bool(control & _CONTROL_FPCA)
        in_handler = bool(self.active)
        xpsr = core.register(arm.UC_ARM_REG_XPSR)
        stack = core.register(arm.UC_ARM_REG_SP)
        frame = stack - _BASIC_FRAME.size - (_FP_FRAME.size if with_fp else 0)
        padding = frame & 4
        frame = (frame - padding) & 0xFFFF_FFFF
        values = [core.register(r) for r in _FRAME_REGISTERS]
        values += [return_address, xpsr & ~_XPSR_ALIGNED | (_XPSR_ALIGNED if padding else 0)]
        data = _BASIC_FRAME.pack(*values)
        if with_fp:
            fp = [core.register(r) for r in _FP_REGISTERS]
            data += _FP_FRAME.pack(*fp, core.register(arm.UC_ARM_REG_FPSCR), 0)
        error = self._store(frame, data)
        core.set_register(arm.UC_ARM_REG_SP, frame)
        on_psp = not in_handler and bool(control & _CONTROL_SPSEL)
        exc_return = 0xFFFF_FFE0 | (0 if with_fp else 0x10)
        exc_return |= 0x1 if in_handler else 0xD if on_psp else 0x9
        self.active.append(number)
        core.state[layout.MODELLED_CYCLES] += _ENTRY_CYCLES
        self._set_xpsr(xpsr & ~(_XPSR_EXCEPTION | _XPSR_IT) | number | _XPSR_T)
        core.set_register(arm.UC_ARM_REG_CONTROL, control & ~(_CONTROL_SPSEL | _CONTROL_FPCA))
        core.set_register(arm.UC_ARM_REG_LR, exc_return)
        core.set_pc(handler)
        if error is not None:
            raise error

    def _store(self, frame: int, data: bytes) -> StackError | None:
        memory = self._core.memory_at(frame)
        if memory is None or not memory.writable or frame + len(data) > memory.end:
            return StackError(frame)
        self._core.write(frame, data)
        return None

    def _set_xpsr(self, xpsr: int) -> None:
        """Set all of xPSR; a change of mode also changes which stack pointer SP is."""
        core = self._core
        core.set_register(arm.UC_ARM_REG_XPSR_NZCVQG, xpsr)
        # Unicorn derives its translation flags (handler mode) only on some writes; this is one.
        core.set_register(arm.UC_ARM_REG_APSR_NZCV, xpsr & 0xF000_0000)

    def leave(self, exc_return: int) -> None:
        """Return from the handler that runs.

        Raises:
            ReturnError: No exception is active or the value contradicts the state.
            StackError: The frame is not in memory.
        """
        core = self._core
        target = _RETURNS.get(exc_return & 0xF)
        nested = len(self.active) > 1
        if not self.active or target is None or (target == "handler") != nested:
            raise ReturnError
        with_fp = not exc_return & 0x10
        on_psp = target == "thread on PSP"
        pointer = arm.UC_ARM_REG_PSP if on_psp else arm.UC_ARM_REG_SP
        frame = core.register(pointer)
        size = _BASIC_FRAME.size + (_FP_FRAME.size if with_fp else 0)
        try:
            data = core.read(frame, size)
        except MemoryAccessError as error:
            raise StackError(frame) from error
        *values, pc, xpsr = _BASIC_FRAME.unpack_from(data)
        left = self.active.pop()
        number = self.active[-1] if nested else 0
        if left != HARD_FAULT:
            core.set_register(arm.UC_ARM_REG_FAULTMASK, 0)
        control = core.register(arm.UC_ARM_REG_CONTROL) & ~(_CONTROL_SPSEL | _CONTROL_FPCA)
        self._set_xpsr(xpsr & ~(_XPSR_EXCEPTION | _XPSR_ALIGNED) | number | _XPSR_T)
        if not nested:
            control |= _CONTROL_SPSEL if on_psp else 0
        core.set_register(arm.UC_ARM_REG_CONTROL, control | (_CONTROL_FPCA if with_fp else 0))
        core.set_register(arm.UC_ARM_REG_SP, frame + size + (4 if xpsr & _XPSR_ALIGNED else 0))
        for register, value in zip(_FRAME_REGISTERS, values, strict=True):
            core.set_register(register, value)
        if with_fp:
            *fp, fpscr, _ = _FP_FRAME.unpack_from(data, _BASIC_FRAME.size)
            for register, value in zip(_FP_REGISTERS, fp, strict=True):
                core.set_register(register, value)
            core.set_register(arm.UC_ARM_REG_FPSCR, fpscr)
        core.set_pc(pc | (1 if xpsr & _XPSR_T else 0))

    def take_pending(self, return_address: int) -> bool:
        """Enter the most urgent pending exception that may run now; False if there is none.

        Raises:
            StackError: As `enter`.
            MemoryAccessError: As `enter`.
        """
        for number in sorted(self.pending, key=lambda n: (self.priority(n), n)):
            if self.can_take(number):
                self.pending.discard(number)
                self.enter(number, return_address)
                return True
        return False

    def supervisor_call(self, return_address: int) -> bool:
        """SVC: enter its handler, or say that it cannot be taken."""
        if not self.can_take(SV_CALL):
            return False
        self.enter(SV_CALL, return_address)
        return True
