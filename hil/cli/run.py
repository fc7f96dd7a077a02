"""`hil run`: the main job."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
from rich.console import Console

import pyref
from hil import job, report, resources
from hil.cli import EXIT_DIFFERS
from hil.cli.options import (
    FILE,
    FOLDER,
    board_option,
    check_inputs_given_once,
    firmware_option,
    input_option,
    json_option,
    option,
    seed_option,
)
from hil.cli.progress import Progress
from hil.errors import UsageError
from hil.targets import open_target

if TYPE_CHECKING:
    from pathlib import Path

    from hil.compare import Comparison

DEFAULT_MODEL = "c2_bn.tflite"


@click.command("run")
@click.argument("model", type=FILE, required=False)
@option("--target", default="emulator", show_default=True, help="`emulator`, or a port's URL.")
@board_option
@option("--baud", type=click.IntRange(min=1), help="Baud rate [default: the board's].")
@seed_option
@input_option
@option("--golden", "golden_folder", type=FOLDER, help="Golden folder to compare with.")
@firmware_option
@option(
    "--cycles-tolerance",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Fraction by which cycles may differ from their golden.",
)
@json_option
@option("--html", "html_path", type=FILE, help="Write the result as an HTML page.")
def command(
    *,
    model: Path | None,
    target: str,
    board: str,
    baud: int | None,
    seed: int | None,
    input_path: Path | None,
    golden_folder: Path | None,
    firmware: Path | None,
    cycles_tolerance: float,
    json_path: Path | None,
    html_path: Path | None,
) -> int:
    """Runs MODEL on a target and compares every tensor with goldens (default: C2_BN)."""
    started = time.perf_counter()
    check_inputs_given_once(seed, input_path)
    console = Console()
    path = model or resources.fixture(DEFAULT_MODEL)
    loaded = pyref.Model.from_file(path)
    console.print(
        f"{path.name}: sha256 {loaded.sha256[:16]}, {len(loaded.data):,} bytes, "
        f"{len(loaded.subgraphs[0].operators)} operators",
        highlight=False,
    )
    for warning in loaded.warnings:
        console.print(f"warning: {warning}", style="yellow", highlight=False, markup=False)
    golden = _golden(loaded, seed, input_path, golden_folder)
    with (
        Progress() as progress,
        open_target(target, board=resources.board(board), firmware=firmware, baud=baud) as opened,
    ):
        observation = job.observe(
            loaded,
            golden,
            opened,
            on_upload=progress.upload,
            on_operator=progress.operators(len(golden.operators)),
        )
    comparison = job.judge(
        loaded, golden, observation, folder=golden_folder, cycles_tolerance=cycles_tolerance
    )
    report.print_comparison(comparison, console)
    if json_path is not None:
        report.write_json(comparison, json_path)
    if html_path is not None:
        report.write_html(comparison, html_path, arena_svg=_arena_picture(loaded))
    _print_verdict(comparison, console, time.perf_counter() - started)
    return EXIT_DIFFERS if comparison.reasons else 0


def _golden(
    model: pyref.Model, seed: int | None, input_path: Path | None, folder: Path | None
) -> pyref.Golden:
    if folder is None:
        inputs = None if input_path is None else job.load_inputs(model, input_path)
        return job.make_golden(model, seed=seed, inputs=inputs)
    if seed is not None or input_path is not None:
        raise UsageError("--golden brings its own inputs; leave out --seed and --input")
    golden = pyref.Golden.read(folder)
    if golden.model_sha256 != model.sha256:
        raise pyref.GoldenError(
            f"{folder} is the golden of model {golden.model_sha256[:16]}, this is "
            f"{model.sha256[:16]}; write one with `hil golden MODEL --out DIR`"
        )
    return golden


def _arena_picture(model: pyref.Model) -> str:
    """The arena over time as our engine plans it."""
    from hil.check.steps import steps  # noqa: PLC0415 - only a page has the picture
    from hil.report.picture import svg  # noqa: PLC0415

    return svg(pyref.plan(model, tflm=job.ENGINE_RELEASE, kernels="reference"), steps(model))


def _print_verdict(comparison: Comparison, console: Console, total_s: float) -> None:
    reasons = comparison.reasons
    target = comparison.observation.target
    device_s = comparison.observation.link.seconds
    matched = sum(o.match for o in comparison.operators)
    verdict = f"FAIL: {', '.join(reasons)}" if reasons else "PASS"
    console.print(
        f"{verdict}: {matched} of {len(comparison.operators)} operators match on {target.board} "
        f"({target.kind})",
        style="bold red" if reasons else "bold green",
        highlight=False,
    )
    console.print(
        f"took {total_s:.1f} s: {target.kind} {device_s:.1f} s, host {total_s - device_s:.1f} s",
        highlight=False,
    )
