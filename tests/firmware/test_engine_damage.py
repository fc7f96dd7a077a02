"""Damaged models: the engine gives pyref's result, or a typed error, and never faults.

The sanitizers stand by: what reads or writes out of bounds, or is undefined, fails the test.
`HIL_ENGINE_DAMAGE=all` runs every position instead of a sample (about an hour).
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator
from tests.firmware.engine_on_host import (
    FIXTURES,
    apply_damage,
    crc_of,
    damage,
    input_bytes,
    needs_gcc,
)

pytestmark = needs_gcc

ALL = os.environ.get("HIL_ENGINE_DAMAGE") == "all"
RANDOM = random.Random(8)  # noqa: S311 - a sample, not a secret


def small():
    """About 1 KB: one operator with options, constants and quantization."""
    model = one_operator(
        "CONV_2D",
        [
            Tensor([1, 5, 5, 3], name="in", scale=0.5, zero_point=-3),
            Tensor(data=np.ones([2, 3, 3, 3], np.int8), name="filter", scale=[0.1, 0.2]),
            Tensor(data=np.zeros(2, np.int32), name="bias", scale=[0.05, 0.1]),
        ],
        [Tensor([1, 3, 3, 2], name="out", scale=0.25, zero_point=7)],
        {"padding": "SAME", "stride_w": 2, "stride_h": 2},
    )
    model.description = "small"
    return build(model)


def read(name):
    return small() if name == "small" else (FIXTURES / f"{name}.tflite").read_bytes()


def inputs_of(data):
    return pyref.seeded_inputs(pyref.Model.from_bytes(data), 0)


def flips(count, sample):
    """Each byte of the first 4 KB with one, the top and all of its bits turned."""
    every = [f"flip {at} {bits}" for at in range(min(4096, count)) for bits in (0x01, 0x80, 0xFF)]
    return every if ALL or sample >= len(every) else RANDOM.sample(every, sample)


def cuts(count, sample):
    every = range(count)
    chosen = every if ALL or sample >= count else sorted(RANDOM.sample(every, sample))
    return [f"cut {length}" for length in chosen]


def offsets(count, sample):
    """Every word, and so every offset and length, replaced."""
    every = [
        f"word {at} {value}"
        for at in range(0, min(4096, count - 3), 4)
        for value in (0xFFFFFFFF, 0x7FFFFFFC, 4, 0)
    ]
    return every if ALL or sample >= len(every) else RANDOM.sample(every, sample)


def refill(model, stream):
    """Inputs of a model whose inputs may have changed, filled as the driver fills them."""
    at = 0
    inputs = []
    for tensor in model.inputs:
        size = tensor.size * tensor.dtype.itemsize
        content = bytes(stream[(at + i) % len(stream)] for i in range(size))
        inputs.append(np.frombuffer(content, tensor.dtype).reshape(tensor.shape))
        at += size
    return inputs


def pyref_line(data, inputs):
    """What the engine has to print if it runs: pyref's outputs, or None where it refuses."""
    try:
        model = pyref.Model.from_bytes(data)
        result = pyref.run(model, refill(model, input_bytes(inputs)))
    except pyref.PyrefError:
        return None
    return crc_of(a for o in result.operators for a in o.outputs.values())


@pytest.mark.parametrize(
    ("name", "sample"), [("small", 3000), ("dense", 3000), ("odd", 1200), ("c2_bn", 12)]
)
def test_flipped_bytes(name, sample):
    data = read(name)
    inputs = inputs_of(data)
    damages = flips(len(data), sample)
    ran = 0
    for line, result in zip(damages, damage(data, inputs, damages), strict=True):
        if result.startswith("ok"):
            assert result == pyref_line(apply_damage(data, line), inputs), line
            ran += 1
    assert ran > len(damages) // 10


@pytest.mark.parametrize(
    ("name", "sample"), [("small", 5000), ("dense", 5000), ("odd", 7000), ("c2_bn", 1500)]
)
def test_every_cut_is_an_error(name, sample):
    data = read(name)
    results = damage(data, inputs_of(data), cuts(len(data), sample))
    # What stands behind the last byte that a model needs may be cut; here it is all needed.
    assert {result.split()[0] for result in results} == {"error"}
    statuses = {result.split()[1] for result in results}
    assert statuses <= {"MODEL_MALFORMED", "MODEL_INVALID", "MODEL_IDENTIFIER"}


@pytest.mark.parametrize(("name", "sample"), [("small", 2000), ("dense", 3000), ("odd", 2000)])
def test_replaced_words(name, sample):
    data = read(name)
    inputs = inputs_of(data)
    damages = offsets(len(data), sample)
    for line, result in zip(damages, damage(data, inputs, damages), strict=True):
        if result.startswith("ok"):
            assert result == pyref_line(apply_damage(data, line), inputs), line


def step_of(data):
    """One damage of any kind; words get a neighbour's value, or one that means something."""
    if RANDOM.random() < 0.5:
        return f"flip {RANDOM.randrange(len(data))} {1 << RANDOM.randrange(8)}"
    at = RANDOM.randrange(0, len(data) - 3, RANDOM.choice([1, 4]))
    other = RANDOM.randrange(0, len(data) - 3, 4)
    value = RANDOM.choice(
        [0, 1, 4, 0xFFFFFFFF, 0x7FFFFFFF, int.from_bytes(data[other : other + 4], "little")]
    )
    return f"word {at} {value}"


@pytest.mark.parametrize("name", ["small", "dense", "odd"])
def test_several_damages_at_once(name):
    data = read(name)
    inputs = inputs_of(data)
    damages = ["; ".join(step_of(data) for _ in range(RANDOM.randint(2, 5))) for _ in range(1500)]
    for line, result in zip(damages, damage(data, inputs, damages), strict=True):
        if result.startswith("ok"):
            assert result == pyref_line(apply_damage(data, line), inputs), line
