"""An emulated board in this process: fastest, and the only target that counts instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from hil import firmware as images
from hil.errors import FirmwareFileError
from hil.firmware import Firmware
from hil.link import Link
from hil.targets.base import Target
from hil.transports.emulator_pipe import EmulatorPipe

if TYPE_CHECKING:
    from pathlib import Path

    from emulator.board import Board
    from emulator.machine import Machine

#: Function in which the firmware reads its cycle counter, before and after each operator.
COUNTING_FUNCTION: Final = "board_cycles"


class InstructionCounter:
    """Counts instructions per operator: between two arrivals where the firmware reads its cycles.

    Args:
        machine: an emulated board.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._counts: list[int] = []
        if COUNTING_FUNCTION in machine.image.symbols:
            machine.on_arrival(COUNTING_FUNCTION, self._arrived)

    def _arrived(self) -> None:
        self._counts.append(self._machine.instructions)

    def clear(self) -> None:
        """Forget earlier runs."""
        self._counts.clear()

    def of_event(self, event: int) -> int | None:
        """Instructions of the operator that ran as number `event`; None if not counted."""
        start = 2 * event
        if start + 1 >= len(self._counts):
            return None
        return self._counts[start + 1] - self._counts[start]


class EmulatorTarget(Target):
    """A board emulated in this process."""

    kind: ClassVar[str] = "emulator"

    def __init__(self, board: Board, folder: Path, firmware: Path | None) -> None:
        super().__init__(board, folder, firmware or images.default(folder))
        self._machine: Machine | None = None

    @property
    def machine(self) -> Machine:
        """The emulated board, while started."""
        assert self._machine is not None
        return self._machine

    def start(self) -> None:
        """Powers the board up.

        Raises:
            FirmwareFileError: the ELF does not fit the board.
        """
        from emulator.errors import BoardError, ElfError  # noqa: PLC0415
        from emulator.machine import Machine  # noqa: PLC0415 - unicorn and numba take a second

        assert self._firmware_path is not None
        firmware = Firmware.from_file(self._firmware_path)
        try:
            self._machine = Machine(self._board, self._firmware_path)
        except (BoardError, ElfError) as error:
            raise FirmwareFileError(str(self._firmware_path), str(error)) from error
        counter = InstructionCounter(self._machine)
        link = Link(
            EmulatorPipe(self._machine, firmware.locate),
            locate=firmware.locate,
            instructions=counter.of_event,
            before_invoke=counter.clear,
        )
        self._identify(link)

    def stop(self) -> None:
        """Powers it down."""
        if self._machine is not None:
            self._machine.close()
            self._machine = None

    def reset(self) -> None:
        """Power-on reset."""
        self.machine.reset()
        self.link.forget()
        self.hello = self.link.hello(self._board.core)
