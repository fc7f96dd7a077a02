"""`hil boards`: the boards known, with their memories."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from emulator import Board
from hil import resources


@click.command("boards")
def command() -> None:
    """Lists the boards known, with their memories."""
    console = Console()
    for name, folder in resources.boards().items():
        board = Board.from_file(folder / "board.yaml")
        console.print(f"{name}: {board.core}, {board.clock_hz / 1e6:g} MHz", highlight=False)
        table = Table(box=None, padding=(0, 2), header_style="bold")
        table.add_column("memory")
        table.add_column("base", justify="right")
        table.add_column("KB", justify="right")
        table.add_column("access")
        for memory in board.memories:
            table.add_row(
                memory.name,
                f"0x{memory.base:08X}",
                f"{memory.size_bytes / 1024:g}",
                memory.access,
            )
        console.print(table)
