# mypy: disable-error-code="misc, call-overload, call-arg, no-untyped-call, attr-defined"
"""The block hook: counts instructions and modelled cycles, and stops the run."""

from __future__ import annotations

from typing import Any

from numba import carray, int64, types

from emulator.native.calls import call_1, call_3, callback
from emulator.native.layout import (
    BLOCK_CONFIDENCE,
    BLOCK_COUNT,
    BLOCK_CYCLES,
    BLOCK_FLAGS,
    BLOCK_INSTRUCTIONS,
    BLOCK_NEXT,
    BLOCK_SLOTS,
    BLOCK_TABLE,
    BLOCKS,
    CYCLE_LIMIT,
    FINGERPRINT,
    FLAGS_REFUSED,
    INSTRUCTION_LIMIT,
    INSTRUCTIONS,
    LAST_BLOCK,
    MISPREDICT_CYCLES,
    MISPREDICTIONS,
    MODELLED_CYCLES,
    NEW_BLOCK_CALLBACK,
    PENDING_STOP,
    STATE_SLOTS,
    STOP,
    STOP_BLOCK_REFUSED,
    STOP_LIMIT,
    STOP_TABLE_FULL,
    STOP_TIMER,
    TABLE_USED,
    UC_EMU_STOP,
    UC_HANDLE,
)


def _define_on_block(fingerprint: int) -> Any:
    @callback(types.void(types.voidptr, types.uint64, types.uint32, types.voidptr))
    def on_block(_uc: Any, address: Any, size: Any, user_data: Any) -> None:
        """UC_HOOK_BLOCK: count the block, charge its cycles, stop at the instruction limit.

        Unicorn calls this before it looks for a stop request, so a block seen while one is pending
        does not run now and is not counted.
        """
        if fingerprint == 0:
            return
        state = carray(user_data, (STATE_SLOTS,), int64)
        if state[STOP] != 0:
            return
        if state[INSTRUCTIONS] >= state[INSTRUCTION_LIMIT]:
            state[STOP] = STOP_LIMIT if state[PENDING_STOP] == 0 else state[PENDING_STOP]
            call_1(state[UC_EMU_STOP], state[UC_HANDLE])
            return
        if state[MODELLED_CYCLES] >= state[CYCLE_LIMIT]:
            state[STOP] = STOP_TIMER
            call_1(state[UC_EMU_STOP], state[UC_HANDLE])
            return
        start = int64(address)
        key = (start << 16) | int64(size)
        index = ((start >> 1) * 40503) & (BLOCKS - 1)
        row = BLOCK_TABLE + index * BLOCK_SLOTS
        while state[row] != key:
            if state[row] == 0:
                if state[TABLE_USED] * 4 >= BLOCKS * 3:
                    state[STOP] = STOP_TABLE_FULL
                    call_1(state[UC_EMU_STOP], state[UC_HANDLE])
                    return
                state[row] = key
                state[TABLE_USED] += 1
                call_3(state[NEW_BLOCK_CALLBACK], start, int64(size), row)
                break
            index = (index + 1) & (BLOCKS - 1)
            row = BLOCK_TABLE + index * BLOCK_SLOTS
        if (state[row + BLOCK_FLAGS] & state[FLAGS_REFUSED]) != 0:
            state[STOP] = STOP_BLOCK_REFUSED
            call_1(state[UC_EMU_STOP], state[UC_HANDLE])
            return
        state[row + BLOCK_COUNT] += 1
        state[INSTRUCTIONS] += state[row + BLOCK_INSTRUCTIONS]
        cycles = state[row + BLOCK_CYCLES]
        last = state[LAST_BLOCK]
        if state[last + BLOCK_NEXT] == start:
            state[last + BLOCK_CONFIDENCE] = 1
        else:
            if state[last + BLOCK_NEXT] != 0:
                cycles += state[MISPREDICT_CYCLES]
                state[MISPREDICTIONS] += 1
            if state[last + BLOCK_CONFIDENCE] == 0:
                state[last + BLOCK_NEXT] = start
            state[last + BLOCK_CONFIDENCE] = 0
        state[MODELLED_CYCLES] += cycles
        state[LAST_BLOCK] = row

    return on_block


on_block = _define_on_block(FINGERPRINT)
