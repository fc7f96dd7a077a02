"""Lines and tables that are never cut: a terminal that is too narrow wraps them instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.measure import Measurement
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

_WIDEST = 1000


def new_table(*columns: str) -> Table:
    """A borderless table whose first column is text and whose others are numbers."""
    table = Table(box=None, header_style="bold", pad_edge=False, title_justify="left")
    for position, name in enumerate(columns):
        table.add_column(name, justify="right" if position else "left", no_wrap=True)
    return table


def print_table(console: Console, table: Table) -> None:
    """Prints a table at its natural width."""
    narrow = console.width
    options = console.options.update(width=_WIDEST, max_width=_WIDEST)
    console.width = max(narrow, Measurement.get(console, options, table).maximum)
    try:
        console.print(table)
    finally:
        console.width = narrow


def line(console: Console, text: str, *, style: str | None = None) -> None:
    """A line that a terminal wraps and a pipe gets whole: logs are searched for it."""
    console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
