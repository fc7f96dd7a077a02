"""What every target must do, whatever it is and however it is reached."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest

import pyref
from hil import errors, resources
from hil.protocol import messages as m
from hil.protocol.codes import MAX_PAYLOAD_BYTES, RegionFlag

MODELS = ("dense", "odd")


def load(name: str) -> pyref.Model:
    return pyref.Model.from_file(resources.fixture(f"{name}.tflite"))


def inputs_of(model: pyref.Model, seed: int = 0) -> list[bytes]:
    return [np.ascontiguousarray(a).tobytes() for a in pyref.seeded_inputs(model, seed)]


@pytest.fixture
def ready(target):
    """The target with "odd" allocated and its inputs written."""
    model = load("odd")
    target.link.upload(model.data)
    target.link.allocate()
    target.link.write_inputs(inputs_of(model))
    return target


def test_it_says_who_it_is(target):
    hello = target.hello
    assert target.board == hello.raw.board == "stm32h747i_disco"
    assert hello.raw.firmware_name == "hil-agent"
    assert hello.raw.max_payload_bytes == MAX_PAYLOAD_BYTES
    assert hello.core >> 4 & 0xFFF == 0xC27
    assert hello.clock_hz > 0
    assert hello.engine.startswith("tflm-hil-engine")
    assert len(target.firmware_sha256) == 64
    uses = [RegionFlag(r.flags) for r in hello.raw.regions]
    assert sum(RegionFlag.MODEL in use for use in uses) == 1
    assert any(RegionFlag.ARENA in use for use in uses)


def test_any_bytes_pass_both_ways(target):
    every = bytes(range(256))
    for data in (b"", b"\0", b"\xff" * 254, every * 16, bytes(MAX_PAYLOAD_BYTES)):
        target.link.ping(data)


@pytest.mark.parametrize("name", MODELS)
def test_every_tensor_equals_the_reference(target, name):
    model = load(name)
    inputs = pyref.seeded_inputs(model, 3)
    run = pyref.run(model, inputs)
    link = target.link
    link.upload(model.data)
    assert link.model_sha256 == hashlib.sha256(model.data).hexdigest()
    link.allocate()
    link.write_inputs([np.ascontiguousarray(a).tobytes() for a in inputs])
    steps: list[int] = []
    results = link.invoke(on_operator=steps.append)
    assert steps == list(range(1, len(run.operators) + 1))
    assert [r.op for r in results] == [o.op for o in run.operators]
    for result, operator in zip(results, run.operators, strict=True):
        assert {o.tensor: o.digest for o in result.outputs} == {
            t: pyref.digest(a) for t, a in operator.outputs.items()
        }, f"operator {result.index} ({result.op})"
        assert result.cycles > 0
    for tensor, array in zip(model.subgraphs[0].outputs, run.outputs, strict=True):
        assert link.read_tensor(tensor) == array.tobytes()
    # Each output again, by running up to its operator.
    for operator in (run.operators[0], run.operators[-1]):
        for tensor, array in operator.outputs.items():
            assert link.capture(operator.index, tensor) == array.tobytes()


def test_a_run_repeats_exactly(ready):
    first = ready.link.invoke()
    second = ready.link.invoke()
    assert [r.outputs for r in first] == [r.outputs for r in second]


def test_other_inputs_give_other_outputs(ready):
    first = ready.link.invoke()
    ready.link.write_inputs(inputs_of(load("odd"), seed=9))
    assert ready.link.invoke()[0].outputs != first[0].outputs


def test_offsets_lie_in_the_arena(ready):
    model = load("odd")
    allocation = ready.link.allocate()
    assert allocation.arena_used_bytes == allocation.head_bytes + allocation.tail_bytes
    assert allocation.base % 16 == 0
    for tensor, offset in allocation.offsets.items():
        described = model.subgraphs[0].tensors[tensor]
        end = offset + math.prod(described.shape) * described.dtype.itemsize
        assert end <= allocation.head_bytes


@pytest.mark.parametrize("region", ["AXI_SRAM", "SDRAM2"])
def test_the_arenas_memory_changes_no_result(ready, region):
    """Field failure 47: a difference would blame memory, not a kernel."""
    link = ready.link
    before = [r.outputs for r in link.invoke()]
    assert link.allocate(region=region).region == region
    assert [r.outputs for r in link.invoke()] == before


def test_a_model_held_is_not_sent_again(ready):
    sent = ready.link.stats.sent_bytes
    data = load("odd").data
    assert ready.link.upload(data) is False
    assert ready.link.stats.sent_bytes - sent < 200


def test_a_reset_forgets_the_model(ready):
    ready.reset()
    assert ready.hello.model_sha256 is None
    with pytest.raises(errors.DeviceError, match="ALLOCATE: NO_MODEL"):
        ready.link.allocate()


class TestRefusals:
    def test_running_without_writing_inputs_anew(self, ready):
        """Field failure 42: the second run's inputs may be overwritten by then."""
        ready.link.invoke()
        with pytest.raises(errors.DeviceError, match="INPUTS_NOT_WRITTEN") as caught:
            ready.link._exchange.request(m.Invoke(), m.InvokeReply)
        assert caught.value.got == 0

    def test_reading_an_intermediate_tensor_after_the_run(self, ready):
        """Field failure 42: its memory has been reused."""
        first = ready.link.invoke()[0].outputs[0].tensor
        with pytest.raises(errors.DeviceError, match="TENSOR_NOT_VALID"):
            ready.link.read_tensor(first)

    def test_reading_before_a_run(self, ready):
        with pytest.raises(errors.DeviceError, match="TENSOR_NOT_VALID"):
            ready.link.read_tensor(load("odd").subgraphs[0].outputs[0])

    def test_capturing_what_that_operator_does_not_write(self, ready):
        with pytest.raises(errors.DeviceError, match="NO_SUCH_TENSOR"):
            ready.link.capture(0, 0)

    def test_capturing_an_operator_that_is_not_there(self, ready):
        with pytest.raises(errors.DeviceError, match="NO_SUCH_EVENT") as caught:
            ready.link.capture(99, 0)
        assert caught.value.expected == len(load("odd").subgraphs[0].operators)

    def test_too_small_an_arena(self, ready):
        with pytest.raises(errors.DeviceError, match="ARENA_TOO_SMALL") as caught:
            ready.link.allocate(limit_bytes=512)
        assert caught.value.got == 512
        ready.link.allocate()

    def test_an_arena_found_by_bisection_suffices_for_the_same_results(self, ready):
        link = ready.link
        before = [r.outputs for r in link.invoke()]
        low, high = 16, link.allocate().arena_used_bytes * 4
        while high - low > 16:
            middle = (low + high) // 2 & ~15
            try:
                link.allocate(limit_bytes=middle)
            except errors.DeviceError as error:
                assert error.code == "ARENA_TOO_SMALL"  # noqa: PT017 - both ends are results
                low = middle
            else:
                high = middle
        link.allocate(limit_bytes=high)
        assert [r.outputs for r in link.invoke()] == before

    def test_an_input_that_is_too_long(self, ready):
        data = inputs_of(load("odd"))
        with pytest.raises(errors.DeviceError, match="INPUT_OUT_OF_RANGE"):
            ready.link.write_inputs([data[0] + b"\0"])

    def test_an_input_that_is_not_there(self, ready):
        data = inputs_of(load("odd"))
        with pytest.raises(errors.DeviceError, match="NO_SUCH_INPUT"):
            ready.link.write_inputs([*data, b"\0"])

    def test_a_chunk_out_of_order(self, target):
        data = load("dense").data
        request = target.link._exchange.request
        digest = hashlib.sha256(data + b"x").digest()
        request(m.ModelBegin(len(data) + 1, digest), m.ModelBeginReply)
        with pytest.raises(errors.DeviceError, match="CHUNK_OUT_OF_ORDER"):
            request(m.ModelChunk(16, b"abc"), m.ModelChunkReply)

    def test_a_model_cut_short_by_the_host(self, target):
        data = load("dense").data
        request = target.link._exchange.request
        request(m.ModelBegin(len(data), hashlib.sha256(b"?").digest()), m.ModelBeginReply)
        with pytest.raises(errors.DeviceError, match="MODEL_INCOMPLETE"):
            request(m.ModelEnd(), m.ModelEndReply)

    def test_a_model_that_is_not_what_its_hash_says(self, target):
        request = target.link._exchange.request
        request(m.ModelBegin(4, hashlib.sha256(b"good").digest()), m.ModelBeginReply)
        request(m.ModelChunk(0, b"evil"), m.ModelChunkReply)
        with pytest.raises(errors.DeviceError, match="MODEL_HASH_MISMATCH"):
            request(m.ModelEnd(), m.ModelEndReply)

    def test_a_model_that_does_not_fit(self, target):
        size_bytes = target.hello.raw.model_capacity_bytes + 1
        with pytest.raises(errors.DeviceError, match="MODEL_TOO_LARGE"):
            target.link._exchange.request(m.ModelBegin(size_bytes, bytes(32)), m.ModelBeginReply)

    @pytest.mark.parametrize("length", [0, 1, 7, 8, 40, 1000])
    def test_what_is_no_model(self, target, length):
        data = Path(__file__).read_bytes()[:length]
        with pytest.raises(errors.DeviceError, match="MODEL_REFUSED") as caught:
            target.link.upload(data)
        assert caught.value.detail > 0
        assert caught.value.text

    def test_a_corrupt_model_is_refused_with_its_position(self, target):
        data = bytearray(load("dense").data)
        data[0:4] = b"\xff\xff\xff\x7f"
        with pytest.raises(errors.DeviceError, match="MODEL_REFUSED") as caught:
            target.link.upload(bytes(data))
        assert caught.value.position == 0
        assert caught.value.expected == len(data)

    def test_a_wrong_schema_version_is_refused_with_both_numbers(self, target):
        """Field failure 4."""
        data = bytearray(load("dense").data)
        root = int.from_bytes(data[:4], "little")
        vtable = root - int.from_bytes(data[root : root + 4], "little", signed=True)
        version_at = root + int.from_bytes(data[vtable + 4 : vtable + 6], "little")
        data[version_at] = 4
        with pytest.raises(errors.DeviceError) as caught:
            target.link.upload(bytes(data))
        assert (caught.value.expected, caught.value.got) == (3, 4)


def test_after_all_refusals_it_still_works(target):
    test_every_tensor_equals_the_reference(target, "dense")
