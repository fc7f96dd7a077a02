"""A damaged model ends in a typed error or in the reference's result, never in a fault or silence.

A sample of positions; HIL_DAMAGE_STEP=1 takes every one, in minutes.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

import pyref
from hil import errors, resources

MODELS = {name: resources.fixture(f"{name}.tflite").read_bytes() for name in ("dense", "odd")}
STEP = int(os.environ.get("HIL_DAMAGE_STEP", "97"))
FLIPPED_BYTES = 4096


def damage(link, data):
    """What the device and the reference make of `data`.

    Returns:
        "refused" where the device refuses, "equal" where both run and agree.

    Raises:
        AssertionError: the device ran what the reference refuses, or computed something else.
    """
    try:
        link.upload(data)
        link.allocate()
    except errors.DeviceError:
        return "refused"
    model = pyref.Model.from_bytes(data)
    inputs = pyref.seeded_inputs(model, 0)
    run = pyref.run(model, inputs)
    link.write_inputs([np.ascontiguousarray(a).tobytes() for a in inputs])
    try:
        results = link.invoke()
    except errors.DeviceError:
        return "refused"
    assert [[o.digest for o in r.outputs] for r in results] == [
        [pyref.digest(a) for a in operator.outputs.values()] for operator in run.operators
    ]
    return "equal"


def flipped(data, position):
    """`data` with the byte at `position` inverted."""
    return data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :]


@pytest.mark.parametrize("name", MODELS)
def test_a_model_cut_at_any_length(emulator, name):
    data = MODELS[name]
    for length in range(0, len(data), STEP):
        damage(emulator.link, data[:length])
    assert damage(emulator.link, data) == "equal"


@pytest.mark.parametrize("name", MODELS)
def test_a_byte_inverted_anywhere(emulator, name):
    data = MODELS[name]
    positions = range(0, min(len(data), FLIPPED_BYTES), STEP)
    outcomes = {damage(emulator.link, flipped(data, position)) for position in positions}
    assert outcomes == {"refused", "equal"}


@pytest.mark.parametrize("position", [0, 3, 4, 8, 11])
def test_a_byte_inverted_in_the_header(emulator, position):
    """Root offset, identifier, and where the first table finds its vtable."""
    assert damage(emulator.link, flipped(MODELS["dense"], position)) == "refused"
