"""The HTML form: one self-contained page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2

from hil.report.document import document, write_text
from hil.report.terminal import describe_arena, describe_differences

if TYPE_CHECKING:
    from pathlib import Path

    from hil.compare import Comparison


def render(comparison: Comparison, *, arena_svg: str | None = None) -> str:
    """A comparison as a page; `arena_svg` is a picture of the arena over time to embed."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hil.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("comparison.html").render(
        report=document(comparison),
        arena=describe_arena(comparison.arena),
        differences=describe_differences(comparison),
        arena_svg=arena_svg,
    )


def write_html(comparison: Comparison, path: Path, *, arena_svg: str | None = None) -> None:
    """Writes the HTML form.

    Raises:
        UsageError: the file cannot be written.
    """
    write_text(path, render(comparison, arena_svg=arena_svg))
