"""The arena on the emulated board: what the plan predicts, and no larger than TFLM's."""

from __future__ import annotations

import pytest

import pyref
from hil import resources
from hil.errors import DeviceError
from hil.targets import open_target
from tests.firmware.engine_on_host import FIXTURES
from tests.firmware.test_engine_models import PUBLIC
from tests.public_models import MODELS

FIXTURE_NAMES = ["c2_bn.tflite", "dense.tflite", "odd.tflite"]
TFLM_BUILDS = [(r, k) for r in ("2026-08", "2024-06") for k in ("reference", "cmsis_nn")]


@pytest.fixture(scope="module")
def link():
    with open_target("emulator", board=resources.board("stm32h747i_disco")) as target:
        yield target.link


def load(name):
    path = (FIXTURES if name in FIXTURE_NAMES else MODELS) / name
    if not path.is_file():
        pytest.skip(f"{path} is absent: set HIL_MODELS to the public models")
    return pyref.Model.from_file(path)


@pytest.mark.parametrize("name", [*FIXTURE_NAMES, *PUBLIC])
def test_arena_is_as_planned_and_no_larger_than_tflms(link, name):
    model = load(name)
    link.upload(model.data)
    got = link.allocate()
    plan = pyref.plan(model, tflm="hil-1", kernels="reference")
    assert (got.head_bytes, got.tail_bytes) == (plan.head_bytes, plan.tail_bytes)
    assert got.arena_used_bytes == plan.arena_used_bytes
    assert got.offsets == dict(plan.tensor_offsets)
    tflm = [pyref.plan(model, tflm=r, kernels=k) for r, k in TFLM_BUILDS]
    assert got.arena_used_bytes <= min(p.arena_used_bytes for p in tflm) - 100
    assert plan.smallest_arena_bytes <= min(p.smallest_arena_bytes for p in tflm)


@pytest.mark.parametrize("name", FIXTURE_NAMES)
def test_the_smallest_arena_is_as_planned(link, name):
    """By bisection, so that nothing below allocates by chance either."""
    model = load(name)
    link.upload(model.data)
    low, high = 0, link.allocate().arena_used_bytes * 2
    while high - low > 1:
        middle = (low + high) // 2
        try:
            link.allocate(limit_bytes=middle)
        except DeviceError as error:
            assert error.code == "ARENA_TOO_SMALL"  # noqa: PT017 - both ends are results
            low = middle
        else:
            high = middle
    assert high == pyref.plan(model, tflm="hil-1", kernels="reference").smallest_arena_bytes
