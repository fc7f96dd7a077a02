"""Alignment faults, which Unicorn never raises (field failure 43). Opt-in: it costs much speed.

An access must be aligned in Device memory; LDM, STM, LDRD, STRD, PUSH, POP and floating-point
loads and stores must be in any memory; all must be with CCR.UNALIGN_TRP (ARMv7-M ARM, A3.2.1).
The memory types are those of the default map until firmware sets up the MPU.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Final

from unicorn import unicorn_const as const

from emulator.blocks import must_be_aligned
from emulator.errors import EmulatorError
from emulator.native import layout

if TYPE_CHECKING:
    from emulator.bus import Bus
    from emulator.core import Core

_CCR_UNALIGN_TRP: Final = 1 << 3
_MISALIGNED = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)


class AlignmentCheck:
    """Watches the memory accesses of a core. Create it before the firmware runs."""

    def __init__(self, core: Core, bus: Bus) -> None:
        from emulator.native.alignment import on_access  # noqa: PLC0415 - imports numba

        self._core = core
        self._bus = bus
        me = weakref.ref(self)

        def misaligned(address: int, width: int, write: int) -> None:
            check = me()
            if check is None:
                return
            try:
                check._on_misaligned(address, width, "write" if write else "read")  # noqa: SLF001
            except BaseException as error:  # noqa: BLE001 - ctypes would print and drop it
                check._core.fail(error)  # noqa: SLF001

        self._callback = _MISALIGNED(misaligned)
        pointer = ctypes.cast(self._callback, ctypes.c_void_p).value
        core.state[layout.MISALIGNED_CALLBACK] = pointer or 0
        core.hook_native(const.UC_HOOK_MEM_READ | const.UC_HOOK_MEM_WRITE, on_access.address)
        self.refresh()

    def refresh(self) -> None:
        """Take the memory types and CCR as they are now."""
        state = self._core.state
        ranges = self._bus.mpu.device_ranges()
        if len(ranges) > layout.DEVICE_LIMIT:
            raise EmulatorError(
                f"the MPU leaves {len(ranges)} ranges of Device memory; check_alignment keeps "
                f"{layout.DEVICE_LIMIT} at most"
            )
        state[layout.DEVICE_COUNT] = len(ranges)
        for i, pair in enumerate(ranges):
            row = layout.DEVICE_TABLE + 2 * i
            state[row : row + 2] = pair
        state[layout.ALIGN_ALL] = self._bus.scb.values["CCR"] & _CCR_UNALIGN_TRP

    def _on_misaligned(self, address: int, width: int, access: str) -> None:
        state = self._core.state
        strict = bool(state[layout.ALIGN_ALL]) or self._bus.mpu.attributes(address).device
        if not strict:
            strict = must_be_aligned(self._core.read(self._core.pc, 4))
        if strict:
            self._bus.misaligned(address, width, access)
