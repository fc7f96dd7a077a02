"""`hil boards`: the boards known, with their memories."""

from __future__ import annotations

import click
from rich.console import Console

from hil import resources
from hil.report.table import line, new_table, print_table
from hil.targets import load_board


@click.command("boards")
def command() -> None:
    """Lists the boards known, with their memories."""
    console = Console()
    for name, folder in resources.boards().items():
        board = load_board(folder)
        line(console, f"{name}: {board.core}, {board.clock_hz / 1e6:g} MHz, {board.description}")
        table = new_table("  memory", "base", "KB", "access")
        for memory in board.memories:
            table.add_row(
                f"  {memory.name}",
                f"0x{memory.base:08X}",
                f"{memory.size_bytes / 1024:g}",
                memory.access,
            )
        print_table(console, table)
