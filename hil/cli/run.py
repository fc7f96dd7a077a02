"""`hil run`: the main job."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

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
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hil.compare import Comparison

    Array = NDArray[Any]

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
    pyref.prepare(loaded)
    stored = None if golden_folder is None else _stored(loaded, golden_folder, seed, input_path)
    given = None if input_path is None else _given(loaded, input_path)
    if stored is not None:
        inputs = stored.inputs
    else:
        inputs = pyref.seeded_inputs(loaded, seed or 0) if given is None else given
    with (
        ThreadPoolExecutor(max_workers=1) as pool,
        Progress() as progress,
        open_target(target, board=resources.board(board), firmware=firmware, baud=baud) as opened,
    ):
        # The golden is computed while the device works.
        computed = pool.submit(_golden, loaded, stored, seed, given)
        observation = job.observe(
            loaded,
            inputs,
            opened,
            on_upload=progress.upload,
            on_operator=progress.operators(len(loaded.subgraphs[0].operators)),
        )
        golden = computed.result()
        observation = job.capture(golden, observation, opened)
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


def _given(model: pyref.Model, path: Path) -> list[Array]:
    return pyref.check_inputs(model, job.load_inputs(model, path))


def _golden(
    model: pyref.Model,
    stored: pyref.Golden | None,
    seed: int | None,
    given: Sequence[Array] | None,
) -> pyref.Golden:
    if stored is not None:
        return stored
    return job.make_golden(model, seed=seed, inputs=given)


def _stored(
    model: pyref.Model, folder: Path, seed: int | None, input_path: Path | None
) -> pyref.Golden:
    if seed is not None or input_path is not None:
        raise UsageError("--golden brings its own inputs; leave out --seed and --input")
    golden = pyref.Golden.read(folder)
    golden.check_model(model)
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
