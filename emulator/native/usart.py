# mypy: disable-error-code="misc, call-overload, call-arg, no-untyped-call, attr-defined"
"""The console USART's registers (RM0399 rev 4, 53.8). Bits of FIFO mode share positions.

A stop request made within a peripheral makes Unicorn leave at once, with PC at the instruction
that did the access, which then runs again. That is right for an access that faults and wrong for
any other; those note a pending stop, which the next block carries out.
"""

from __future__ import annotations

from typing import Any

from numba import carray, int64, types

from emulator.native.calls import call_1, callback, load_byte, store_byte
from emulator.native.layout import (
    FINGERPRINT,
    INSTRUCTION_LIMIT,
    INSTRUCTIONS,
    PENDING_STOP,
    STATE_SLOTS,
    STOP,
    STOP_OUTPUT,
    STOP_REFUSED,
    STOP_WAITING,
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
    USART_TX_FULL,
    USART_TX_STOP,
    USART_WRONG_WIDTH,
)

_LINGER = 20_000  # instructions to go on after enough output, so that it comes in larger pieces
_POLL_DISTANCE = 200  # instructions between two ISR reads of one polling loop, at most
_CR1, _CR2, _CR3, _BRR, _GTPR, _RTOR = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14
_RQR, _ISR, _ICR, _RDR, _TDR, _PRESC = 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C
_CR1_UE, _CR1_RE, _CR1_TE, _CR1_FIFOEN = 1 << 0, 1 << 2, 1 << 3, 1 << 29
_ISR_RXNE, _ISR_TC, _ISR_TXE = 1 << 5, 1 << 6, 1 << 7
_ISR_TEACK, _ISR_REACK, _ISR_TXFE, _ISR_RXFF = 1 << 21, 1 << 22, 1 << 23, 1 << 24
_FIFO_BYTES = 16
_RQR_RXFRQ = 1 << 3


def _define_usart_read(fingerprint: int) -> Any:
    @callback(types.uint64(types.voidptr, types.uint64, types.uint32, types.voidptr))
    def usart_read(_uc: Any, offset: Any, size: Any, user_data: Any) -> Any:
        """Read one register of the console USART."""
        if fingerprint == 0:
            return types.uint64(0)
        state = carray(user_data, (STATE_SLOTS,), int64)
        at = int64(offset)
        if size != 4 and not (at == _RDR and size <= 2):
            state[USART_WRONG_WIDTH] = (at << 8) | int64(size)
            if state[STOP] == 0:
                state[STOP] = STOP_REFUSED
                call_1(state[UC_EMU_STOP], state[UC_HANDLE])
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
                    if state[USART_POLLS] >= state[USART_IDLE_LIMIT]:
                        state[USART_POLLS] = 0
                        state[PENDING_STOP] = STOP_WAITING
                        state[INSTRUCTION_LIMIT] = -1
            return types.uint64(value)
        state[USART_POLLS] = 0
        if at == _RDR:
            if receiving and waiting > 0:
                state[USART_LAST_RDR] = int64(
                    load_byte(state[USART_RX_BUFFER] + state[USART_RX_NEXT])
                )
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

    return usart_read


def _define_usart_write(fingerprint: int) -> Any:
    @callback(types.void(types.voidptr, types.uint64, types.uint32, types.uint64, types.voidptr))
    def usart_write(_uc: Any, offset: Any, size: Any, value: Any, user_data: Any) -> None:
        """Write one register of the console USART."""
        if fingerprint == 0:
            return
        state = carray(user_data, (STATE_SLOTS,), int64)
        at = int64(offset)
        word = int64(value)
        state[USART_POLLS] = 0
        if size != 4 and not (at == _TDR and size <= 2):
            state[USART_WRONG_WIDTH] = (at << 8) | int64(size) | (1 << 32)
            if state[STOP] == 0:
                state[STOP] = STOP_REFUSED
                call_1(state[UC_EMU_STOP], state[UC_HANDLE])
        elif at == _TDR:
            if (state[USART_CR1] & (_CR1_UE | _CR1_TE)) == (_CR1_UE | _CR1_TE):
                store_byte(state[USART_TX_BUFFER] + state[USART_TX_COUNT], word)
                state[USART_TX_COUNT] += 1
                if state[USART_TX_COUNT] >= state[USART_TX_FULL]:
                    state[PENDING_STOP] = STOP_OUTPUT
                    state[INSTRUCTION_LIMIT] = -1
                elif state[USART_TX_COUNT] >= state[USART_TX_STOP] and state[PENDING_STOP] == 0:
                    state[PENDING_STOP] = STOP_OUTPUT
                    state[INSTRUCTION_LIMIT] = min(
                        state[INSTRUCTION_LIMIT], state[INSTRUCTIONS] + _LINGER
                    )
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

    return usart_write


usart_read = _define_usart_read(FINGERPRINT)
usart_write = _define_usart_write(FINGERPRINT)
