# mypy: disable-error-code="misc, call-overload, call-arg, no-untyped-call, attr-defined"
"""The memory hook of alignment checks: finds accesses that may have to be aligned and are not."""

from __future__ import annotations

from typing import Any

from numba import carray, int64, types

from emulator.native.calls import call_3, callback
from emulator.native.layout import (
    ALIGN_ALL,
    BLOCK_FLAGS,
    DEVICE_COUNT,
    DEVICE_TABLE,
    FINGERPRINT,
    FLAG_ALIGNED,
    LAST_BLOCK,
    MISALIGNED_CALLBACK,
    STATE_SLOTS,
    STOP,
)

_UC_MEM_WRITE = 17


def _define_on_access(fingerprint: int) -> Any:
    @callback(
        types.void(
            types.voidptr, types.int32, types.uint64, types.int32, types.int64, types.voidptr
        )
    )
    def on_access(
        _uc: Any, access: Any, address: Any, size: Any, _value: Any, user_data: Any
    ) -> None:
        """UC_HOOK_MEM_READ and WRITE: report an access that is not aligned where it matters.

        It matters in Device memory, for instructions that move several words or doubles, and
        everywhere with CCR.UNALIGN_TRP (ARMv7-M ARM, A3.2.1). The callback decides; only blocks
        that hold such an instruction make it look.
        """
        if fingerprint == 0:
            return
        at = int64(address)
        needed = min(int64(size), 4)
        if (at & (needed - 1)) == 0:
            return
        state = carray(user_data, (STATE_SLOTS,), int64)
        if state[STOP] != 0:
            return
        suspicious = state[ALIGN_ALL] != 0
        if (state[state[LAST_BLOCK] + BLOCK_FLAGS] & FLAG_ALIGNED) != 0:
            suspicious = True
        for i in range(state[DEVICE_COUNT]):
            if state[DEVICE_TABLE + 2 * i] <= at < state[DEVICE_TABLE + 2 * i + 1]:
                suspicious = True
        if suspicious:
            call_3(state[MISALIGNED_CALLBACK], at, int64(size), int64(access == _UC_MEM_WRITE))

    return on_access


on_access = _define_on_access(FINGERPRINT)
