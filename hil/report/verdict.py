"""`hil check`'s answer on the terminal and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from hil.check import ArenaNeed, FirmwareFindings, Placement, Verdict


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON data; sizes in bytes."""
    need = verdict.need
    return {
        "model": verdict.model_sha256,
        "board": verdict.board,
        "tflm": verdict.tflm,
        "kernels": verdict.kernels,
        "verdict": "fail" if verdict.reasons else "pass",
        "reasons": list(verdict.reasons),
        "refusal": verdict.refusal,
        "arena": None if need is None else _need_document(need),
        "arena_size": verdict.arena_size_bytes,
        "missing_bytes": verdict.missing_bytes,
        "allocation_failure": verdict.allocation_failure,
        "placement": None if verdict.placement is None else asdict(verdict.placement),
        "firmware": None if verdict.findings is None else asdict(verdict.findings),
        "warnings": list(verdict.warnings),
    }


def _need_document(need: ArenaNeed) -> dict[str, Any]:
    return {
        "arena_used_bytes": need.used_bytes,
        "smallest_arena_bytes": need.smallest_bytes,
        "recommended_bytes": need.recommended_bytes,
        "recommended_unaligned_bytes": need.recommended_unaligned_bytes,
        "head_bytes": need.head_bytes,
        "tail_bytes": need.tail_bytes,
        "peak_bytes": need.peak_bytes,
        "peak_owner": need.peak_owner,
        "why": list(need.why),
        "sections": {name: dict(use) for name, use in need.sections.items()},
        "largest_consumers": [{"name": n, "bytes": b} for n, b in need.consumers],
        "alternatives": [asdict(a) for a in need.alternatives],
    }


def print_verdict(verdict: Verdict, console: Console) -> None:
    """Prints a verdict: the arena, its sections and consumers, alternatives, memories."""
    for warning in verdict.warnings:
        console.print(f"warning: {warning}", style="yellow", highlight=False, markup=False)
    if verdict.need is not None:
        _print_need(verdict.need, verdict, console)
    if verdict.placement is not None:
        _print_placement(verdict.placement, console)
    if verdict.findings is not None:
        _print_findings(verdict.findings, console)
    console.print()
    for reason in verdict.reasons:
        console.print(f"FAIL: {reason}", style="bold red", highlight=False, markup=False)
    if not verdict.reasons:
        console.print(
            f"PASS: TFLM {verdict.tflm} with {verdict.kernels} kernels takes the model, "
            f"and it fits {verdict.board}",
            style="bold green",
            highlight=False,
        )


def _table(*columns: str) -> Table:
    """A borderless table whose first column is text and whose others are numbers."""
    table = Table(box=None, header_style="bold", pad_edge=False, title_justify="left")
    for position, name in enumerate(columns):
        table.add_column(name, justify="right" if position else "left")
    return table


def _bytes(size: int | None) -> str:
    return "-" if size is None else f"{size:,}"


def _print_need(need: ArenaNeed, verdict: Verdict, console: Console) -> None:
    table = _table(f"arena, TFLM {verdict.tflm}, {verdict.kernels}", "bytes")
    table.add_row(
        "put in the source: alignas(16) uint8_t arena[...]", _bytes(need.recommended_bytes)
    )
    table.add_row("smallest that allocates", _bytes(need.smallest_bytes))
    table.add_row("used after AllocateTensors (arena_used_bytes)", _bytes(need.used_bytes))
    table.add_row("  head: activations and scratch", _bytes(need.head_bytes))
    table.add_row("  tail: persistent", _bytes(need.tail_bytes))
    console.print(table)
    for line in need.why:
        console.print(f"  {line}", highlight=False, markup=False)
    console.print()
    sections = _table("section (RecordingMicroAllocator)", "blocks", "requested", "used")
    for name, use in need.sections.items():
        sections.add_row(name, _bytes(use["count"]), _bytes(use["requested"]), _bytes(use["used"]))
    console.print(sections)
    console.print()
    largest = _table("largest consumers", "bytes")
    for name, size in need.consumers:
        largest.add_row(name, _bytes(size))
    console.print(largest)
    console.print()
    others = _table("with another release or kernel set", "smallest", "used")
    for other in need.alternatives:
        others.add_row(
            f"TFLM {other.tflm}, {other.kernels}" + (f": {other.refusal}" if other.refusal else ""),
            _bytes(other.smallest_bytes),
            _bytes(other.used_bytes),
        )
    console.print(others)
    console.print()


def _print_placement(placement: Placement, console: Console) -> None:
    table = _table("memory", "size", "free with arena", "free with model", "free with both")
    for memory in placement.memories:
        marks = [
            name
            for name, chosen in (("model", placement.model), ("arena", placement.arena))
            if chosen == memory.name
        ]
        table.add_row(
            memory.name + (f" <- {' and '.join(marks)}" if marks else ""),
            _bytes(memory.size_bytes),
            _bytes(memory.free_for_arena_bytes),
            _bytes(memory.free_for_model_bytes),
            _bytes(memory.free_for_both_bytes),
        )
    console.print(table)
    console.print("  (before code, data and stack; negative: does not fit)", highlight=False)


def _print_findings(findings: FirmwareFindings, console: Console) -> None:
    console.print()
    if not findings.arenas:
        console.print("firmware: no symbol looks like an arena", highlight=False)
    for arena in findings.arenas:
        enough = f"{arena.missing_bytes:,} bytes missing" if arena.missing_bytes else "large enough"
        skew = f", {arena.misalignment_bytes} bytes off 16" if arena.misalignment_bytes else ""
        console.print(
            f"firmware: {arena.name}, {arena.size_bytes:,} bytes at 0x{arena.address:08X} "
            f"({arena.memory or 'no memory of the board'}{skew}): {enough}",
            highlight=False,
            markup=False,
        )
    if findings.registered:
        missing = ", ".join(findings.missing_operators) or "none missing"
        console.print(
            f"firmware: {len(findings.registered)} operators registered; {missing}",
            highlight=False,
        )
    else:
        console.print("firmware: symbols name no TFLM operator registrations", highlight=False)
