"""A board at the other end of a serial port: real, or emulated behind `hil emulate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hil.link import Link
from hil.targets.base import Target, close_quietly
from hil.transports.serial_pipe import SerialPipe

if TYPE_CHECKING:
    from pathlib import Path

    from emulator.board import Board


class SerialTarget(Target):
    """A device behind a port.

    Args:
        url: a device path, or a URL as pyserial takes it.
        board: the board's data.
        folder: the board's folder.
        firmware: the ELF that the device must run; None for whatever it runs.
        baud: bits a second; None for the board's.
    """

    kind: ClassVar[str] = "serial"

    def __init__(
        self, url: str, board: Board, folder: Path, firmware: Path | None, baud: int | None
    ) -> None:
        super().__init__(board, folder, firmware)
        self._url = url
        self._baud = baud or board.console.baud
        self._pipe: SerialPipe | None = None

    def start(self) -> None:
        """Opens the port; the device is alive already."""
        self._pipe = SerialPipe(self._url, self._baud)
        self._identify(Link(self._pipe))

    def stop(self) -> None:
        """Closes the port; the device stays as it is."""
        close_quietly(self._pipe)
        self._pipe = None

    def reset(self) -> None:
        """Asks the agent to reset the processor and waits until it is back."""
        self.link.reset()
        self.hello = self.link.hello(self._board.core)
