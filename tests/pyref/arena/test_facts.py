"""The public models against the facts measured on them, where both are at hand."""

from __future__ import annotations

import time

import pytest

import pyref
from pyref.arena import releases
from tests.public_models import MODELS, facts, needs_facts

MEASURED = facts()["models"]
NAMES = sorted(n for n, m in MEASURED.items() if m.get("builds"))

#: A few figures carried over, of builds "tflm-2026-08/cmsis_nn": used, smallest.
CARRIED = {
    "micro_wake_word/vad.tflite": (9972, 10260),
    "tflm/hello_world_int8.tflite": (772, 1156),
    "tflm/person_detect.tflite": (82308, 82316),
    "tflm/trained_lstm_int8.tflite": (4052, 4056),
}


@needs_facts
@pytest.mark.parametrize("name", NAMES)
def test_public_model(name):
    model = pyref.Model.from_file(MODELS / name)
    for build, measured in MEASURED[name]["builds"].items():
        tflm, kernels = build.removeprefix("tflm-").split("/")
        start = time.perf_counter()
        plan = pyref.plan(model, tflm=tflm, kernels=kernels)
        got = {
            "arena_used_bytes": plan.arena_used_bytes,
            "smallest_arena_bytes": plan.smallest_arena_bytes,
            "recording": dict(plan.recording),
            "tensor_offsets": {str(k): v for k, v in plan.tensor_offsets.items()},
        }
        seconds = time.perf_counter() - start
        assert got == {key: measured[key] for key in got}, build
        assert seconds < 1.0


@needs_facts
@pytest.mark.parametrize("name", sorted(CARRIED))
def test_carried_figures_are_the_facts(name):
    build = MEASURED[name]["builds"]["tflm-2026-08/cmsis_nn"]
    assert CARRIED[name] == (build["arena_used_bytes"], build["smallest_arena_bytes"])


def test_release_is_known_by_name_only():
    with pytest.raises(pyref.PlanError, match=r"expected one of 2024-06, 2026-08, got '2025'"):
        releases.find("2025")
