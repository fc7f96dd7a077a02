"""`hil check`'s answer on the terminal and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hil.report.table import line, new_table, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from hil.check import ArenaNeed, FirmwareFindings, Placement, Verdict


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON data; sizes in bytes."""
    need, found = verdict.need, verdict.findings
    return {
        "model": verdict.model_sha256,
        "model_bytes": verdict.model_bytes,
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
        "firmware": None if found is None else {**asdict(found), "reasons": list(found.reasons)},
        "warnings": list(verdict.warnings),
    }


def _need_document(need: ArenaNeed) -> dict[str, Any]:
    return {
        "arena_used_bytes": need.used_bytes,
        "smallest_arena_bytes": need.smallest_bytes,
        "used_in_smallest_bytes": need.used_in_smallest_bytes,
        "recommended_bytes": need.recommended_bytes,
        "recommended_unaligned_bytes": need.recommended_unaligned_bytes,
        "head_bytes": need.head_bytes,
        "tail_bytes": need.tail_bytes,
        "temporary_bytes": need.temporary_bytes,
        "limit_owner": need.limit_owner,
        "limit_message": need.limit_message,
        "why": list(need.why),
        "sections": {name: dict(use) for name, use in need.sections.items()},
        "largest_consumers": {
            "head": [asdict(c) for c in need.head_consumers],
            "tail": [asdict(c) for c in need.tail_consumers],
        },
        "alternatives": [asdict(a) for a in need.alternatives],
    }


def print_verdict(verdict: Verdict, console: Console) -> None:
    """Prints a verdict: the arena, its sections and consumers, alternatives, memories."""
    for warning in verdict.warnings:
        line(console, f"warning: {warning}", style="yellow")
    if verdict.need is not None:
        _print_need(verdict.need, verdict, console)
    if verdict.placement is not None:
        _print_placement(verdict.placement, console)
    if verdict.findings is not None:
        _print_findings(verdict.findings, console)
    if verdict.arena_size_note is not None:
        console.print()
        line(console, f"note: {verdict.arena_size_note}", style="yellow")
    console.print()
    for reason in verdict.reasons:
        line(console, f"FAIL: {reason}", style="bold red")
    if not verdict.reasons:
        size = verdict.arena_size_bytes
        arena = "" if size is None else f" in an arena of {size:,} bytes"
        line(
            console,
            f"PASS: TFLM {verdict.tflm} with {verdict.kernels} kernels takes the model{arena}, "
            f"and it fits {verdict.board}",
            style="bold green",
        )


def _bytes(size: int | None) -> str:
    return "-" if size is None else f"{size:,}"


def _print_need(need: ArenaNeed, verdict: Verdict, console: Console) -> None:
    sizes = new_table(f"arena, TFLM {verdict.tflm}, {verdict.kernels}", "bytes")
    sizes.add_row(
        "put in the source: alignas(16) uint8_t arena[...]",
        _bytes(need.recommended_bytes),
        style="bold",
    )
    sizes.add_row("smallest that allocates", _bytes(need.smallest_bytes))
    sizes.add_row("used after AllocateTensors (arena_used_bytes)", _bytes(need.used_bytes))
    sizes.add_row("  head: activations and scratch", _bytes(need.head_bytes))
    sizes.add_row("  tail: persistent", _bytes(need.tail_bytes))
    print_table(console, sizes)
    for sentence in need.why:
        line(console, f"  {sentence}")
    console.print()
    sections = new_table("section (RecordingMicroAllocator)", "blocks", "requested", "used")
    for name, use in need.sections.items():
        sections.add_row(name, _bytes(use["count"]), _bytes(use["requested"]), _bytes(use["used"]))
    print_table(console, sections)
    console.print()
    largest = new_table("largest in the head, at its peak", "bytes")
    for consumer in need.head_consumers:
        largest.add_row(consumer.name, _bytes(consumer.bytes))
    largest.add_section()
    largest.add_row("largest in the tail", "", style="bold")
    for consumer in need.tail_consumers:
        largest.add_row(consumer.name, _bytes(consumer.bytes))
    print_table(console, largest)
    console.print()
    others = new_table("with another release or kernel set", "smallest", "used")
    for other in need.alternatives:
        others.add_row(
            f"TFLM {other.tflm}, {other.kernels}"
            + (f": refused, {other.refusal}" if other.refusal else ""),
            _bytes(other.smallest_bytes),
            _bytes(other.used_bytes),
        )
    print_table(console, others)
    console.print()


def _print_placement(placement: Placement, console: Console) -> None:
    memories = new_table("memory", "size", "free with arena", "free with model", "free with both")
    for memory in placement.memories:
        chosen = [
            what
            for what, where in (("model", placement.model), ("arena", placement.arena))
            if where == memory.name
        ]
        memories.add_row(
            memory.name + (f" <- {' and '.join(chosen)}" if chosen else ""),
            _bytes(memory.size_bytes),
            _bytes(memory.free_for_arena_bytes),
            _bytes(memory.free_for_model_bytes),
            _bytes(memory.free_for_both_bytes),
            style="bold" if chosen else None,
        )
    print_table(console, memories)
    line(console, "  before code, data and stack; negative: does not fit")
    for note in placement.notes:
        line(console, f"  {note}")


def _print_findings(found: FirmwareFindings, console: Console) -> None:
    console.print()
    uses = new_table("firmware takes of", "bytes", "free")
    for use in found.memories:
        if use.used_bytes:
            uses.add_row(use.name, _bytes(use.used_bytes), _bytes(use.free_bytes))
    print_table(console, uses)
    for arena in found.arenas:
        enough = (
            f"{arena.missing_bytes:,} bytes missing"
            if arena.missing_bytes
            else f"large enough ({arena.spare_bytes:,} to spare)"
        )
        line(
            console,
            f"  {arena.name}: {arena.size_bytes:,} bytes at 0x{arena.address:08X} "
            f"({arena.memory or 'no memory of the board'}): {enough}",
        )
    if found.model is not None:
        line(
            console,
            f"  carries the model at 0x{found.model.address:08X} "
            f"({found.model.memory or 'no memory of the board'})",
        )
    operators = found.registrations
    if operators.registered:
        lacking = ", ".join(operators.missing or operators.unclear)
        of_model = f"without {lacking}" if lacking else "the model's among them"
        line(console, f"  registers {len(operators.registered)} operators, {of_model}")
    else:
        line(console, "  no symbol names a TFLM registration")
    for note in found.notes:
        line(console, f"  note: {note}", style="yellow")
