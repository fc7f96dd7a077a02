"""Every operator of TFLM against TFLM itself on a Cortex-M7: figures.json, made from cases.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pyref
from pyref.arena.kernels import KERNELS
from tests.pyref.arena.cases import CASES

FIGURES = json.loads((Path(__file__).parent / "figures.json").read_text())
BUILDS = ["2024-06/cmsis_nn", "2024-06/reference", "2026-08/cmsis_nn", "2026-08/reference"]


def test_every_case_is_measured():
    assert set(CASES) == set(FIGURES["cases"])


def test_every_operator_has_a_case():
    covered = {
        op.op
        for make in CASES.values()
        for subgraph in pyref.Model.from_bytes(make()).subgraphs
        for op in subgraph.operators
    }
    assert covered == set(KERNELS)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("build", BUILDS)
def test_plan_equals_tflm(name, build):
    case = FIGURES["cases"][name]
    expected = case["figures"][case["builds"][build]]
    tflm, kernels = build.split("/")
    model = pyref.Model.from_bytes(CASES[name]())
    if "refused" in expected:
        with pytest.raises(pyref.RefusedError):
            pyref.plan(model, tflm=tflm, kernels=kernels)
        return
    plan = pyref.plan(model, tflm=tflm, kernels=kernels)
    got = {
        "used": plan.arena_used_bytes,
        "smallest": plan.smallest_arena_bytes,
        "rec": [plan.recording[key] for key in ("total", "head", "tail")],
        "sections": [
            list(plan.recording["sections"].get(section, {}).values()) or 0
            for section in FIGURES["about"]["section_names"]
        ],
        "plan": [
            [p.buffer.size, p.offset, p.buffer.first_use, p.buffer.last_use] for p in plan.placed
        ],
    }
    assert got == expected
