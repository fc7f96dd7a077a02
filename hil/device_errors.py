"""Turns the device's ERROR and FAULT frames into exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hil.errors import DeviceError, DeviceFaultError, FaultRegisters
from hil.protocol.codes import NONE_INDEX, DeviceErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil.protocol.messages import Error, Fault

# Armv7-M Architecture Reference Manual (DDI 0403), B3.2.15 and B3.2.16.
_CFSR_BITS: Final = (
    (0, "IACCVIOL: instruction fetch from memory that the MPU protects"),
    (1, "DACCVIOL: access to memory that the MPU protects, at 0x{mmfar:08x}"),
    (3, "MUNSTKERR: MPU fault while leaving an exception"),
    (4, "MSTKERR: MPU fault while entering an exception (stack overflow?)"),
    (5, "MLSPERR: MPU fault while saving floating-point registers (stack overflow?)"),
    (8, "IBUSERR: instruction fetch from an address where nothing is"),
    (9, "PRECISERR: access to an address where nothing is, 0x{bfar:08x}"),
    (10, "IMPRECISERR: a buffered store failed, some instructions before"),
    (11, "UNSTKERR: bus fault while leaving an exception"),
    (12, "STKERR: bus fault while entering an exception (stack overflow?)"),
    (13, "LSPERR: bus fault while saving floating-point registers (stack overflow?)"),
    (16, "UNDEFINSTR: undefined instruction"),
    (17, "INVSTATE: jump to an address without the Thumb bit"),
    (18, "INVPC: broken exception return"),
    (19, "NOCP: floating-point instruction while the FPU is off"),
    (24, "UNALIGNED: unaligned access"),
    (25, "DIVBYZERO: division by zero"),
)
_HFSR_VECTTBL: Final = 1 << 1
_HFSR_DEBUGEVT: Final = 1 << 31
_EXCEPTIONS: Final = {
    2: "NMI",
    3: "HardFault",
    4: "MemManage",
    5: "BusFault",
    6: "UsageFault",
    11: "SVCall",
    12: "DebugMonitor",
    14: "PendSV",
    15: "SysTick",
}

# `engine_status` in boards/firmware/engine/engine.h: UNKNOWN_OPERATOR and UNSUPPORTED.
_BEYOND_THE_ENGINE: Final = (8, 9)
_BEYOND_THE_ENGINE_ADVICE: Final = (
    "The engine on the device runs int8 models of the operators listed in "
    "boards/firmware/engine/README.md; `hil golden` and `hil check` are not limited to those and "
    "need no device."
)


def index_or_none(index: int) -> int | None:
    """An index field's value; None for the protocol's "none"."""
    return None if index == NONE_INDEX else index


def device_error(request: str, error: Error) -> DeviceError:
    """The exception for an ERROR frame that answers `request`."""
    try:
        name = DeviceErrorCode(error.error).name
    except ValueError:
        name = f"error {error.error}"
    refused = error.error in (DeviceErrorCode.MODEL_REFUSED, DeviceErrorCode.ALLOCATE_FAILED)
    beyond = refused and error.detail in _BEYOND_THE_ENGINE
    return DeviceError(
        request,
        name,
        text=error.text,
        detail=error.detail,
        operator=index_or_none(error.operator),
        tensor=index_or_none(error.tensor),
        position=index_or_none(error.position),
        expected=error.expected,
        got=error.got,
        advice=_BEYOND_THE_ENGINE_ADVICE if beyond else "",
    )


def fault_cause(registers: FaultRegisters) -> str:
    """What the fault registers say, in words."""
    name = _EXCEPTIONS.get(registers.exception, f"exception {registers.exception}")
    causes = [
        text.format(mmfar=registers.mmfar, bfar=registers.bfar)
        for bit, text in _CFSR_BITS
        if registers.cfsr >> bit & 1
    ]
    if registers.hfsr & _HFSR_VECTTBL:
        causes.append("VECTTBL: the vector table cannot be read")
    if registers.hfsr & _HFSR_DEBUGEVT:
        causes.append("DEBUGEVT: a breakpoint instruction")
    return f"{name}, {'; '.join(causes)}" if causes else name


def device_fault(fault: Fault, locate: Callable[[int], str]) -> DeviceFaultError:
    """The exception for a FAULT frame; `locate` names a code address."""
    registers = FaultRegisters(
        exception=fault.exception,
        cfsr=fault.cfsr,
        hfsr=fault.hfsr,
        mmfar=fault.mmfar,
        bfar=fault.bfar,
        pc=fault.pc,
        lr=fault.lr,
        xpsr=fault.xpsr,
        sp=fault.sp,
    )
    stacked = fault.pc != 0 or fault.lr != 0
    return DeviceFaultError(
        fault_cause(registers),
        location=locate(fault.pc) if stacked else "an unknown place (nothing could be stacked)",
        caller=locate(fault.lr & ~1) if stacked else "",
        operator=index_or_none(fault.operator),
        registers=registers,
    )
