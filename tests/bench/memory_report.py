"""Peak memory of pyref on public models, against 12 times the largest tensor plus the model.

    python tests/bench/memory_report.py [--models FOLDER] [--filter TEXT] [--top N]

Counts what is allocated (tracemalloc, to which numpy reports) from the moment the model is loaded:
Prepare, one inference and its results, which hold every operator's outputs. The model's own bytes
and constants are no part of it. An inference of another model, and one of this one, go first, so
that modules and compiled loops are loaded. Prints, and checks nothing.
"""

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse  # noqa: E402
import sys  # noqa: E402
import tracemalloc  # noqa: E402
from pathlib import Path  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pyref  # noqa: E402
from pyref.errors import PyrefError  # noqa: E402
from tests.public_models import MODELS  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", default=MODELS, help="folder of .tflite files")
    parser.add_argument("--filter", default="", help="only models whose path contains this")
    parser.add_argument("--top", type=int, default=0, help="also the N largest places at the end")
    arguments = parser.parse_args()
    files = sorted(Path(arguments.models).rglob("*.tflite"))
    files += sorted((ROOT / "fixtures").glob("c2_bn.tflite"))
    files = [path for path in files if arguments.filter in str(path)]
    if not files:
        print(f"no models under {arguments.models}; set HIL_MODELS")
        return
    print(f"{'model':44s} {'prepared':>9s} {'peak':>9s} {'results':>9s} {'allowed':>9s}  KiB")
    for path in files:
        report(path, arguments.top)


def report(path: Path, top: int) -> None:
    name = f"{path.parent.name}/{path.name}"
    model = pyref.Model.from_file(path)
    inputs = pyref.seeded_inputs(model, 0)
    try:
        pyref.Interpreter(model).invoke(inputs)
    except PyrefError as error:
        print(f"{name:44s} refused: {str(error)[:60]}")
        return
    tracemalloc.start(1)
    try:
        interpreter = pyref.Interpreter(model)
        prepared, _ = tracemalloc.get_traced_memory()
        run = interpreter.invoke(inputs)
        _, peak = tracemalloc.get_traced_memory()
        snapshot = tracemalloc.take_snapshot() if top else None
    finally:
        tracemalloc.stop()
    results = sum(a.nbytes for o in run.operators for a in o.outputs.values())
    allowed = allowance(model)
    verdict = "ok" if peak <= allowed else "ABOVE"
    print(
        f"{name:44s} {prepared / 1024:9.1f} {peak / 1024:9.1f} {results / 1024:9.1f} "
        f"{allowed / 1024:9.1f}  {verdict}"
    )
    if snapshot is not None:
        for place in snapshot.statistics("lineno")[:top]:
            print(f"    {place}")


def allowance(model: pyref.Model) -> int:
    """12 times the largest tensor plus the model, in bytes; a constant is a tensor, too."""
    largest = max(t.size * t.dtype.itemsize for g in model.subgraphs for t in g.tensors)
    return 12 * largest + len(model.data)


if __name__ == "__main__":
    main()
