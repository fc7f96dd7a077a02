"""`hil check`: before flashing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich.console import Console

import pyref
from hil import resources
from hil.check import check
from hil.check.arena import KERNEL_SETS, RELEASES
from hil.check.steps import steps
from hil.cli import EXIT_DIFFERS
from hil.cli.options import FILE, board_option, json_option, model_argument, option
from hil.report.document import write_text
from hil.report.verdict import print_verdict, verdict_document
from hil.targets import load_board

if TYPE_CHECKING:
    from pathlib import Path


@click.command("check")
@model_argument
@board_option
@option("--tflm", type=click.Choice(RELEASES), default=RELEASES[0], show_default=True)
@option("--kernels", type=click.Choice(KERNEL_SETS), default="cmsis_nn", show_default=True)
@option("--arena-size", type=click.IntRange(min=0), help="Arena in bytes: fail if it does not do.")
@option("--firmware", type=FILE, help="ELF that is to run the model: look into it.")
@json_option
@option("--picture", type=FILE, help="Draw the arena over time: a .svg or .png file.")
@option("--text-picture", is_flag=True, help="Draw the arena over time on the terminal.")
def command(
    *,
    model: Path,
    board: str,
    tflm: str,
    kernels: str,
    arena_size: int | None,
    firmware: Path | None,
    json_path: Path | None,
    picture: Path | None,
    text_picture: bool,
) -> int:
    """Says whether TFLM takes MODEL, how much arena it needs, and where it fits."""
    loaded = pyref.Model.from_file(model)
    verdict = check(
        loaded,
        load_board(resources.board(board)),
        tflm=tflm,
        kernels=kernels,
        arena_size_bytes=arena_size,
        elf=firmware,
    )
    console = Console()
    print_verdict(verdict, console)
    if verdict.plan is not None and text_picture:
        from hil.report.picture_text import text  # noqa: PLC0415 - on request

        console.print()
        console.print(
            text(verdict.plan, steps(loaded)), highlight=False, markup=False, soft_wrap=True
        )
    if json_path is not None:
        write_text(json_path, json.dumps(verdict_document(verdict), indent=1) + "\n")
    if verdict.plan is not None and picture is not None:
        from hil.report.picture import draw  # noqa: PLC0415 - on request

        draw(verdict.plan, steps(loaded), picture)
    return EXIT_DIFFERS if verdict.reasons else 0
