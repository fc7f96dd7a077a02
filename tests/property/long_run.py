"""The long run: `python -m tests.property.long_run --instances 20000 [--operator X] [--seed N]`.

Draws models for every operator until the wanted number of distinct ones (by SHA-256 of the
file) was compared, and prints a table. Deterministic by seed. Models on which pyref and TFLM
differ are shrunk and written to a folder, fixtures/regressions by default.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.property import regressions
from tests.property.check import Checker
from tests.property.compare import Outcome, Verdict
from tests.property.draw import SeededDraw
from tests.property.shrink import shrink
from tests.property.table import STRATEGIES
from tests.tflm import AVAILABLE

if TYPE_CHECKING:
    from tests.property.instance import Instance

#: Models sent to TFLM at once.
BATCH = 50
#: Draws per comparison wanted, after which an operator is given up.
MOST_DRAWS = 6


@dataclass
class Row:
    """What happened to one operator."""

    operator: str
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    ulp: float = 0
    seen: set[bytes] = field(default_factory=set)
    notes: dict[str, Verdict] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    @property
    def compared(self) -> int:
        """Distinct instances that both ran, equal or not."""
        ran = (Outcome.SAME, Outcome.PARTLY, Outcome.DIFFERENT)
        return sum(self.outcomes[o] for o in ran)

    def line(self) -> str:
        """The row as it is printed."""
        columns = [self.compared, self.outcomes[Outcome.REFUSED], self.outcomes[Outcome.CRASHED]]
        columns += [self.outcomes[Outcome.UNDEFINED], self.outcomes[Outcome.UNCHECKED]]
        columns += [self.outcomes[Outcome.DIFFERENT]]
        return f"{self.operator:<38}" + "".join(f"{n:>10}" for n in columns) + f"{self.ulp:>10.3g}"


HEADER = f"{'operator':<38}" + "".join(
    f"{name:>10}"
    for name in ("compared", "refused", "crashed", "undefined", "unchecked", "differ", "max ULP")
)


def run_operator(
    operator: str, wanted: int, seed: int, checker: Checker, folder: Path | None
) -> Row:
    """Compares `wanted` distinct models of one operator."""
    row = Row(operator)
    strategy, number = STRATEGIES[operator], 0
    while row.compared < wanted and number < MOST_DRAWS * wanted:
        batch: list[Instance] = []
        draws: list[list[int]] = []
        while len(batch) < min(BATCH, wanted - row.compared + 5) and number < MOST_DRAWS * wanted:
            draw = SeededDraw(f"{seed}/{operator}/{number}")
            number += 1
            instance = strategy(draw)
            digest = regressions.digest(instance)
            if digest not in row.seen:
                row.seen.add(digest)
                batch.append(instance)
                draws.append(draw.choices)
        answers = checker.witness.run_many(batch)
        for instance, choices, answer in zip(batch, draws, answers, strict=True):
            verdict = checker.judge(instance, answer)
            row.outcomes[verdict.outcome] += 1
            if verdict.outcome is not Outcome.DIFFERENT:
                row.ulp = max(row.ulp, verdict.ulp)
            if verdict.outcome in {Outcome.SAME, Outcome.PARTLY, Outcome.REFUSED}:
                continue
            kind = regressions.kind(verdict)
            if kind in row.notes:
                continue
            row.notes[kind] = verdict
            if verdict.outcome is Outcome.DIFFERENT and folder is not None:
                smallest = shrink(strategy, choices, kind)
                row.written.append(str(regressions.write(smallest, folder)))
    return row


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; 1 where anything differs or is too rare, 3 where TFLM is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.property.long_run", description=__doc__)
    parser.add_argument("--instances", type=int, default=20_000, help="models to compare in all")
    parser.add_argument("--operator", action="append", help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=100, help="models per operator, at least")
    parser.add_argument("--folder", type=Path, default=regressions.FOLDER)
    parser.add_argument("--no-shrink", action="store_true", help="write no models")
    given = parser.parse_args(arguments)
    if not AVAILABLE:
        print("the tflite-micro package is not installed (Linux x86-64 only)", file=sys.stderr)
        return 3
    operators = given.operator or list(STRATEGIES)
    wanted = max(given.least, -(-given.instances // len(operators)))
    checker, total, start = Checker(), Counter[Outcome](), time.monotonic()
    few = []
    print(HEADER)
    for operator in operators:
        folder = None if given.no_shrink else given.folder
        row = run_operator(operator, wanted, given.seed, checker, folder)
        total.update(row.outcomes)
        if row.compared < given.least:
            few.append(operator)
        print(row.line(), flush=True)
        for verdict in row.notes.values():
            print(f"    {verdict.outcome.value}: {verdict.why}")
        for path in row.written:
            print(f"    wrote {path}")
    checker.close()
    compared = total[Outcome.SAME] + total[Outcome.PARTLY] + total[Outcome.DIFFERENT]
    others = ", ".join(f"{n} {o.value}" for o, n in total.items() if o is not Outcome.SAME)
    print(f"{compared} compared ({others}) in {time.monotonic() - start:.0f} s, seed {given.seed}")
    if few:
        print(f"fewer than {given.least} compared: {', '.join(few)}")
    return 1 if few or total[Outcome.DIFFERENT] else 0


if __name__ == "__main__":
    sys.exit(main())
