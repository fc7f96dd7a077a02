"""The terminal form: a row per operator, the first difference spelt out, and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from hil.report.table import line, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from hil.compare import ArenaComparison, Comparison, OperatorComparison


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Prints a comparison."""
    target = comparison.observation.target
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("operator", no_wrap=True)
    table.add_column("tensors matched", justify="right")
    table.add_column("instructions", justify="right")
    table.add_column(f"{target.cycles_kind} cycles", justify="right")
    for operator in comparison.operators:
        table.add_row(*_row(operator), style=None if operator.match else "red")
    instructions = [o.instructions for o in comparison.operators]
    table.add_row(
        "",
        "total",
        f"{sum(o.match for o in comparison.operators)} / {len(comparison.operators)} operators",
        f"{sum(i for i in instructions if i is not None):,}" if None not in instructions else "-",
        f"{sum(o.cycles for o in comparison.operators):,}",
        style="bold",
    )
    print_table(console, table)
    line(console, f"arena   {describe_arena(comparison.arena)}")
    line(console, f"cycles  {comparison.cycles_note}")
    link = comparison.observation.link
    line(console, f"link    {link.bytes:,} bytes, {link.retries} retries")
    for sentence in describe_differences(comparison):
        line(console, sentence, style="red")


def _row(operator: OperatorComparison) -> tuple[str, ...]:
    cycles = f"{operator.cycles:,}"
    golden = operator.cycles_golden
    if golden is not None and not golden.within:
        cycles += f" (golden {golden.expected:,})"
    return (
        str(operator.index),
        operator.op,
        f"{sum(t.match for t in operator.tensors)} / {len(operator.tensors)}",
        "-" if operator.instructions is None else f"{operator.instructions:,}",
        cycles,
    )


def describe_arena(arena: ArenaComparison) -> str:
    """The arena's line: bytes, memory and how the plan compares."""
    where = f" in {arena.region}" if arena.region else ""
    reported = f"{arena.reported:,} bytes{where}"
    if arena.predicted is None:
        return f"{reported}; no plan for this engine to compare with"
    if arena.match:
        return f"{reported}, as planned; {arena.compared} tensor offsets equal"
    found = []
    if arena.predicted != arena.reported:
        found.append(f"planned {arena.predicted:,}")
    if arena.offsets:
        tensor, predicted, got = arena.offsets[0]
        found.append(
            f"{len(arena.offsets)} of {arena.compared} tensor offsets differ, first tensor "
            f"{tensor}: planned {predicted}, reported {'none' if got is None else got}"
        )
    return f"{reported}; {'; '.join(found)}"


def describe_differences(comparison: Comparison) -> list[str]:
    """Sentences for the first operator that differs; empty where none does."""
    found = comparison.first_difference
    if found is None:
        return []
    operator, tensor = found
    others = sum(not o.match for o in comparison.operators) - 1
    head = f"first difference: operator {operator.index} ({operator.op}), tensor {tensor.tensor}"
    if tensor.unstable:
        lines = [
            (
                f"{head}: the digest differs, but a second run gave the golden's bytes; "
                "suspect memory or caches, not the kernel"
            )
        ]
    elif tensor.first_difference is None:
        lines = [
            f"{head}: digest expected {tensor.digest_expected.hex()}, got {tensor.digest_got.hex()}"
        ]
    else:
        first = tensor.first_difference
        lines = [
            (
                f"{head}, index {list(first.index)}: expected {first.expected}, got {first.got}; "
                f"{tensor.mismatches:,} elements differ, by {tensor.max_abs_diff} at most"
            )
        ]
    if others > 0:
        lines.append(f"{others} more operators differ; they may only inherit this difference")
    return lines
