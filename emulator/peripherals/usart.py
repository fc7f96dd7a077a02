"""USART of STM32H7 (RM0399, chapter 53) as a byte stream, without line timing or byte loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from emulator.native import layout
from emulator.peripherals.register_map import Register, RegisterMap, registers

if TYPE_CHECKING:
    from emulator.core import Core

_TX_BYTES = 1 << 20
_TX_FULL = _TX_BYTES - (1 << 12)  # the rest is for what one basic block may send in addition
_IDLE_POLLS = 8


class Usart(RegisterMap):
    """A USART. The one that is the console is served by `emulator.native` for speed.

    Only the console has a far end; any other USART transmits into nothing and receives nothing.
    """

    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        *registers("CR1 CR2 CR3 BRR GTPR RTOR RQR", 0x00),
        Register("ISR", 0x1C, reset=0x00C0, writable=0),
        *registers("ICR RDR TDR PRESC", 0x20),
    )


class Console:
    """The host's end of the console USART.

    Args:
        core: The core whose native state holds the stream.
        base: Address of the USART.
    """

    def __init__(self, core: Core, base: int) -> None:
        from emulator.native.usart import (  # noqa: PLC0415 - numba takes 0.4 s to import
            usart_read,
            usart_write,
        )

        self._state = core.state
        self.base = base
        self._transmitted = np.zeros(_TX_BYTES, dtype=np.uint8)
        self._received = np.zeros(1 << 12, dtype=np.uint8)
        self._drained = bytearray()
        core.map_native_mmio(base, RegisterMap.SIZE_BYTES, usart_read.address, usart_write.address)
        self._state[layout.USART_TX_BUFFER] = self._transmitted.ctypes.data
        self._state[layout.USART_TX_FULL] = _TX_FULL
        self._state[layout.USART_IDLE_LIMIT] = _IDLE_POLLS
        self._point()
        self.stop_at(None)

    def _point(self) -> None:
        self._state[layout.USART_RX_BUFFER] = self._received.ctypes.data

    def reset(self) -> None:
        """Registers to their reset values; bytes under way stay, since they are on the wire."""
        self._state[layout.USART_CR1 : layout.USART_LAST_RDR + 1] = 0
        self._state[layout.USART_POLLS] = 0
        self._state[layout.USART_WRONG_WIDTH] = 0

    def stop_at(self, count: int | None) -> None:
        """Stop the core soon after `count` bytes are `available`, or only when the buffer fills."""
        wanted = _TX_FULL if count is None else count - len(self._drained)
        self._state[layout.USART_TX_STOP] = min(max(wanted, 1), _TX_FULL)

    @property
    def available(self) -> int:
        """Number of bytes that `read` would return."""
        return len(self._drained) + int(self._state[layout.USART_TX_COUNT])

    @property
    def waiting_bytes(self) -> int:
        """Number of bytes written that the firmware has not read yet."""
        return int(self._state[layout.USART_RX_END] - self._state[layout.USART_RX_NEXT])

    def write(self, data: bytes) -> None:
        """Queue bytes for the firmware to receive."""
        start, end = (int(v) for v in self._state[layout.USART_RX_NEXT : layout.USART_RX_END + 1])
        if end + len(data) > len(self._received):
            waiting = self._received[start:end].copy()
            if len(waiting) + len(data) > len(self._received):
                self._received = np.zeros(2 * (len(waiting) + len(data)), dtype=np.uint8)
                self._point()
            start, end = 0, len(waiting)
            self._received[:end] = waiting
        self._received[end : end + len(data)] = np.frombuffer(data, dtype=np.uint8)
        self._state[layout.USART_RX_NEXT] = start
        self._state[layout.USART_RX_END] = end + len(data)

    def drain(self) -> None:
        """Make room for the firmware to send on."""
        self._drained += self._transmitted[: int(self._state[layout.USART_TX_COUNT])].tobytes()
        self._state[layout.USART_TX_COUNT] = 0

    def read(self) -> bytes:
        """Take what the firmware has transmitted."""
        self.drain()
        data = bytes(self._drained)
        self._drained.clear()
        return data
