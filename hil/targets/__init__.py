"""Targets: what can run a model. `open_target` makes one from its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hil.errors import UsageError
from hil.targets.base import Target

if TYPE_CHECKING:
    from emulator.board import Board

__all__ = ["Target", "load_board", "open_target"]


def load_board(folder: Path) -> Board:
    """Reads the board.yaml of a board's folder.

    Raises:
        UsageError: there is none, or it is not valid.
    """
    from emulator.board import Board  # noqa: PLC0415 - what only lists options reads no board
    from emulator.errors import BoardError  # noqa: PLC0415

    try:
        board = Board.from_file(folder / "board.yaml")
    except BoardError as error:
        raise UsageError(str(error)) from error
    if board.name != folder.name:
        raise UsageError(
            f"{folder / 'board.yaml'} describes {board.name!r}: its name must be its folder's, "
            f"{folder.name!r}"
        )
    return board


def open_target(
    name: str, *, board: Path | str, firmware: Path | None = None, baud: int | None = None
) -> Target:
    """A target, not yet started; use it in a `with` statement.

    Args:
        name: "emulator", or a port: a device path or URL as pyserial takes it.
        board: the board's folder.
        firmware: the ELF that the device must run. On the emulator None is the board's hil-agent;
            on a port None takes whatever runs there.
        baud: bits a second on a port; None for the board's.

    Raises:
        UsageError: no such board.
    """
    folder = Path(board)
    data = load_board(folder)
    if name == "emulator":
        if baud is not None:
            raise UsageError("an emulated board in this process has no baud rate: leave out --baud")
        from hil.targets.emulator import EmulatorTarget  # noqa: PLC0415

        return EmulatorTarget(data, folder, firmware)
    from hil.targets.serial import SerialTarget  # noqa: PLC0415 - pyserial only where needed

    return SerialTarget(name, data, folder, firmware, baud)
