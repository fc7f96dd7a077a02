"""The arena over time: operators across, bytes up, one block per buffer, the peak marked."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import jinja2

from hil.check.arena import label
from hil.errors import UsageError
from hil.report.document import write_text
from pyref.arena.buffers import ONLINE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hil.check.steps import Step
    from pyref import Plan
    from pyref.arena import Buffer

#: Fills of tensors: neighbours by index differ in hue; dark text reads on each. Scratch is grey.
COLOURS = (
    "#9ecae9",
    "#ffbf79",
    "#b5cf6b",
    "#f2a7a0",
    "#c7b3e5",
    "#8fd3c4",
    "#f7d774",
    "#e7a9cf",
    "#c3a98f",
)
SCRATCH_COLOUR = "#c9c9c9"
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Block:
    """One buffer: from `first` to `last` step (inclusive), from `offset` up by `size` bytes.

    `number` tells it apart where there is no room for more; "" for a scratch buffer.
    """

    number: str
    name: str
    label: str
    first: int
    last: int
    offset: int
    size: int
    colour: str


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the tail, `offset` bytes from its begin in the drawing."""

    name: str
    offset: int
    size: int
    colour: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw.

    Attributes:
        title: model-independent heading.
        blocks: in the planner's order.
        steps: what happens in each column.
        head_bytes: height of the head; 1 where it is empty.
        live_bytes: bytes alive at each step.
        peak: step with most bytes alive.
        ticks: round numbers of bytes for the axis.
        tail: the persistent side by consumer, largest first; empty where it is not known.
        tail_bytes: sum of these.
    """

    title: str
    blocks: tuple[Block, ...]
    steps: tuple[Step, ...]
    head_bytes: int
    live_bytes: tuple[int, ...]
    peak: int
    ticks: tuple[int, ...]
    tail: tuple[Part, ...]
    tail_bytes: int

    @property
    def peak_text(self) -> str:
        """The peak in words."""
        alive = self.live_bytes[self.peak] if self.live_bytes else 0
        gaps = self.head_bytes - alive if alive else 0
        above = f"; the head has {gaps:,} more, in gaps" if gaps else ""
        what = str(self.steps[self.peak]) if self.peak < len(self.steps) else f"step {self.peak}"
        return f"peak: {what}, {alive:,} bytes alive{above}"


def picture(plan: Plan, steps: Sequence[Step]) -> Picture:
    """Lays out a plan.

    Args:
        plan: the plan.
        steps: the model's allocation scopes (`hil.check.steps`).
    """
    live = tuple(plan.live_bytes())
    columns = tuple(steps)[: max(len(live), 1)]
    tail = tuple(_tail(plan))
    return Picture(
        title=f"Arena head: {plan.head_bytes:,} bytes ({_planner(plan)}, {_source(plan)})",
        blocks=tuple(_block(p.buffer, p.offset) for p in plan.placed if _drawn(p.buffer)),
        steps=columns,
        head_bytes=max(plan.head_bytes, 1),
        live_bytes=live,
        peak=live.index(max(live)) if live else 0,
        ticks=tuple(axis_ticks(plan.head_bytes)),
        tail=tail,
        tail_bytes=sum(part.size for part in tail),
    )


def _planner(plan: Plan) -> str:
    """Who chose the offsets: the file where it has any, else TFLM's planner."""
    fixed = any(p.buffer.offline_offset != ONLINE for p in plan.placed)
    return "offline plan" if fixed else f"{plan.planner} planner"


def _source(plan: Plan) -> str:
    if plan.tflm.startswith("hil"):
        return f"engine {plan.tflm}"
    return f"TFLM {plan.tflm}, {plan.kernels} kernels"


def _drawn(buffer: Buffer) -> bool:
    return buffer.first_use >= 0 and buffer.size > 0


def _block(buffer: Buffer, offset: int) -> Block:
    scratch = buffer.kind == "scratch"
    number = f"{buffer.subgraph}:{buffer.index}" if buffer.subgraph else str(buffer.index)
    return Block(
        number="" if scratch else number,
        name="scratch" if scratch else buffer.name.rsplit(";", 1)[-1],
        label=label(buffer),
        first=buffer.first_use,
        last=buffer.last_use,
        offset=offset,
        size=buffer.size,
        colour=SCRATCH_COLOUR if scratch else COLOURS[buffer.index % len(COLOURS)],
    )


def _tail(plan: Plan) -> list[Part]:
    """Persistent memory by kind of consumer."""
    totals: dict[str, int] = {}
    for consumer in plan.consumers:
        totals[consumer.part] = totals.get(consumer.part, 0) + consumer.used
    ordered = sorted(totals.items(), key=lambda item: -item[1])
    starts = itertools.accumulate((size for _, size in ordered), initial=0)
    return [
        Part(name, start, size, COLOURS[k % len(COLOURS)])
        for k, ((name, size), start) in enumerate(zip(ordered, starts, strict=False))
        if size
    ]


def axis_ticks(size_bytes: int, number: int = _TICKS) -> list[int]:
    """Round numbers from 0 on, and `size_bytes` itself instead of one that is close to it."""
    step = next(
        unit * 10**power
        for power in range(12)
        for unit in (1, 2, 5)
        if unit * 10**power * number >= size_bytes
    )
    return [t for t in range(0, size_bytes, step) if size_bytes - t > step / 3] + [size_bytes]


def svg(plan: Plan, steps: Sequence[Step]) -> str:
    """The picture as an SVG element; each block's title shows on hover."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hil.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    drawn = picture(plan, steps)
    return environment.get_template("arena.svg").render(
        picture=drawn, names=_names(drawn), fit=fit, caption=caption
    )


#: With more steps than that, operators are numbered and not named.
_MOST_NAMED_STEPS = 26
#: Columns at least that wide take their names upright, in pixels.
_UPRIGHT = 110
#: Width of the drawing's plot, in pixels; arena.svg has the same.
PLOT_WIDTH = 984
#: Width of a character of the drawing's font over its size, generously.
_CHARACTER = 0.6


def _names(drawn: Picture) -> str:
    """How columns are labelled: "upright" or "slanted" names, or "numbers"."""
    if len(drawn.steps) > _MOST_NAMED_STEPS:
        return "numbers"
    return "upright" if len(drawn.steps) * _UPRIGHT <= PLOT_WIDTH else "slanted"


def fit(words: str, width: float, size: float = 11) -> str:
    """`words`, cut to fit `width` pixels in a font of `size`; "" where nothing of use fits.

    The end is kept: that is what tells tensors' names apart.
    """
    room = int(width / (size * _CHARACTER) + 0.1)
    if len(words) <= room:
        return words
    return "" if room < 4 else f"…{words[len(words) - room + 1 :]}"


def caption(block: Block, width: float) -> str:
    """A block's number and as much of its name as fits into `width` pixels."""
    if not block.number:
        return fit(block.name, width)
    name = fit(block.name, width - (len(block.number) + 1) * 11 * _CHARACTER)
    return f"{block.number} {name}" if name else fit(block.number, width + 4)


def draw(plan: Plan, steps: Sequence[Step], path: Path) -> None:
    """Writes the picture as .svg or .png, by the path's suffix.

    Raises:
        UsageError: another suffix, no matplotlib for a .png, or a file that cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix == ".svg":
        write_text(path, svg(plan, steps))
    elif suffix == ".png":
        from hil.report.picture_png import draw_png  # noqa: PLC0415 - matplotlib is an extra

        draw_png(picture(plan, steps), path)
    else:
        raise UsageError(f"{path}: a picture is a .svg or a .png file")
