"""The console of an emulated machine in this process as a byte pipe: reading runs the machine."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hil.errors import DeviceFaultError

if TYPE_CHECKING:
    from collections.abc import Callable

    from emulator.machine import Machine


class EmulatorPipe:
    """Byte pipe to the console of a machine; the machine runs only while this reads.

    Args:
        machine: the machine; closing the pipe leaves it alone.
        locate: names a code address for fault messages.
    """

    def __init__(self, machine: Machine, locate: Callable[[int], str] = "0x{:08x}".format) -> None:
        self._machine = machine
        self._locate = locate

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the emulated {self._machine.board.name}"

    @property
    def baud(self) -> int | None:
        """An emulated line takes no time."""
        return None

    def write(self, data: bytes) -> None:
        """Queues bytes for the firmware."""
        self._machine.write(data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the firmware until it has sent something or waits for input in vain.

        Raises:
            DeviceFaultError: the core locked up, so that its fault handler cannot tell.
        """
        from emulator.errors import FaultError  # noqa: PLC0415
        from emulator.machine import StopReason  # noqa: PLC0415 - unicorn and numba take a second

        deadline = time.monotonic() + timeout_s
        while True:
            left_s = deadline - time.monotonic()
            try:
                reason = self._machine.run(timeout_s=max(left_s, 0.0), until_output=1)
            except FaultError as error:
                raise DeviceFaultError(str(error), location=self._locate(error.fault.pc)) from error
            data = self._machine.read()
            if data or reason is StopReason.WAITING_FOR_INPUT or left_s <= 0:
                return data

    def close(self) -> None:
        """Nothing to give back."""
