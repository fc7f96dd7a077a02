# mypy: disable-error-code="misc, call-overload, call-arg, no-untyped-call, attr-defined"
"""The TLB-fill hook: where memories get their permissions."""

from __future__ import annotations

from typing import Any

from numba import carray, int64, types

from emulator.native.calls import callback
from emulator.native.layout import (
    FETCH_ADDRESS,
    FINGERPRINT,
    REGION_COUNT,
    REGION_SLOTS,
    REGION_TABLE,
    STATE_SLOTS,
)

_READ, _WRITE, _EXEC = 1, 2, 4
_UC_MEM_FETCH = 18


def _define_on_tlb_fill(fingerprint: int) -> Any:
    @callback(
        types.boolean(
            types.voidptr, types.uint64, types.int32, types.CPointer(types.uint64), types.voidptr
        )
    )
    def on_tlb_fill(_uc: Any, address: Any, access: Any, entry: Any, user_data: Any) -> Any:
        """UC_HOOK_TLB_FILL: identity mapping with permissions that keep Unicorn's stores fast.

        Data accesses get read-write, fetches read-execute. A read-only or unmapped address gets the
        same answer, since Unicorn then finds the memory behind it missing or protected and reports
        the exact address and width, which a refusal here would lose. Only a fetch from memory that
        exists and is execute-never is refused.
        """
        if fingerprint == 0:
            return False
        state = carray(user_data, (STATE_SLOTS,), int64)
        at = int64(address)
        entry[0] = address
        if access != _UC_MEM_FETCH:
            entry[1] = _READ | _WRITE
            return True
        for i in range(state[REGION_COUNT]):
            region = REGION_TABLE + i * REGION_SLOTS
            if state[region] <= at < state[region + 1]:
                if state[region + 2] != 0:
                    break
                state[FETCH_ADDRESS] = at
                return False
        entry[1] = _READ | _EXEC
        return True

    return on_tlb_fill


on_tlb_fill = _define_on_tlb_fill(FINGERPRINT)
