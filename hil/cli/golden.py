"""`hil golden`: write golden tensors and plan, or regenerate and compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import pyref
from hil import cycles, job, resources
from hil.cli import EXIT_DIFFERS
from hil.cli.options import (
    FOLDER,
    board_option,
    check_inputs_given_once,
    firmware_option,
    input_option,
    model_argument,
    option,
    seed_option,
)

if TYPE_CHECKING:
    from pathlib import Path


@click.command("golden")
@model_argument
@option("--out", type=FOLDER, required=True, help="Folder to write, or to check.")
@seed_option
@input_option
@option("--check", is_flag=True, help="Regenerate and compare; write nothing.")
@option("--target", help="Also record this target's cycle counts (`emulator`, or a port's URL).")
@board_option
@option("--baud", type=click.IntRange(min=1), help="Baud rate [default: the board's].")
@firmware_option
def command(
    *,
    model: Path,
    out: Path,
    seed: int | None,
    input_path: Path | None,
    check: bool,
    target: str | None,
    board: str,
    baud: int | None,
    firmware: Path | None,
) -> int:
    """Writes the golden of MODEL: every tensor, and the arena plan."""
    check_inputs_given_once(seed, input_path)
    loaded = pyref.Model.from_file(model)
    stored = pyref.Golden.read(out) if check else None
    inputs = None if input_path is None else job.load_inputs(loaded, input_path)
    if stored is not None and seed is None and inputs is None:
        seed, inputs = stored.seed, None if stored.seed is not None else list(stored.inputs)
    golden = job.make_golden(loaded, seed=seed, inputs=inputs)
    counted = None
    if target is not None:
        from hil.targets import open_target  # noqa: PLC0415 - only where a target is asked for

        with open_target(
            target, board=resources.board(board), firmware=firmware, baud=baud
        ) as opened:
            observation = job.observe(loaded, golden.inputs, opened)
        counted = cycles.golden_of(observation, job.inputs_digest(golden.inputs))
    path = job.cycle_golden_path(loaded, out)
    if stored is not None:
        differences = stored.differences(golden)
        if counted is not None:
            found = cycles.find(cycles.read(path), counted.origin)
            differences += cycles.differences(found, counted)
        for line in differences:
            click.echo(line)
        click.echo(f"{out}: {len(differences)} differences, {len(golden.operators)} operators")
        return EXIT_DIFFERS if differences else 0
    for warning in (*loaded.warnings, *(golden.plan or {}).get("warnings", ())):
        click.echo(f"warning: {warning}", err=True)
    golden.write(out)
    click.echo(f"{out}: {len(golden.operators)} operators of {model.name}")
    cycles.forget_other_models(path, loaded.sha256)
    if counted is not None:
        cycles.write(path, counted)
        click.echo(f"{path}: {sum(counted.cycles):,} {counted.origin.kind} cycles")
    return 0
