"""The real agent at the end of a line that loses, doubles and splits what passes (failure 49)."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import pyref
from hil import firmware, resources
from hil.exchange import Timing
from hil.link import Link
from hil.protocol.framing import Frame, encode_frame
from hil.targets import load_board
from hil.transports.emulator_pipe import EmulatorPipe
from tests.firmware.agent_on_host import HostPipe, build_agent
from tests.firmware.engine_on_host import GCC
from tests.hil.fake_device import BadLine

BOARD = resources.board("stm32h747i_disco")
MODEL = pyref.Model.from_file(resources.fixture("odd.tflite"))
INPUTS = pyref.seeded_inputs(MODEL, 1)
RUN = pyref.run(MODEL, INPUTS)
TIMING = Timing(reply_s=1.0, repeat_s=1.0, grace_s=0.02, attempts=6)
OLD = encode_frame(Frame(0x40, 7, bytes(60)))


@contextlib.contextmanager
def pipe_to(kind):
    if kind == "host":
        if GCC is None:
            pytest.skip("gcc is not installed: no host build of the agent")
        pipe = HostPipe(build_agent())
        yield pipe
        pipe.close()
    else:
        from emulator.machine import Machine

        with Machine(load_board(BOARD), firmware.default(BOARD)) as machine:
            yield EmulatorPipe(machine)


@pytest.fixture(scope="module", params=["emulator", "host"])
def pipe(request):
    with pipe_to(request.param) as opened:
        yield opened


def converse(line):
    """A whole job; every byte that comes out of it must be right."""
    link = Link(line, timing=TIMING)
    link.hello()
    link.upload(MODEL.data)
    link.allocate()
    link.write_inputs([np.ascontiguousarray(a).tobytes() for a in INPUTS])
    results = link.invoke()
    for result, operator in zip(results, RUN.operators, strict=True):
        assert {o.tensor: o.digest for o in result.outputs} == {
            t: pyref.digest(a) for t, a in operator.outputs.items()
        }
    (tensor, array), *_ = RUN.operators[2].outputs.items()
    assert link.capture(2, tensor) == array.tobytes()
    return link.stats


@pytest.mark.parametrize("seed", range(6))
def test_lost_bytes_are_repaired(pipe, seed):
    rng = np.random.default_rng(seed)
    lost = {
        "drop_sent": frozenset(rng.integers(0, 14_000, 8).tolist()),
        "drop_received": frozenset(rng.integers(0, 8_000, 8).tolist()),
    }
    forget(pipe)
    stats = converse(BadLine(pipe, **lost))
    assert stats.retries >= 4


@pytest.mark.parametrize("number", range(0, 12, 2))
def test_a_request_that_arrives_twice_is_done_once(pipe, number):
    forget(pipe)
    assert converse(BadLine(pipe, repeat_write=number)).retries == 0


def test_reads_of_one_byte(pipe):
    forget(pipe)
    assert converse(BadLine(pipe, piece=1)).retries == 0


def test_boot_text_and_half_an_old_frame(pipe):
    forget(pipe)
    boot = b"boot ROM of some other program 400MHz" + OLD[: len(OLD) // 2]
    assert converse(BadLine(pipe, prefix=boot)).bad_frames == 2


def test_half_a_request_of_the_last_host(pipe):
    """mlcommons/tiny #60: half a command was left in the device."""
    forget(pipe)
    pipe.write(encode_frame(Frame(0x11, 9, bytes(range(1, 200))))[:77])
    stats = converse(pipe)
    assert stats.retries <= 1


def forget(pipe):
    """Have the device hold no model, so that the upload is part of the job."""
    link = Link(pipe, timing=TIMING)
    link.hello()
    link.reset()
