"""The engine's plan against pyref's on random graphs, where lifetimes and sizes vary more."""

from __future__ import annotations

import random

import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, Tensor, build
from tests.firmware.engine_on_host import needs_gcc, run

pytestmark = needs_gcc


class Graph:
    """A random graph of ADD, CONCATENATION and RESHAPE over int8 vectors."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a test's choices
        self.tensors: list[Tensor] = []
        self.sizes: list[int] = []
        self.written: list[int] = []
        self.operators: list[Operator] = []
        self.inputs = [self.tensor(self.size()) for _ in range(self.random.randint(1, 3))]
        self.written += self.inputs
        for _ in range(self.random.randint(1, 14)):
            self.operator()

    def size(self) -> int:
        return self.random.choice([1, 15, 16, 17, 40, 100, self.random.randint(1, 300)])

    def tensor(self, size: int) -> int:
        self.tensors.append(Tensor([size], scale=0.5))
        self.sizes.append(size)
        return len(self.tensors) - 1

    def operator(self) -> None:
        a, b = self.random.choice(self.written), self.random.choice(self.written)
        if self.random.random() < 0.2:
            self.tensor(self.size())  # which nothing uses; TFLM plans it all the same
        if self.random.random() < 0.4:
            code, inputs, size = "CONCATENATION", [a, b], self.sizes[a] + self.sizes[b]
        elif self.sizes[a] == self.sizes[b] and self.random.random() < 0.7:
            code, inputs, size = "ADD", [a, b], self.sizes[a]
        else:
            code, inputs, size = "RESHAPE", [a], self.sizes[a]
        if size > 4000:
            return
        out = self.tensor(size)
        self.operators.append(Operator(code, inputs, [out], {}))
        self.written.append(out)

    def build(self) -> bytes:
        produced = [o.outputs[0] for o in self.operators if o.outputs is not None]
        outputs = self.random.sample(produced, self.random.randint(1, min(3, len(produced))))
        return build(Model([SubGraph(self.tensors, self.operators, self.inputs, outputs)]))


@pytest.mark.parametrize("seed", range(40))
def test_offsets_and_results_like_pyref(seed):
    graph = Graph(seed)
    if not graph.operators:
        pytest.skip("this seed's graph has no operator")
    data = graph.build()
    model = pyref.Model.from_bytes(data)
    inputs = pyref.seeded_inputs(model, seed)
    got = run(data, inputs)
    assert got.error is None
    plan = pyref.plan(model, tflm="2026-08", kernels="reference")
    assert got.offsets == {int(k): v for k, v in dict(plan.tensor_offsets).items()}
    expected = pyref.run(model, inputs)
    for (*_, tensor, raw), wanted in zip(got.outputs, expected.operators, strict=True):
        assert raw == wanted.outputs[tensor].tobytes()
