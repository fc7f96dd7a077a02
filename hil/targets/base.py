"""What a target is: a device with a life of its own, and the link to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

from hil import firmware as images
from hil.errors import WrongBoardError, WrongFirmwareError
from hil.firmware import Firmware
from hil.protocol.codes import CounterKind

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from emulator.board import Board
    from hil.device import Identity
    from hil.link import Link
    from hil.transports.pipe import BytePipe


class Target(ABC):
    """A device that runs firmware. A context manager: entering starts it, leaving stops it.

    Args:
        board: the board's data.
        folder: the board's folder.
        firmware: the ELF that the device must run; None for whatever it runs.

    Attributes:
        link: the conversation with it, while started.
        hello: who answered, while started.
    """

    kind: ClassVar[str]

    def __init__(self, board: Board, folder: Path, firmware: Path | None) -> None:
        self._board = board
        self._folder = folder
        self._firmware_path = firmware
        self.link: Link
        self.hello: Identity

    @property
    def board(self) -> str:
        """Name of the board."""
        return self._board.name

    @property
    def firmware_sha256(self) -> str:
        """Hex digest of the firmware's bytes in flash, computed by the device."""
        return self.hello.firmware_sha256

    @property
    def cycles_kind(self) -> str:
        """What its cycles are: "measured" by the core's counter, or "modelled" by an emulator."""
        modelled = self.hello.raw.counter_kind == CounterKind.MODELLED_CYCCNT
        return "modelled" if modelled else "measured"

    @abstractmethod
    def start(self) -> None:
        """Brings the device to life, opens the link and checks who answers.

        Raises:
            HilError: it cannot be reached, or is not what was asked for.
        """

    @abstractmethod
    def stop(self) -> None:
        """Gives everything back; may be called twice."""

    @abstractmethod
    def reset(self) -> None:
        """Restarts the device; it then holds no model. Also ends a fault."""

    def _identify(self, link: Link) -> None:
        """Says hello and checks core, board and firmware.

        Raises:
            WrongCoreError: another core.
            WrongBoardError: firmware for another board.
            WrongFirmwareError: another image than the ELF given.
            LinkError: nobody who speaks this protocol.
        """
        hello = link.hello(self._board.core)
        if hello.raw.board != self._board.name:
            raise WrongBoardError(expected=self._board.name, got=hello.raw.board)
        base, size_bytes = hello.raw.image_base, hello.raw.image_size_bytes
        if self._firmware_path is not None:
            firmware = Firmware.from_file(self._firmware_path)
            expected = firmware.sha256(base, size_bytes)
            if expected != hello.firmware_sha256:
                raise WrongFirmwareError(
                    expected=expected, got=hello.firmware_sha256, firmware=str(self._firmware_path)
                )
            link.locate_with(firmware.locate)
        else:
            for path in images.shipped(self._folder):
                firmware = Firmware.from_file(path)
                if firmware.sha256(base, size_bytes) == hello.firmware_sha256:
                    link.locate_with(firmware.locate)
                    break
        self.link = link
        self.hello = hello

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def close_quietly(pipe: BytePipe | None) -> None:
    """Closes a pipe that may never have been opened."""
    if pipe is not None:
        pipe.close()
