"""The best plan: never worse than greedy, never below the bound, and told how it was found."""

from __future__ import annotations

from itertools import pairwise

import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, build
from pyref.arena import offline, optimum
from pyref.arena.planners import cp_sat
from pyref.errors import PlanError
from tests.pyref.arena.cases import CASES, const, q


def chain_of(*sizes):
    """Fully connected layers of those widths, one after the other."""
    tensors = [q([1, size]) for size in sizes]
    operators = []
    for i, (width, units) in enumerate(pairwise(sizes)):
        tensors.append(const([units, width]))
        operators.append(Operator("FULLY_CONNECTED", [i, len(tensors) - 1, -1], [i + 1], {}))
    data = build(Model([SubGraph(tensors, operators, [0], [len(sizes) - 1])]))
    return pyref.Model.from_bytes(data)


@pytest.mark.parametrize(
    ("sizes", "greedy", "best"),
    [
        ((80, 32, 16, 80), 128, 112),
        ((32, 96, 80, 32, 96), 208, 176),
        ((112, 112, 16, 80, 128, 112, 80, 128), 320, 240),
    ],
    ids=["4", "5", "8"],
)
@pytest.mark.parametrize("solver", ["auto", "branch_and_bound"])
def test_better_than_greedy(sizes, greedy, best, solver):
    model = chain_of(*sizes)
    plan = pyref.plan(model, kernels="reference")
    found = optimum(plan, time_limit_s=5, solver=solver)
    assert (found.greedy_bytes, found.peak_bytes) == (greedy, best)
    assert found.lower_bound_bytes == best == max(plan.live_bytes())
    assert found.proven
    assert found.method == (
        "cp-sat" if solver == "auto" and cp_sat.AVAILABLE else "branch and bound"
    )
    new = pyref.Model.from_bytes(offline.write(model, found.offsets))
    assert pyref.plan(new, kernels="reference").head_bytes == best


@pytest.mark.parametrize("solver", ["auto", "branch_and_bound"])
@pytest.mark.parametrize("name", ["chain-branches", "LSTM-int8", "if"])
def test_between_bound_and_greedy(name, solver):
    plan = pyref.plan(pyref.Model.from_bytes(CASES[name]()))
    best = optimum(plan, time_limit_s=2, solver=solver)
    assert best.lower_bound_bytes <= best.peak_bytes <= best.greedy_bytes == plan.head_bytes
    assert best.seconds < 10
    if best.peak_bytes == best.lower_bound_bytes:
        assert best.proven


def test_a_greedy_plan_at_the_bound_needs_no_search():
    best = optimum(pyref.plan(pyref.Model.from_bytes(CASES["chain"]())))
    assert (best.method, best.proven) == ("greedy", True)
    assert best.peak_bytes == best.lower_bound_bytes == 128


def test_unknown_solver():
    plan = pyref.plan(chain_of(80, 32, 16, 80), kernels="reference")
    with pytest.raises(PlanError, match='expected "auto", "cp-sat" or "branch_and_bound"'):
        optimum(plan, solver="simplex")


def test_without_or_tools(monkeypatch):
    monkeypatch.setattr(cp_sat, "AVAILABLE", False)
    plan = pyref.plan(chain_of(80, 32, 16, 80), kernels="reference")
    with pytest.raises(PlanError, match=r"install tflm-hil\[solver\]"):
        optimum(plan, solver="cp-sat")
    assert optimum(plan).method == "branch and bound"
