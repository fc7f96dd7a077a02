# mypy: disable-error-code="misc, call-overload, call-arg, no-untyped-call, attr-defined"
"""Callbacks that Unicorn calls as machine code: block counter, TLB fill and the USART.

A Python callback costs a microsecond; these cost nanoseconds. All state lives in one int64 array
per machine whose address is Unicorn's `user_data`, so that no address is compiled in and numba's
on-disk cache works. The slots are named below; `emulator.core` is the Python side.

A stop request made within a peripheral makes Unicorn leave at once, with PC at the instruction
that did the access, which then runs again. That is right for an access that faults and wrong for
any other; those note a pending stop, which the next block carries out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import carray, cfunc, int64, types, uint8
from numba.extending import intrinsic

from emulator.layout import (
    BLOCK_CONFIDENCE,
    BLOCK_COUNT,
    BLOCK_CYCLES,
    BLOCK_FLAGS,
    BLOCK_INSTRUCTIONS,
    BLOCK_NEXT,
    BLOCK_SLOTS,
    BLOCK_TABLE,
    BLOCKS,
    FETCH_ADDRESS,
    FLAGS_REFUSED,
    INSTRUCTION_LIMIT,
    INSTRUCTIONS,
    LAST_BLOCK,
    MISPREDICT_CYCLES,
    MISPREDICTIONS,
    MODELLED_CYCLES,
    NEW_BLOCK_CALLBACK,
    PENDING_STOP,
    REGION_COUNT,
    REGION_SLOTS,
    REGION_TABLE,
    STATE_SLOTS,
    STOP,
    STOP_BLOCK_REFUSED,
    STOP_LIMIT,
    STOP_OUTPUT,
    STOP_REFUSED,
    STOP_TABLE_FULL,
    STOP_WAITING,
    TABLE_USED,
    UC_EMU_STOP,
    UC_HANDLE,
    USART_BRR,
    USART_CR1,
    USART_CR2,
    USART_CR3,
    USART_ERRORS,
    USART_GTPR,
    USART_IDLE_LIMIT,
    USART_LAST_RDR,
    USART_POLL_AT,
    USART_POLLS,
    USART_PRESC,
    USART_RTOR,
    USART_RX_BUFFER,
    USART_RX_END,
    USART_RX_NEXT,
    USART_TX_BUFFER,
    USART_TX_COUNT,
    USART_TX_STOP,
    USART_WRONG_WIDTH,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_READ, _WRITE, _EXEC = 1, 2, 4
_UC_MEM_FETCH = 18
_POLL_DISTANCE = 200  # instructions between two ISR reads of one polling loop, at most


def _void_call(count: int) -> Callable[..., Any]:
    """An intrinsic that calls a C function by its address with `count` 64-bit arguments."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        i64 = ir.IntType(64)
        function = ir.FunctionType(ir.VoidType(), [i64] * count)
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        builder.call(pointer, list(arguments[1:]))
        return ir.Constant(i64, 0)

    if count == 1:

        def call_1(_context: Any, _address: Any, _a: Any) -> Any:
            return int64(int64, int64), codegen

        return intrinsic(call_1)

    def call_3(_context: Any, _address: Any, _a: Any, _b: Any, _c: Any) -> Any:
        return int64(int64, int64, int64, int64), codegen

    return intrinsic(call_3)


_call_1 = _void_call(1)
_call_3 = _void_call(3)


@intrinsic
def _load_byte(_context: Any, _address: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))

    return uint8(int64), codegen


@intrinsic
def _store_byte(_context: Any, _address: Any, _value: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(
            builder.trunc(arguments[1], ir.IntType(8)),
            builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()),
        )
        return ir.Constant(ir.IntType(64), 0)

    return int64(int64, int64), codegen


