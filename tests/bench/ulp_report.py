"""How far pyref's float32 operators lie from TFLM's (the `tflite-micro` package), in ULP.

    python tests/bench/ulp_report.py [--models FOLDER] [--filter TEXT] [--seeds N]

For every public model with float32 operators: each operator on TFLM's own inputs of that operator
("alone"), and the whole model, in which distances add up ("in the model"). A distance is counted
in units in the last place of the value itself, and, since a sum near zero is what is left of
larger numbers, also in those of the tensor's largest value. Prints, and checks nothing; the
bounds are held by tests/pyref/operators and tests/property.
"""

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse  # noqa: E402
import sys  # noqa: E402
from collections import defaultdict  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pyref  # noqa: E402
from tests.property.ulp import BOUNDS, Bound  # noqa: E402
from tests.public_models import MODELS  # noqa: E402
from tests.tflm import AVAILABLE, Case, run_many  # noqa: E402

AT_VALUE, OF_LARGEST = Bound(0), Bound(0, of_largest=True)


class Distances:
    """The largest distances seen of one operator.

    Attributes:
        alone: (at the value, of the largest), on TFLM's inputs.
        chained: the same in the whole model.
        operators: how many were compared.
        values: how many numbers.
        worst: model in which `alone` is largest.
    """

    def __init__(self):
        self.alone = (0.0, 0.0)
        self.chained = (0.0, 0.0)
        self.operators = self.values = 0
        self.worst = ""

    def add(self, alone, chained, expected, name):
        """Takes one output of one operator."""
        found = both(alone, expected)
        if found[0] > self.alone[0]:
            self.worst = name
        self.alone = tuple(map(max, self.alone, found))
        self.chained = tuple(map(max, self.chained, both(chained, expected)))
        self.operators += 1
        self.values += expected.size


def both(got, expected):
    """Distance at the value and in the unit of the largest."""
    got = got.reshape(expected.shape)
    return AT_VALUE.distance(got, expected), OF_LARGEST.distance(got, expected)


def is_float(model):
    """Whether some operator writes float32, and there is one subgraph."""
    (graph, *others) = model.subgraphs
    written = {i for o in graph.operators for i in o.outputs}
    return not others and any(graph.tensors[i].type == "FLOAT32" for i in written)


def alone(model, inputs, tensors):
    """Each operator's outputs on TFLM's own inputs of it."""
    frame = pyref.Interpreter(model)._frames[0]
    values = list(frame.values)
    for i, array in tensors.items():
        if values[i] is None or not frame.subgraph.tensors[i].is_variable:
            values[i] = array
    for i, array in zip(frame.subgraph.inputs, inputs, strict=True):
        values[i] = array
    for step in frame.steps:
        yield step.op, step.eval([None if i < 0 else values[i] for i in step.inputs])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", default=MODELS, help="folder of .tflite files")
    parser.add_argument("--filter", default="", help="only models whose path contains this")
    parser.add_argument("--seeds", type=int, default=3, help="inputs of each model")
    arguments = parser.parse_args()
    if not AVAILABLE:
        print("the tflite-micro package is not installed (Linux x86-64 only)")
        return
    paths = [
        p for p in sorted(Path(arguments.models).rglob("*.tflite")) if arguments.filter in str(p)
    ]
    models = [(p, pyref.Model.from_file(p)) for p in paths]
    jobs = [
        (path, model, pyref.seeded_inputs(model, seed))
        for path, model in models
        if is_float(model)
        for seed in range(arguments.seeds)
    ]
    if not jobs:
        print(f"no float32 models under {arguments.models}; set HIL_MODELS")
        return
    found = defaultdict(Distances)
    refused = set()
    results = run_many([Case(model.data, [inputs]) for _, model, inputs in jobs])
    for (path, model, inputs), result in zip(jobs, results, strict=True):
        name = f"{path.parent.name}/{path.name}"
        if result.refusal is not None:
            refused.add(f"{name}: refused by TFLM: {result.refusal.splitlines()[0][:60]}")
            continue
        compare(found, name, model, inputs, result)
    for line in sorted(refused):
        print(line)
    print_table(found)


def compare(found, name, model, inputs, result):
    """Adds the distances of one inference."""
    tensors = result.tensors[0]
    run = pyref.run(model, inputs)
    for (op, outputs), ran in zip(alone(model, inputs, tensors), run.operators, strict=True):
        for (i, chained), got in zip(ran.outputs.items(), outputs, strict=True):
            if got.dtype == np.float32:
                found[op].add(got, chained, tensors[i], name)
    ends = zip(run.outputs, result.outputs[0], strict=True)
    pairs = [both(a, b) for a, b in ends if a.dtype == np.float32]
    if pairs:
        worst = tuple(map(max, *pairs)) if len(pairs) > 1 else pairs[0]
        previous = ENDS.get(name, (0.0, 0.0))
        ENDS[name] = tuple(map(max, previous, worst))


#: Model to the largest distances of its outputs.
ENDS = {}


def print_table(found):
    print(f"{'':44s} {'-- alone --':>20s} {'-- in the model --':>20s}")
    print(
        f"{'operator':24s} {'outputs':>8s} {'values':>10s} {'at value':>10s} {'of largest':>10s}"
        f"{'at value':>10s} {'of largest':>10s}  bound; worst"
    )
    for op, d in sorted(found.items()):
        bound = BOUNDS.get(op, Bound(0))
        limit = f"{bound.most:.0f}{' of largest' if bound.of_largest else ''}"
        print(
            f"{op:24s} {d.operators:8d} {d.values:10d} {d.alone[0]:10.0f} {d.alone[1]:10.1f} "
            f"{d.chained[0]:9.0f} {d.chained[1]:10.1f}  {limit}; {d.worst}"
        )
    print("\noutputs of the models:")
    for name, (at_value, of_largest) in sorted(ENDS.items()):
        print(f"  {name:44s} {at_value:9.0f} at value, {of_largest:8.1f} of largest")


if __name__ == "__main__":
    main()
