"""Cycle goldens: counts that are compared only with counts of the same kind.

A count means nothing away from its origin. An entry records kind, board, firmware, clock, cache
state and inputs; counts are compared where all of these agree, and otherwise not at all, which
the report says.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pyref import GoldenError

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
        GoldenError: the file is not of this format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise GoldenError(f"{path}: cannot be read ({error}); record the cycles again") from error
    try:
        data = json.loads(text)
        found = data["format"]
        entries = [_entry(entry) for entry in data["entries"]]
    except (KeyError, TypeError, ValueError) as error:
        raise GoldenError(
            f"{path}: not a cycle golden file ({error}); delete it and record it again"
        ) from error
    if found != FORMAT:
        raise GoldenError(f"{path}: format {found}, expected {FORMAT}; record it again")
    return entries


def _entry(entry: dict[str, Any]) -> CycleGolden:
    cycles, instructions = entry["cycles"], entry["instructions"]
    if len(cycles) != len(instructions):
        raise ValueError(f"{len(cycles)} cycles for {len(instructions)} operators")
    for count in (*cycles, *(i for i in instructions if i is not None)):
        if type(count) is not int or count < 0:
            raise ValueError(f"{count!r} is no count")
    return CycleGolden(CycleOrigin(**entry["origin"]), tuple(cycles), tuple(instructions))


def write(path: Path, golden: CycleGolden) -> None:
    """Adds a golden to a file, in place of an older one of the same origin or another model."""
    model = golden.origin.model
    entries = [g for g in read(path) if g.origin.model == model and g.origin != golden.origin]
    write_all(path, [*entries, golden])


def write_all(path: Path, goldens: list[CycleGolden]) -> None:
    """Writes a file that holds these goldens and no others."""
    data = {"format": FORMAT, "entries": [asdict(g) for g in goldens]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def forget_other_models(path: Path, model: str) -> None:
    """Removes entries of other models than `model`, and the file where none is left."""
    entries = read(path)
    mine = [g for g in entries if g.origin.model == model]
    if mine and mine != entries:
        write_all(path, mine)
    elif entries and not mine:
        path.unlink()


def find(goldens: list[CycleGolden], origin: CycleOrigin) -> CycleGolden | None:
    """The golden of this very origin."""
    return next((g for g in goldens if g.origin == origin), None)


def differences(stored: CycleGolden | None, counted: CycleGolden) -> list[str]:
    """What a recorded golden has otherwise than a new count, one sentence each."""
    if stored is None:
        return ["cycles.json: no entry of this board, firmware, clock and inputs"]
    if len(stored.cycles) != len(counted.cycles):
        return [f"cycles.json: {len(stored.cycles)} operators, {len(counted.cycles)} ran"]
    return [
        f"cycles.json: operator {k}: stored {a:,} cycles, counted {b:,}"
        for k, (a, b) in enumerate(zip(stored.cycles, counted.cycles, strict=True))
        if a != b
    ]


def compare(expected: int, got: int, tolerance: float) -> CycleComparison:
    """Compares one count; `tolerance` is a fraction of the golden count."""
    return CycleComparison(expected, got, within=abs(got - expected) <= tolerance * expected)