@cfunc(types.void(types.voidptr, types.uint64, types.uint32, types.voidptr), cache=True)
def on_block(_uc: Any, address: Any, size: Any, user_data: Any) -> None:
    """UC_HOOK_BLOCK: count the block, charge its cycles, stop at the instruction limit.

    Unicorn calls this before it looks for a stop request, so a block seen while one is pending
    does not run now and is not counted.
    """
    state = carray(user_data, (STATE_SLOTS,), int64)
    if state[STOP] != 0:
        return
    if state[INSTRUCTIONS] >= state[INSTRUCTION_LIMIT]:
        state[STOP] = STOP_LIMIT if state[PENDING_STOP] == 0 else state[PENDING_STOP]
        _call_1(state[UC_EMU_STOP], state[UC_HANDLE])
        return
    start = int64(address)
    key = (start << 16) | int64(size)
    index = ((start >> 1) * 40503) & (BLOCKS - 1)
    row = BLOCK_TABLE + index * BLOCK_SLOTS
    while state[row] != key:
        if state[row] == 0:
            if state[TABLE_USED] * 4 >= BLOCKS * 3:
                state[STOP] = STOP_TABLE_FULL
                _call_1(state[UC_EMU_STOP], state[UC_HANDLE])
                return
            state[row] = key
            state[TABLE_USED] += 1
            _call_3(state[NEW_BLOCK_CALLBACK], start, int64(size), row)
            break
        index = (index + 1) & (BLOCKS - 1)
        row = BLOCK_TABLE + index * BLOCK_SLOTS
    if (state[row + BLOCK_FLAGS] & state[FLAGS_REFUSED]) != 0:
        state[STOP] = STOP_BLOCK_REFUSED
        _call_1(state[UC_EMU_STOP], state[UC_HANDLE])
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


@cfunc(
    types.boolean(
        types.voidptr, types.uint64, types.int32, types.CPointer(types.uint64), types.voidptr
    ),
    cache=True,
)
def on_tlb_fill(_uc: Any, address: Any, access: Any, entry: Any, user_data: Any) -> Any:
    """UC_HOOK_TLB_FILL: identity mapping with permissions that keep Unicorn's stores fast.

    Data accesses get read-write, fetches read-execute. A read-only or unmapped address gets the
    same answer, since Unicorn then finds the memory behind it missing or protected and reports
    the exact address and width, which a refusal here would lose. Only a fetch from memory that
    exists and is execute-never is refused.
    """
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


# USART, register offsets and bits as in RM0399 rev 4, 53.8 (FIFO mode bits share positions).
_CR1, _CR2, _CR3, _BRR, _GTPR, _RTOR = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14
_RQR, _ISR, _ICR, _RDR, _TDR, _PRESC = 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C
_CR1_UE, _CR1_RE, _CR1_TE, _CR1_FIFOEN = 1 << 0, 1 << 2, 1 << 3, 1 << 29
_ISR_RXNE, _ISR_TC, _ISR_TXE = 1 << 5, 1 << 6, 1 << 7
_ISR_TEACK, _ISR_REACK, _ISR_TXFE, _ISR_RXFF = 1 << 21, 1 << 22, 1 << 23, 1 << 24
_FIFO_BYTES = 16
_RQR_RXFRQ = 1 << 3


