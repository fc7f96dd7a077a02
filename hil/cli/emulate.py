"""`hil emulate`: an emulated board behind a port."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from emulator import Machine
from hil import firmware as images
from hil import resources
from hil.cli.options import board_option, firmware_option, option
from hil.targets import load_board
from hil.transports.bridge import PtyBridge, TcpBridge

if TYPE_CHECKING:
    from pathlib import Path

#: A firmware that never waits for input is served all the same.
_BOOT_S: Final = 2.0


@click.command("emulate")
@board_option
@firmware_option
@option("--pty", "use_pty", is_flag=True, help="Behind a pseudo-terminal, as a USB port is.")
@option("--tcp", type=click.IntRange(0, 65535), help="Behind a TCP port; 0 takes a free one.")
def command(*, board: str, firmware: Path | None, use_pty: bool, tcp: int | None) -> None:
    """Runs an emulated board behind a port until Ctrl-C; its first line says which."""
    if use_pty == (tcp is not None):
        raise click.UsageError("give either --pty or --tcp PORT")
    folder = resources.board(board)
    image = firmware or images.default(folder)
    with (
        Machine(load_board(folder), elf=image) as machine,
        PtyBridge() if tcp is None else TcpBridge(tcp) as bridge,
    ):
        # A host that is told the port finds the board up, and nothing is left to import.
        machine.run(timeout_s=_BOOT_S)
        click.echo(bridge.url)
        click.echo(f"{board} with {image.name}: hil run --target {bridge.url}", err=True)
        bridge.serve(machine)
