"""`hil run`: the main job."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

import pyref
from emulator.errors import EmulatorError
from hil import job, report, resources
from hil.cli import EXIT_DIFFERS
from hil.cli.beside import beside
from hil.cli.options import (
    FILE,
    FOLDER,
    FRACTION,
    MODEL,
    board_option,
    check_inputs_given_once,
    firmware_option,
    input_option,
    json_option,
    option,
    seed_option,
)
from hil.cli.progress import Progress
from hil.errors import HilError, UsageError
from hil.targets import open_target

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hil.compare import Comparison
    from hil.targets import Target

    Array = NDArray[Any]

DEFAULT_MODEL = "c2_bn.tflite"


@click.command("run")
@click.argument("model", type=MODEL, required=False)
@option("--target", default="emulator", show_default=True, help="`emulator`, or a port's URL.")
@board_option
@option("--baud", type=click.IntRange(min=1), help="Baud rate [default: the board's].")
@seed_option
@input_option
@option("--golden", "golden_folder", type=FOLDER, help="Golden folder to compare with.")
@firmware_option
@option(
    "--cycles-tolerance",
    type=FRACTION,
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
    if json_path is not None and json_path == html_path:
        raise click.UsageError("--json and --html name the same file")
    for path in filter(None, (json_path, html_path)):
        report.prepare_file(path)
    console = Console()
    path = model or resources.fixture(DEFAULT_MODEL)
    loaded = None
    try:
        loaded = pyref.Model.from_file(path)
        _print_model(loaded, path.name, console)
        inputs = _Inputs.choose(loaded, seed, input_path, golden_folder)
        comparison = _compare(
            loaded,
            inputs,
            open_target(target, board=resources.board(board), firmware=firmware, baud=baud),
            golden_folder,
            cycles_tolerance,
        )
    except (HilError, pyref.PyrefError, EmulatorError) as error:
        if json_path is not None:
            report.write_error(json_path, None if loaded is None else loaded.sha256, error)
        raise
    if json_path is not None:
        report.write_json(comparison, json_path)
    if html_path is not None:
        report.write_html(comparison, html_path, arena_svg=_arena_picture(loaded))
    report.print_comparison(comparison, console)
    _print_verdict(comparison, console, time.perf_counter() - started)
    return EXIT_DIFFERS if comparison.reasons else 0


def _print_model(model: pyref.Model, name: str, console: Console) -> None:
    report.line(
        console,
        f"{name}: sha256 {model.sha256[:16]}, {len(model.data):,} bytes, "
        f"{len(model.subgraphs[0].operators)} operators",
    )
    for warning in model.warnings:
        report.line(console, f"warning: {warning}", style="yellow")


@dataclass(frozen=True)
class _Inputs:
    """What to send, and the golden for it, which is computed only when asked for."""

    arrays: Sequence[Array]
    golden: Callable[[], pyref.Golden]

    @classmethod
    def choose(
        cls, model: pyref.Model, seed: int | None, path: Path | None, folder: Path | None
    ) -> _Inputs:
        pyref.prepare(model)
        if folder is not None:
            if seed is not None or path is not None:
                raise UsageError("--golden brings its own inputs; leave out --seed and --input")
            golden = pyref.Golden.read(folder)
            golden.check_model(model)
            return cls(golden.inputs, lambda: golden)
        if path is not None:
            given = pyref.check_inputs(model, job.load_inputs(model, path))
            return cls(given, lambda: job.make_golden(model, seed=None, inputs=given))
        return cls(pyref.seeded_inputs(model, seed or 0), lambda: job.make_golden(model, seed=seed))


def _compare(
    model: pyref.Model,
    inputs: _Inputs,
    target: Target,
    folder: Path | None,
    cycles_tolerance: float,
) -> Comparison:
    """Runs and judges; the golden is computed while the device works."""
    with beside() as pool, Progress() as progress, target as opened:
        computed = pool.submit(inputs.golden)
        observation = job.observe(
            model,
            inputs.arrays,
            opened,
            on_upload=progress.upload,
            on_operator=progress.operators(len(model.subgraphs[0].operators)),
        )
        golden = computed.result()
        observation = job.capture(golden, observation, opened)
    return job.judge(model, golden, observation, folder=folder, cycles_tolerance=cycles_tolerance)


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
    report.line(
        console,
        f"{verdict}: {matched} of {len(comparison.operators)} operators match on {target.board} "
        f"({target.kind})",
        style="bold red" if reasons else "bold green",
    )
    report.line(
        console,
        f"took {total_s:.1f} s: {target.kind} {device_s:.1f} s, host {total_s - device_s:.1f} s",
    )
