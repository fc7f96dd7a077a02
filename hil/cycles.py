"""Cycle goldens: counts that are compared only with counts of the same kind.

A count means nothing away from its origin. An entry records kind, board, firmware, clock, cache
state and inputs; counts are compared where all of these agree, and otherwise not at all, which
the report says.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hil.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from hil.observation import Observation

FORMAT = 1


@dataclass(frozen=True, slots=True)
class CycleOrigin:
    """Everything that two counts must share to be comparable."""

    model: str
    inputs: str
    kind: str
    board: str
    firmware: str
    clock_hz: int
    caches: str


@dataclass(frozen=True, slots=True)
class CycleGolden:
    """Cycles and instructions per operator, in execution order."""

    origin: CycleOrigin
    cycles: tuple[int, ...]
    instructions: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CycleComparison:
    """How one operator's count stands to its golden.

    Attributes:
        expected: golden count.
        got: observed count.
        within: whether |got - expected| <= tolerance * expected.
    """

    expected: int
    got: int
    within: bool


def origin_of(observation: Observation, inputs_digest: str) -> CycleOrigin:
    """The origin of an observation's counts."""
    target = observation.target
    return CycleOrigin(
        model=observation.model_sha256,
        inputs=inputs_digest,
        kind=target.cycles_kind,
        board=target.board,
        firmware=target.firmware_sha256,
        clock_hz=target.clock_hz,
        caches=target.caches,
    )


def golden_of(observation: Observation, inputs_digest: str) -> CycleGolden:
    """An observation's counts as a golden."""
    return CycleGolden(
        origin=origin_of(observation, inputs_digest),
        cycles=tuple(o.cycles for o in observation.operators),
        instructions=tuple(o.instructions for o in observation.operators),
    )


def read(path: Path) -> list[CycleGolden]:
    """Reads a cycle golden file; an absent file holds none.

    Raises:
        UsageError: the file is not of this format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    try:
        data = json.loads(text)
        found = data["format"]
        entries = [
            CycleGolden(
                CycleOrigin(**entry["origin"]),
                tuple(entry["cycles"]),
                tuple(entry["instructions"]),
            )
            for entry in data["entries"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"{path}: not a cycle golden file ({error}); delete it and record it again"
        ) from error
    if found != FORMAT:
        raise UsageError(f"{path}: format {found}, expected {FORMAT}; record it again")
    return entries


def write(path: Path, golden: CycleGolden) -> None:
    """Adds a golden to a file, in place of an older one of the same origin."""
    entries = [g for g in read(path) if g.origin != golden.origin] + [golden]
    data: dict[str, Any] = {
        "format": FORMAT,
        "entries": [asdict(g) for g in entries],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def find(goldens: list[CycleGolden], origin: CycleOrigin) -> CycleGolden | None:
    """The golden of this very origin."""
    return next((g for g in goldens if g.origin == origin), None)


def compare(expected: int, got: int, tolerance: float) -> CycleComparison:
    """Compares one count; `tolerance` is a fraction of the golden count."""
    return CycleComparison(expected, got, within=abs(got - expected) <= tolerance * expected)
