"""`hil plan`'s answer on the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hil.report.picture_text import text
from hil.report.table import line, new_table, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    import pyref
    from hil.check.plans import Plans
    from hil.check.steps import Step

_AXIS_WIDTH = 15
_WIDEST = 112


def plans_document(found: Plans, model: pyref.Model, written: str | None) -> dict[str, Any]:
    """Plans as JSON data; sizes and offsets in bytes."""
    best = found.optimum
    return {
        "model": model.sha256,
        "tflm": found.online.tflm,
        "kernels": found.online.kernels,
        "planner": found.online.planner,
        "online": _plan_document(found.online),
        "as_is": None if found.as_is is None else _plan_document(found.as_is),
        "best": {
            **_plan_document(found.best),
            "proven": best.proven,
            "method": best.method,
            "seconds": round(best.seconds, 3),
        },
        "lower_bound_bytes": best.lower_bound_bytes,
        "gain_bytes": found.gain_bytes,
        "written": written,
    }


def _plan_document(plan: pyref.Plan) -> dict[str, Any]:
    return {
        "head_bytes": plan.head_bytes,
        "arena_used_bytes": plan.arena_used_bytes,
        "smallest_arena_bytes": plan.smallest_arena_bytes,
        "buffers": [
            {
                "kind": p.buffer.kind,
                "subgraph": p.buffer.subgraph,
                "index": p.buffer.index,
                "name": p.buffer.name or p.buffer.op,
                "bytes": p.buffer.bytes,
                "offset": p.offset,
                "first_use": p.buffer.first_use,
                "last_use": p.buffer.last_use,
            }
            for p in plan.placed
        ],
    }


def print_plans(found: Plans, steps: Sequence[Step], console: Console) -> None:
    """Prints plans: sizes, TFLM's plan as a picture, and the best one where it is better."""
    bound, best = found.optimum.lower_bound_bytes, found.optimum
    sizes = new_table("plan", "head", "above the bound", "arena used", "smallest arena")

    def row(name: str, plan: pyref.Plan) -> None:
        sizes.add_row(
            name,
            f"{plan.head_bytes:,}",
            f"{plan.head_bytes - bound:,}",
            f"{plan.arena_used_bytes:,}",
            f"{plan.smallest_arena_bytes:,}",
        )

    row(f"{found.online.planner}, TFLM's planner", found.online)
    if found.as_is is not None:
        row("as in the file (offline plan)", found.as_is)
    row("best found", found.best)
    sizes.add_row("most bytes alive at once", f"{bound:,}", "0", "-", "-")
    print_table(console, sizes)
    console.print()
    line(console, found.verdict, style="bold")
    proof = "no smaller head exists" if best.proven else "not proven to be the smallest"
    line(console, f"best found by {best.method} in {best.seconds:.1f} s: {proof}")
    width = min(max(console.width - _AXIS_WIDTH, 20), _WIDEST)
    console.print()
    line(console, text(found.online, steps, width=width))
    if found.best.head_bytes < found.online.head_bytes:
        console.print()
        line(console, text(found.best, steps, width=width))
    console.print()
