"""`hil inspect`: what is in a model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

import pyref
from hil.cli.options import json_option, model_argument, option
from hil.report.document import write_text
from pyref import inspect

if TYPE_CHECKING:
    from pathlib import Path


@click.command("inspect")
@model_argument
@option("--bytes", "walk_bytes", is_flag=True, help="Walk the container byte by byte.")
@json_option
def command(*, model: Path, walk_bytes: bool, json_path: Path | None) -> int:
    """Prints operators, tensors, quantisation, constants and what a resolver must register."""
    loaded = pyref.Model.from_file(model)
    click.echo(inspect.walk_text(loaded.data) if walk_bytes else inspect.text(loaded))
    if json_path is not None:
        content = inspect.walk_json(loaded.data) if walk_bytes else inspect.describe(loaded)
        write_text(json_path, json.dumps(content, indent=1) + "\n")
    return 0
