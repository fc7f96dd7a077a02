"""The JSON form, whose keys scripts rely on: see the contract in hil/README.md."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from hil.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from hil.compare import Comparison, OperatorComparison, TensorComparison


def document(comparison: Comparison) -> dict[str, Any]:
    """A comparison as JSON data."""
    seen = comparison.observation
    target = seen.target
    return {
        "model": seen.model_sha256,
        "target": {
            "kind": target.kind,
            "board": target.board,
            "firmware": target.firmware_sha256,
            "kernels": target.kernels,
            "engine": target.engine,
            "clock_hz": target.clock_hz,
            "caches": target.caches,
        },
        "verdict": comparison.verdict,
        "reasons": list(comparison.reasons),
        "cycles_kind": target.cycles_kind,
        "cycles_note": comparison.cycles_note,
        "operators": [_operator(o) for o in comparison.operators],
        "arena": {
            "predicted": comparison.arena.predicted,
            "reported": comparison.arena.reported,
            "region": comparison.arena.region,
            "offsets_compared": comparison.arena.compared,
            "offsets_differing": [
                {"tensor": t, "predicted": p, "reported": r} for t, p, r in comparison.arena.offsets
            ],
        },
        "link": {"bytes": seen.link.bytes, "retries": seen.link.retries},
    }


def _operator(operator: OperatorComparison) -> dict[str, Any]:
    golden = operator.cycles_golden
    return {
        "index": operator.index,
        "op": operator.op,
        "tensors": [_tensor(t) for t in operator.tensors],
        "cycles": operator.cycles,
        "cycles_expected": None if golden is None else golden.expected,
        "instructions": operator.instructions,
    }


def _tensor(tensor: TensorComparison) -> dict[str, Any]:
    first = tensor.first_difference
    return {
        "tensor": tensor.tensor,
        "match": tensor.match,
        "mismatches": tensor.mismatches,
        "max_abs_diff": _number(tensor.max_abs_diff),
        "first_difference": None
        if first is None
        else {
            "index": list(first.index),
            "expected": _number(first.expected),
            "got": _number(first.got),
        },
    }


def _number(value: float | None) -> float | str | None:
    # JSON has no NaN or infinity; their names keep the file readable by every parser.
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def write_json(comparison: Comparison, path: Path) -> None:
    """Writes the JSON form.

    Raises:
        UsageError: the file cannot be written.
    """
    write_text(path, json.dumps(document(comparison), indent=1) + "\n")


def write_error(path: Path, model_sha256: str | None, error: Exception) -> None:
    """Writes that a run ended in an error, so that no older result stands for it.

    Raises:
        UsageError: the file cannot be written.
    """
    data = {
        "model": model_sha256,
        "verdict": "error",
        "error": {"type": type(error).__name__, "message": str(error)},
    }
    write_text(path, json.dumps(data, indent=1) + "\n")


def prepare_file(path: Path) -> None:
    """Empties a report file before the work, so that one that cannot be written is told first.

    Raises:
        UsageError: it cannot be written.
    """
    write_text(path, "")


def write_text(path: Path, text: str) -> None:
    """Writes a report file.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written ({error.strerror}); name a file in a folder that exists"
        ) from error
