"""An observation's bytes and retries are its own, not those of the session."""

from __future__ import annotations

import pytest

import pyref
from hil import job, resources
from hil.targets import open_target


@pytest.fixture(scope="module")
def target():
    with open_target("emulator", board=resources.board("stm32h747i_disco")) as opened:
        yield opened


def observe(target, name):
    model = pyref.Model.from_file(resources.fixture(f"{name}.tflite"))
    return job.observe(model, pyref.seeded_inputs(model, 0), target)


def test_another_model_before_changes_nothing(target):
    first = observe(target, "dense").link
    observe(target, "odd")
    again = observe(target, "dense").link
    assert (again.bytes, again.retries) == (first.bytes, first.retries)


def test_retries_before_do_not_count(target):
    observe(target, "odd")
    target.link.stats.retries += 5
    assert observe(target, "dense").link.retries == 0


def test_what_is_fetched_afterwards_is_added(target):
    model = pyref.Model.from_file(resources.fixture("dense.tflite"))
    right = job.make_golden(model, seed=0)
    wrong = job.make_golden(model, seed=1)
    seen = job.observe(model, right.inputs, target)
    same = job.capture(right, seen, target)
    assert same.link.bytes == seen.link.bytes
    more = job.capture(wrong, seen, target)
    assert len(more.captured) > 0
    assert more.link.bytes > seen.link.bytes
    assert more.link.seconds > seen.link.seconds
