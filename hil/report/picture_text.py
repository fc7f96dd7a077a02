"""The arena over time in characters, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil.report.picture import Block, Picture, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hil.check.steps import Step
    from pyref import Plan

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SCRATCH = "#"
_FREE = "·"
_LEGEND = 12


def text(plan: Plan, steps: Sequence[Step], *, width: int = 76, height: int = 16) -> str:
    """The picture in characters.

    A column is an operator, drawn several characters wide or, of long models, one for several
    operators; a row is a slice of bytes. A letter is a tensor, `#` a scratch buffer, `·` free.
    """
    drawn = picture(plan, steps)
    columns = _columns(drawn, width)
    letters = _letters(drawn)
    lines = [drawn.title]
    for row in reversed(range(height)):
        low, high = row * drawn.head_bytes / height, (row + 1) * drawn.head_bytes / height
        cells = "".join(_cell(drawn, letters, step, low, high) for step in columns)
        lines.append(f"{int(high):>12,} |{cells}")
    marked = [i for i, step in enumerate(columns) if step == drawn.peak]
    ruler = "".join("^" if i in marked else "-" for i in range(len(columns)))
    lines.append(f"{0:>12,} +{ruler}")
    lines.append(f"{'':>14}{drawn.peak_text}")
    lines += _legend(drawn, letters)
    if drawn.tail:
        parts = ", ".join(f"{part.name} {part.size:,}" for part in drawn.tail)
        lines.append(f"Tail: {drawn.tail_bytes:,} bytes ({parts})")
    return "\n".join(lines)


def _columns(drawn: Picture, width: int) -> list[int]:
    """The step that each character across shows; the peak's is among them."""
    number = max(len(drawn.steps), 1)
    if number <= width:
        return [step for step in range(number) for _ in range(max(min(width // number, 8), 1))]
    columns = [k * number // width for k in range(width)]
    columns[min(drawn.peak * width // number, width - 1)] = drawn.peak
    return columns


def _letters(drawn: Picture) -> dict[Block, str]:
    tensors = [b for b in drawn.blocks if b.number]
    letters = {b: _LETTERS[k % len(_LETTERS)] for k, b in enumerate(tensors)}
    return {b: letters.get(b, _SCRATCH) for b in drawn.blocks}


def _cell(drawn: Picture, letters: dict[Block, str], step: int, low: float, high: float) -> str:
    """The letter of the block that has most of a slice; a sliver of one is better than none."""
    best, most = _FREE, 0.0
    for block in drawn.blocks:
        if block.first <= step <= block.last:
            share = min(high, block.offset + block.size) - max(low, block.offset)
            if share > most:
                best, most = letters[block], share
    return best


def _legend(drawn: Picture, letters: dict[Block, str]) -> list[str]:
    """The largest tensors, by letter."""
    largest = sorted(drawn.blocks, key=lambda b: -b.size)[:_LEGEND]
    lines = [
        f"{'':>14}{letters[b]} {b.label}: {b.size:,} bytes at {b.offset:,}"
        for b in sorted(largest, key=lambda b: (b.first, b.offset))
    ]
    left_out = len(drawn.blocks) - len(largest)
    return [*lines, f"{'':>14}and {left_out} smaller"] if left_out else lines