@cfunc(types.uint64(types.voidptr, types.uint64, types.uint32, types.voidptr), cache=True)
def usart_read(_uc: Any, offset: Any, size: Any, user_data: Any) -> Any:
    """Read one register of the console USART."""
    state = carray(user_data, (STATE_SLOTS,), int64)
    at = int64(offset)
    if size != 4 and not (at == _RDR and size <= 2):
        state[USART_WRONG_WIDTH] = (at << 8) | int64(size)
        if state[STOP] == 0:
            state[STOP] = STOP_REFUSED
            _call_1(state[UC_EMU_STOP], state[UC_HANDLE])
        return types.uint64(0)
    waiting = state[USART_RX_END] - state[USART_RX_NEXT]
    control = state[USART_CR1]
    enabled = (control & _CR1_UE) != 0
    receiving = enabled and (control & _CR1_RE) != 0
    if at == _ISR:
        value = state[USART_ERRORS]
        if (control & _CR1_FIFOEN) != 0:
            value |= _ISR_TXFE
            if receiving and waiting >= _FIFO_BYTES:
                value |= _ISR_RXFF
        value |= _ISR_TC | _ISR_TXE
        if enabled and (control & _CR1_TE) != 0:
            value |= _ISR_TEACK
        if receiving:
            value |= _ISR_REACK
            if waiting > 0:
                value |= _ISR_RXNE
                state[USART_POLLS] = 0
            else:
                if state[INSTRUCTIONS] - state[USART_POLL_AT] > _POLL_DISTANCE:
                    state[USART_POLLS] = 0
                state[USART_POLL_AT] = state[INSTRUCTIONS]
                state[USART_POLLS] += 1
                if state[USART_POLLS] >= state[USART_IDLE_LIMIT] and state[PENDING_STOP] == 0:
                    state[USART_POLLS] = 0
                    state[PENDING_STOP] = STOP_WAITING
                    state[INSTRUCTION_LIMIT] = -1
        return types.uint64(value)
    state[USART_POLLS] = 0
    if at == _RDR:
        if receiving and waiting > 0:
            state[USART_LAST_RDR] = int64(_load_byte(state[USART_RX_BUFFER] + state[USART_RX_NEXT]))
            state[USART_RX_NEXT] += 1
        return types.uint64(state[USART_LAST_RDR])
    if at == _CR1:
        return types.uint64(control)
    if at == _CR2:
        return types.uint64(state[USART_CR2])
    if at == _CR3:
        return types.uint64(state[USART_CR3])
    if at == _BRR:
        return types.uint64(state[USART_BRR])
    if at == _GTPR:
        return types.uint64(state[USART_GTPR])
    if at == _RTOR:
        return types.uint64(state[USART_RTOR])
    if at == _PRESC:
        return types.uint64(state[USART_PRESC])
    return types.uint64(0)


@cfunc(
    types.void(types.voidptr, types.uint64, types.uint32, types.uint64, types.voidptr), cache=True
)
def usart_write(_uc: Any, offset: Any, size: Any, value: Any, user_data: Any) -> None:
    """Write one register of the console USART."""
    state = carray(user_data, (STATE_SLOTS,), int64)
    at = int64(offset)
    word = int64(value)
    state[USART_POLLS] = 0
    if size != 4 and not (at == _TDR and size <= 2):
        state[USART_WRONG_WIDTH] = (at << 8) | int64(size) | (1 << 32)
        if state[STOP] == 0:
            state[STOP] = STOP_REFUSED
            _call_1(state[UC_EMU_STOP], state[UC_HANDLE])
    elif at == _TDR:
        if (state[USART_CR1] & (_CR1_UE | _CR1_TE)) == (_CR1_UE | _CR1_TE):
            _store_byte(state[USART_TX_BUFFER] + state[USART_TX_COUNT], word)
            state[USART_TX_COUNT] += 1
            if state[USART_TX_COUNT] >= state[USART_TX_STOP] and state[PENDING_STOP] == 0:
                state[PENDING_STOP] = STOP_OUTPUT
                state[INSTRUCTION_LIMIT] = -1
    elif at == _ICR:
        state[USART_ERRORS] &= ~word
    elif at == _RQR:
        if (word & _RQR_RXFRQ) != 0:  # drops what the hardware would hold, not the host's queue
            held = _FIFO_BYTES if (state[USART_CR1] & _CR1_FIFOEN) != 0 else 1
            state[USART_RX_NEXT] = min(state[USART_RX_NEXT] + held, state[USART_RX_END])
    elif at == _CR1:
        state[USART_CR1] = word
    elif at == _CR2:
        state[USART_CR2] = word
    elif at == _CR3:
        state[USART_CR3] = word
    elif at == _BRR:
        state[USART_BRR] = word
    elif at == _GTPR:
        state[USART_GTPR] = word
    elif at == _RTOR:
        state[USART_RTOR] = word
    elif at == _PRESC:
        state[USART_PRESC] = word
