# ruff: noqa: S311 - seeded numbers, to repeat a failure
"""The agent under sanitizers trusts nothing that a host sends: it answers, and nothing else."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pytest

import pyref
from hil import resources
from hil.link import Link
from hil.protocol import messages as m
from hil.protocol.codes import PROTOCOL_VERSION, UNSOLICITED_SEQUENCE, Code
from hil.protocol.framing import Frame, FrameReader, encode_frame
from hil.protocol.wire import Form, wire_fields
from tests.firmware.agent_on_host import HostPipe, build_agent, needs_gcc

pytestmark = needs_gcc

MODEL = resources.fixture("odd.tflite").read_bytes()
INPUTS = [
    np.ascontiguousarray(a).tobytes() for a in pyref.seeded_inputs(pyref.Model.from_bytes(MODEL), 0)
]
EDGES = (0, 1, 2, 15, 16, 255, 4096, len(MODEL), len(INPUTS[0]), 1 << 22, 1 << 31, 0xFFFFFFFF)


@pytest.fixture(scope="module")
def pipe():
    opened = HostPipe(build_agent())
    yield opened
    opened.close()


def alive(pipe):
    """It still says who it is."""
    assert Link(pipe).hello().engine.startswith("tflm-hil-engine")


def load(pipe):
    link = Link(pipe)
    link.upload(MODEL)
    link.allocate()
    link.write_inputs(INPUTS)
    return link


def exchange(pipe, reader, frame):
    """Sends a frame with a valid checksum; returns the codes that answer it."""
    pipe.write(encode_frame(frame))
    codes = []
    while not codes or codes[-1] == Code.OPERATOR:
        data = pipe.read(10)
        assert data, f"no answer to {frame}"
        codes += [f.code for f in reader.feed(data) if f.sequence == frame.sequence]
    return codes


@pytest.mark.parametrize("seed", range(4))
def test_garbage_on_the_line(pipe, seed):
    rng = random.Random(seed)
    for _ in range(200):
        zeros = rng.choice((0.0, 0.01, 0.2))
        data = bytes(
            0 if rng.random() < zeros else rng.randrange(256) for _ in range(rng.randrange(3000))
        )
        pipe.write(data)
    pipe.write(b"\0")
    alive(pipe)


@pytest.mark.parametrize("seed", range(4))
def test_every_code_with_any_payload(pipe, seed):
    rng = random.Random(seed)
    load(pipe)
    reader = FrameReader()
    for number in range(1500):
        code = rng.choice((rng.randrange(256), *(k.code for k in m.REQUESTS)))
        length = rng.choice((rng.randrange(64), rng.randrange(4113)))
        version = PROTOCOL_VERSION if rng.random() < 0.95 else rng.randrange(256)
        frame = Frame(code, number % UNSOLICITED_SEQUENCE, rng.randbytes(length), version)
        codes = exchange(pipe, reader, frame)
        assert codes[-1] in (code | 0x80, Code.ERROR), frame
        assert set(codes[:-1]) <= {Code.OPERATOR}
    alive(pipe)


def _field(rng, wire):
    if wire.form is Form.SCALAR:
        limit = (1 << 8 * wire.size_bytes) - 1
        return min(rng.choice((rng.choice(EDGES), rng.randrange(32), rng.randrange(limit))), limit)
    if wire.form is Form.BYTES:
        return rng.choice((hashlib.sha256(MODEL).digest(), rng.randbytes(wire.size_bytes)))
    assert wire.form is Form.REST
    return rng.choice((MODEL[:2000], INPUTS[0], rng.randbytes(rng.randrange(300)), b""))


@pytest.mark.parametrize("seed", range(6))
def test_well_formed_requests_in_any_order_with_any_numbers(pipe, seed):
    """Every field takes values at the edges of what it counts; good steps lie between."""
    rng = random.Random(seed)
    reader = FrameReader()
    link = load(pipe)
    ran = 0
    for number in range(2000):
        kind = rng.choice(m.REQUESTS)
        if kind in (m.Reset, m.ModelBegin) and rng.random() < 0.9:
            continue
        if rng.random() < 0.02:
            link = load(pipe)
        fields = {name: _field(rng, wire) for name, wire in wire_fields(kind)}
        frame = Frame(kind.code, number, kind(**fields).encode())
        codes = exchange(pipe, reader, frame)
        assert codes[-1] in (kind.code | 0x80, Code.ERROR), fields
        ran += Code.OPERATOR in codes
    assert ran > 3
    del link
    alive(pipe)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_models(pipe, seed):
    """Whatever arrives as a model is refused, or runs to an end."""
    rng = random.Random(seed)
    reader = FrameReader()
    sequence = 0

    def ask(message):
        nonlocal sequence
        sequence = (sequence + 1) % UNSOLICITED_SEQUENCE
        return exchange(pipe, reader, Frame(message.code, sequence, message.encode()))[-1]

    outcomes = []
    for _ in range(150):
        data = bytearray(MODEL)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.choice(
                (0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256))
            )
        data = bytes(data[: rng.choice((len(data), len(data), rng.randrange(len(data))))])
        if data == MODEL:
            continue  # perhaps held already
        ask(m.ModelBegin(len(data), hashlib.sha256(data).digest()))
        for start in range(0, len(data), 4000):
            assert ask(m.ModelChunk(start, data[start : start + 4000])) != Code.ERROR
        opened = ask(m.ModelEnd()) != Code.ERROR
        allocated = opened and ask(m.Allocate(0xFF, 0)) != Code.ERROR
        if allocated:
            for position, value in enumerate(INPUTS):
                ask(m.Input(position, 0, value))
            ask(m.Invoke())
        outcomes.append((opened, allocated))
    assert {(False, False), (True, True)} <= set(outcomes), "some are refused, some run"
    alive(pipe)


def test_a_repeated_request_is_answered_again_and_done_once(pipe):
    load(pipe)
    reader = FrameReader()
    frame = Frame(Code.INVOKE, 77, b"")
    first = exchange(pipe, reader, frame)
    assert first[:-1] == [Code.OPERATOR] * (len(first) - 1)
    assert first[-1] == Code.INVOKE_REPLY
    assert exchange(pipe, reader, frame) == [Code.INVOKE_REPLY]
    # The same request under another number is another request: its inputs are gone.
    assert exchange(pipe, reader, Frame(Code.INVOKE, 78, b"")) == [Code.ERROR]


def test_another_protocol_version_is_told_ours(pipe):
    pipe.write(encode_frame(Frame(Code.HELLO, 5, b"", PROTOCOL_VERSION + 1)))
    (frame,) = FrameReader().feed(pipe.read(10))
    error = m.Error.decode(frame.payload)
    assert (error.expected, error.got) == (PROTOCOL_VERSION, PROTOCOL_VERSION + 1)


def test_a_broken_frame_is_told_at_once(pipe):
    pipe.write(b"\0\x05abc\0")
    (frame,) = FrameReader().feed(pipe.read(10))
    assert (frame.code, frame.sequence) == (Code.ERROR, UNSOLICITED_SEQUENCE)
