"""Time of pyref and of TFLM (the `tflite-micro` package) on public models, side by side.

    python tests/bench/bench_models.py [--models FOLDER] [--filter TEXT] [--repeat N] [--batch N]

One thread. Prints milliseconds of one inference (the fastest of several) and checks nothing.
The models are found through HIL_MODELS, by default ../shared/models beside the repository.
"""

from __future__ import annotations

import os

# Before numpy is imported: BLAS reads these once.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pyref  # noqa: E402
from pyref.errors import PyrefError  # noqa: E402
from pyref.interpreter import Interpreter  # noqa: E402
from tests.public_models import MODELS  # noqa: E402
from tests.tflm import Case, run_many  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", default=MODELS, help="folder of .tflite files")
    parser.add_argument("--filter", default="", help="only models whose path contains this")
    parser.add_argument("--repeat", type=int, default=30, help="timed inferences of each")
    parser.add_argument("--batch", type=int, default=0, help="also time this many KWS inputs")
    arguments = parser.parse_args()
    files = sorted(Path(arguments.models).rglob("*.tflite"))
    files += sorted((ROOT / "fixtures").glob("c2_bn.tflite"))
    files = [path for path in files if arguments.filter in str(path)]
    if not files:
        print(f"no models under {arguments.models}; set HIL_MODELS")
        return
    runnable = [(path, pyref.Model.from_file(path)) for path in files]
    cases = [
        Case(model.data, [pyref.seeded_inputs(model, 0)], preserve=False, repeat=arguments.repeat)
        for _, model in runnable
    ]
    print(f"{'model':44s} {'ops':>4s} {'TFLM ms':>9s} {'pyref ms':>9s} {'ratio':>7s}  allowed")
    for (path, model), result in zip(runnable, run_many(cases), strict=True):
        report(path, model, result.best_s, arguments.repeat)
    if arguments.batch:
        batch(runnable, arguments.batch)


def report(path: Path, model: pyref.Model, tflm_s: float | None, repeat: int) -> None:
    name = f"{path.parent.name}/{path.name}"
    operators = sum(len(graph.operators) for graph in model.subgraphs)
    try:
        pyref_s = fastest(model, repeat)
    except PyrefError as error:
        print(f"{name:44s} {operators:4d} refused: {str(error)[:60]}")
        return
    if tflm_s is None:
        print(f"{name:44s} {operators:4d} {'-':>9s} {pyref_s * 1e3:9.3f}")
        return
    allowed = 2 * tflm_s + 50e-6 * operators
    print(
        f"{name:44s} {operators:4d} {tflm_s * 1e3:9.3f} {pyref_s * 1e3:9.3f} "
        f"{tflm_s / pyref_s:6.1f}x  {'ok' if pyref_s <= allowed else 'TOO SLOW'}"
    )


def fastest(model: pyref.Model, repeat: int) -> float:
    interpreter = Interpreter(model)
    inputs = pyref.seeded_inputs(model, 0)
    interpreter.invoke(inputs)
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        interpreter.invoke(inputs)
        best = min(best, time.perf_counter() - start)
    return best


def batch(runnable: list[tuple[Path, pyref.Model]], count: int) -> None:
    """Many inputs through the keyword spotting model, one after another, each on fresh state."""
    for path, model in runnable:
        if path.name != "kws_ref_model.tflite":
            continue
        inputs = [pyref.seeded_inputs(model, seed) for seed in range(count)]
        pyref.run(model, inputs[0])
        start = time.perf_counter()
        for each in inputs:
            pyref.run(model, each)
        pyref_s = time.perf_counter() - start
        result = run_many([Case(model.data, inputs[:1], preserve=False, repeat=count)])[0]
        tflm_s = (result.best_s or 0) * count
        print(f"{count} inputs of {path.name}: TFLM {tflm_s:.2f} s, pyref {pyref_s:.2f} s")


if __name__ == "__main__":
    main()
