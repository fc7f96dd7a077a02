"""Tables of one-operator models that pyref and TFLM must treat alike.

A test file describes models, TFLM runs all of them in one process when the first is asked for,
and each case is then one test::

    TABLE = Table({"stride2-same": conv(stride=2), ...})

    @TABLE.parametrize
    def test_like_tflm(case):
        TABLE.check(case)
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, build
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.equal import assert_same, assert_ulp
from tests.tflm import AVAILABLE, Case, Result, run_many

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def one_line(text: str) -> str:
    """TFLM's message without folders and line numbers, which no release keeps."""
    return re.sub(r"\S*/(\w+\.(?:cc|h))(?::\d+)?", r"\1", text)


class Table:
    """Models by name, run by both.

    Args:
        cases: name to model.
        inputs: name to inputs of one invocation, for cases whose inputs are not drawn.
        invocations: how many seeded inputs each case runs on, state kept in between.
        ulp: float32 outputs may be this far apart; 0 means the same bytes.
    """

    def __init__(
        self,
        cases: Mapping[str, Model],
        *,
        inputs: Mapping[str, Sequence[np.ndarray[Any, Any]]] | None = None,
        invocations: int = 2,
        ulp: int = 0,
    ) -> None:
        self.cases = {name: build(model) for name, model in cases.items()}
        self._inputs = inputs or {}
        self._invocations = invocations
        self._ulp = ulp

    @property
    def parametrize(self) -> Any:
        """Decorator: one test a case."""
        return pytest.mark.parametrize("case", list(self.cases))

    def inputs(self, name: str) -> list[list[np.ndarray[Any, Any]]]:
        """Inputs of each invocation of a case."""
        if name in self._inputs:
            return [list(self._inputs[name])]
        model = pyref.Model.from_bytes(self.cases[name])
        return [pyref.seeded_inputs(model, seed) for seed in range(self._invocations)]

    @cached_property
    def results(self) -> dict[str, Result]:
        """TFLM's answers, all from one process."""
        if not AVAILABLE:
            pytest.skip("the tflite-micro package is not installed (Linux x86-64 only)")
        cases = [Case(data, self.inputs(name)) for name, data in self.cases.items()]
        return dict(zip(self.cases, run_many(cases), strict=True))

    def check(self, name: str) -> None:
        """Fails unless pyref gives TFLM's bytes, or refuses with TFLM's words."""
        expected = self.results[name]
        if expected.refusal is not None:
            with pytest.raises(RefusedError) as caught:
                self.run(name)
            assert caught.value.reason in one_line(expected.refusal)
            return
        for k, (got, wanted) in enumerate(zip(self.run(name), expected.outputs, strict=True)):
            for i, (a, b) in enumerate(zip(got, wanted, strict=True)):
                what = f"{name}: invocation {k}, output {i}"
                if self._ulp and a.dtype == np.float32:
                    assert_ulp(a, b, self._ulp, what)
                else:
                    assert_same(a, b, what)

    def run(self, name: str, kernels: str = "reference") -> list[list[np.ndarray[Any, Any]]]:
        """pyref's outputs of each invocation."""
        interpreter = Interpreter(pyref.Model.from_bytes(self.cases[name]), kernels=kernels)
        return [interpreter.invoke(inputs).outputs for inputs in self.inputs(name)]
