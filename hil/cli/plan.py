"""`hil plan`: TFLM's plan, the best one, and a model that carries it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich.console import Console

import pyref
from hil.check.arena import KERNEL_SETS, RELEASES
from hil.check.plans import PLANNER_NAMES, plans
from hil.check.steps import steps
from hil.cli.options import FILE, json_option, model_argument, option
from hil.errors import UsageError
from hil.job import ENGINE_RELEASE
from hil.report.document import write_text
from hil.report.plans import plans_document, print_plans
from hil.report.table import line

if TYPE_CHECKING:
    from pathlib import Path


@click.command("plan")
@model_argument
@option(
    "--tflm",
    type=click.Choice((*RELEASES, ENGINE_RELEASE)),
    default=RELEASES[0],
    show_default=True,
    help=f"TFLM's release, or {ENGINE_RELEASE} for our engine.",
)
@option("--kernels", type=click.Choice(KERNEL_SETS), default="cmsis_nn", show_default=True)
@option(
    "--planner",
    type=click.Choice(PLANNER_NAMES),
    default="greedy",
    show_default=True,
    help="TFLM's planner to compare with.",
)
@option(
    "--time-limit",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    help="Seconds to search for a better plan at most.",
)
@option("--write", type=FILE, help="Write the model with the best plan as offline metadata.")
@json_option
@option("--picture", type=FILE, help="Draw the best plan: a .svg or .png file.")
def command(
    *,
    model: Path,
    tflm: str,
    kernels: str,
    planner: str,
    time_limit: float,
    write: Path | None,
    json_path: Path | None,
    picture: Path | None,
) -> int:
    """Shows how TFLM plans the arena of MODEL, the best plan, and how far they are apart."""
    if write is not None and write.exists() and write.samefile(model):
        raise UsageError(f"--write {write} is MODEL itself: name another file")
    loaded = pyref.Model.from_file(model)
    found = plans(loaded, tflm=tflm, kernels=kernels, planner=planner, time_limit_s=time_limit)
    console = Console()
    scopes = steps(loaded)
    print_plans(found, scopes, console)
    if write is not None:
        _write(found.best_file, write)
        line(console, f"{write}: written with the best plan; {found.gain}", style="bold")
        line(
            console,
            f"its offsets are for {tflm} with {found.online.kernels} kernels; with others, TFLM "
            "places its scratch buffers around them: `hil check` says what that takes",
        )
    else:
        line(console, f"with --write: {found.gain}")
    if json_path is not None:
        document = plans_document(found, loaded, None if write is None else str(write))
        write_text(json_path, json.dumps(document, indent=1) + "\n")
    if picture is not None:
        from hil.report.picture import draw  # noqa: PLC0415 - on request

        draw(found.best, scopes, picture)
    return 0


def _write(data: bytes, path: Path) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written ({error.strerror}); name a file in a folder that exists"
        ) from error
