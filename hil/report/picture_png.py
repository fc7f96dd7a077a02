"""The arena over time as a .png, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil.errors import UsageError
from hil.report.picture import caption, fit

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from hil.report.picture import Picture

_WIDTH_PIXELS = 1320
_DOTS_PER_INCH = 120
_MOST_NAMED_STEPS = 26
_PEAK_COLOUR = "#b3261e"


def draw_png(drawn: Picture, path: Path) -> None:
    """Writes the picture.

    Raises:
        UsageError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise UsageError(
            f"{path}: a .png needs matplotlib (pip install 'tflm-hil[plot]'); a .svg does not"
        ) from error
    figure = Figure(
        figsize=(_WIDTH_PIXELS / _DOTS_PER_INCH, 6.6 if drawn.tail else 5.6), layout="constrained"
    )
    if drawn.tail:
        head, tail = figure.subplots(2, 1, height_ratios=[12, 1])
        _draw_tail(drawn, tail)
    else:
        head = figure.subplots()
    _draw_head(drawn, head)
    try:
        figure.savefig(path, dpi=_DOTS_PER_INCH)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written ({error.strerror}); name a file in a folder that exists"
        ) from error


def _draw_head(drawn: Picture, axes: Axes) -> None:
    steps = len(drawn.steps)
    axes.axvspan(drawn.peak, drawn.peak + 1, color="#fdeeee", zorder=0)
    axes.grid(axis="y", color="#e3e7ec", zorder=0)
    pixels = 0.88 * _WIDTH_PIXELS / steps
    for block in drawn.blocks:
        width = block.last - block.first + 1
        axes.bar(
            block.first,
            block.size,
            width=width,
            bottom=block.offset,
            align="edge",
            color=block.colour,
            edgecolor="white",
            linewidth=0.6,
            zorder=2,
        )
        if block.size * 22 >= drawn.head_bytes:
            axes.text(
                block.first + width / 2,
                block.offset + block.size / 2,
                caption(block, width * pixels - 12),
                ha="center",
                va="center",
                fontsize=7,
                zorder=3,
            )
    axes.step(
        range(len(drawn.live_bytes) + 1),
        [*drawn.live_bytes, *drawn.live_bytes[-1:]],
        where="post",
        color="#1c2430",
        linewidth=0.9,
        linestyle=":",
        zorder=4,
    )
    axes.axvspan(
        drawn.peak, drawn.peak + 1, fill=False, edgecolor=_PEAK_COLOUR, linewidth=1.2, zorder=5
    )
    named = steps <= _MOST_NAMED_STEPS
    every = 1 if named else -(-steps // 40)
    shown = range(0, steps, every)
    axes.set_xticks(
        [k + 0.5 for k in shown],
        [
            f"{drawn.steps[k].op} {drawn.steps[k].tick}" if named else drawn.steps[k].tick
            for k in shown
        ],
        rotation=40 if named else 0,
        ha="right" if named else "center",
        fontsize=7,
    )
    axes.set_yticks(drawn.ticks, [f"{t:,}" for t in drawn.ticks], fontsize=8)
    axes.set(
        xlabel="operator, in order of execution (dotted: bytes alive; grey: scratch)",
        ylabel="bytes from the arena's begin",
        xlim=(0, steps),
        ylim=(0, drawn.head_bytes),
    )
    axes.set_title(drawn.title, loc="left", fontsize=11, fontweight="bold", pad=18)
    axes.text(0, 1.01, drawn.peak_text, transform=axes.transAxes, color=_PEAK_COLOUR, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_tail(drawn: Picture, axes: Axes) -> None:
    for part in drawn.tail:
        axes.barh(0, part.size, left=part.offset, color=part.colour, edgecolor="white")
        pixels = 0.88 * _WIDTH_PIXELS * part.size / drawn.tail_bytes
        axes.text(
            part.offset + part.size / 2,
            0,
            f"{fit(part.name, pixels - 6, 12)}\n{part.size:,}" if pixels > 60 else "",
            ha="center",
            va="center",
            fontsize=7,
        )
    axes.set_title(
        f"Tail: {drawn.tail_bytes:,} bytes, persistent (its own scale)", loc="left", fontsize=9
    )
    axes.set_xlim(0, drawn.tail_bytes)
    axes.axis("off")
