"""The arena over time: operators across, bytes up, one block per buffer, the peak marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jinja2

from hil.check.arena import label
from hil.errors import UsageError
from hil.report.document import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from pyref import Plan

#: Fill colours, told apart by hue and lightness; scratch buffers are grey.
COLOURS = ("#4e79a7", "#f28e2b", "#76b7b2", "#e15759", "#59a14f", "#edc948", "#b07aa1", "#9c755f")
SCRATCH_COLOUR = "#bab0ac"


@dataclass(frozen=True, slots=True)
class Block:
    """One buffer: from `first` to `last` operator (inclusive), from `offset` up by `size` bytes."""

    label: str
    first: int
    last: int
    offset: int
    size: int
    colour: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw.

    Attributes:
        steps: operators across.
        head_bytes: height of the head.
        live_bytes: bytes alive at each step.
        peak: step with most bytes alive.
    """

    title: str
    blocks: tuple[Block, ...]
    steps: int
    head_bytes: int
    live_bytes: tuple[int, ...]
    peak: int


def picture(plan: Plan) -> Picture:
    """Lays out a plan's head."""
    live = tuple(plan.live_bytes())
    blocks = tuple(
        Block(
            label=label(p.buffer),
            first=p.buffer.first_use,
            last=p.buffer.last_use,
            offset=p.offset,
            size=p.buffer.size,
            colour=SCRATCH_COLOUR
            if p.buffer.kind == "scratch"
            else COLOURS[p.buffer.index % len(COLOURS)],
        )
        for p in plan.placed
        if p.buffer.first_use >= 0 and p.buffer.size
    )
    return Picture(
        title=f"Arena head, {plan.head_bytes:,} bytes ({plan.planner}; TFLM {plan.tflm}, "
        f"{plan.kernels})",
        blocks=blocks,
        steps=max(len(live), 1),
        head_bytes=max(plan.head_bytes, 1),
        live_bytes=live,
        peak=live.index(max(live)) if live else 0,
    )


def svg(plan: Plan) -> str:
    """The picture as an SVG element; each block's title shows on hover."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hil.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("arena.svg").render(
        picture=picture(plan), width=900, height=420, left=90, top=40, bottom=40
    )


def draw(plan: Plan, path: Path) -> None:
    """Writes the picture as .svg or .png, by the path's suffix.

    Raises:
        UsageError: another suffix, no matplotlib for a .png, or a file that cannot be written.
    """
    if path.suffix == ".svg":
        write_text(path, svg(plan))
    elif path.suffix == ".png":
        _draw_png(picture(plan), path)
    else:
        raise UsageError(f"{path}: a picture is a .svg or a .png file")


def _draw_png(drawn: Picture, path: Path) -> None:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise UsageError(
            f"{path}: a .png needs matplotlib (pip install 'tflm-hil[plot]'); a .svg does not"
        ) from error
    figure = Figure(figsize=(10, 5), layout="constrained")
    axes = figure.subplots()
    for block in drawn.blocks:
        axes.bar(
            block.first,
            block.size,
            width=block.last - block.first + 1,
            bottom=block.offset,
            align="edge",
            color=block.colour,
            edgecolor="white",
            linewidth=0.5,
        )
    axes.axvspan(drawn.peak, drawn.peak + 1, fill=False, edgecolor="black", linestyle="--")
    axes.set(
        title=drawn.title,
        xlabel="operator",
        ylabel="bytes from the arena's begin",
        xlim=(0, drawn.steps),
        ylim=(0, drawn.head_bytes),
    )
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error


def text(plan: Plan, *, width: int = 72, height: int = 16) -> str:
    """The picture in characters: a column per operator (or several), a row per slice of bytes."""
    drawn = picture(plan)
    columns = min(drawn.steps, width)
    rows = []
    for row in reversed(range(height)):
        middle = (row + 0.5) * drawn.head_bytes / height
        line = ""
        for column in range(columns):
            step = column * drawn.steps // columns
            line += next(
                (
                    chr(ord("A") + k % 26)
                    for k, b in enumerate(drawn.blocks)
                    if b.first <= step <= b.last and b.offset <= middle < b.offset + b.size
                ),
                ".",
            )
        rows.append(f"{int((row + 1) * drawn.head_bytes / height):>10,} |{line}")
    mark = drawn.peak * columns // drawn.steps
    rows.append(
        f"{'':>10}  {'':>{mark}}^ peak: operator {drawn.peak}, "
        f"{max(drawn.live_bytes, default=0):,} bytes alive"
    )
    return "\n".join([drawn.title, *rows])
