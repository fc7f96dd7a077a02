# ruff: noqa: INP001 - a script beside the sources whose images it runs, no package
"""Records the fixtures' cycle goldens: `python boards/firmware/cycles.py [--check]`.

Runs every model of fixtures/ on the emulated board with the shipped image and writes the modelled
cycles and the instructions of each operator to fixtures/cycles/. Counts are of one image, so this
comes after `build.py` has changed it; counts of earlier images go, measured ones stay. With
`--check` nothing is written: the counts are taken anew and compared.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

import pyref
from hil import cycles, job, resources
from hil.targets import open_target

if TYPE_CHECKING:
    from pathlib import Path

    from hil.cycles import CycleGolden
    from hil.targets import Target

BOARD: Final = "stm32h747i_disco"


def models() -> list[Path]:
    """The models whose cycles are kept."""
    return sorted(resources.fixture("").glob("*.tflite"))


def count(target: Target, model: pyref.Model) -> CycleGolden:
    """Counts of a model with the inputs that `hil run` takes by itself."""
    golden = job.make_golden(model, seed=None)
    observation = job.observe(model, golden.inputs, target)
    return cycles.golden_of(observation, job.inputs_digest(golden.inputs))


def record(path: Path, counted: CycleGolden) -> None:
    """Puts counts into a file in place of those of the same kind and board."""
    origin = counted.origin
    others = [
        g for g in cycles.read(path) if (g.origin.kind, g.origin.board) != (origin.kind, BOARD)
    ]
    cycles.write_all(path, [*others, counted])


def main(arguments: list[str] | None = None) -> int:
    """Command line; returns an exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args(arguments).check
    stale = []
    with open_target("emulator", board=resources.board(BOARD)) as target:
        for path in models():
            model = pyref.Model.from_file(path)
            counted = count(target, model)
            stored = job.cycle_golden_path(model, None)
            same = cycles.find(cycles.read(stored), counted.origin) == counted
            if not same and check:
                stale.append(path.name)
            elif not same:
                record(stored, counted)
            state = "as committed" if same else ("DIFFERS" if check else "written")
            total = f"{sum(counted.cycles):,} {counted.origin.kind} cycles"
            print(f"{stored.name}  {path.name}  {total}, {state}")  # noqa: T201
    if stale:
        sys.stderr.write(
            f"run python boards/firmware/cycles.py: {', '.join(stale)} not up to date\n"
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
