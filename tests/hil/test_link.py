"""The host client against a device in Python, over good and bad lines."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

from hil import errors
from hil.exchange import Timing
from hil.link import Link
from hil.protocol import messages as m
from hil.protocol.codes import NONE_INDEX, Code, DeviceErrorCode, InitStage
from hil.protocol.framing import Frame, encode_frame
from tests.hil.fake_device import HELLO, BadLine, FakeDevice

MODEL = bytes(range(256)) * 12
INPUT = bytes(range(250)) * 3
FAST = Timing(reply_s=0.2, work_s=0.4, operator_s=0.4, grace_s=0.02, attempts=4)


def run(link, inputs=(INPUT[:700],)):
    link.hello()
    link.upload(MODEL)
    link.allocate()
    link.write_inputs(inputs)
    return link.invoke()


def check_results(results, device):
    assert [(r.index, r.op, r.cycles) for r in results] == [
        (0, "CONV_2D", 1000),
        (1, "LOGISTIC", 30),
    ]
    for result, (_, _, outputs) in zip(results, device.operators, strict=True):
        assert {o.tensor: o.digest for o in result.outputs} == {
            t: hashlib.sha256(d).digest()[:8] for t, d in outputs.items()
        }


def test_a_whole_conversation():
    device = FakeDevice()
    link = Link(device, timing=FAST)
    hello = link.hello("cortex-m7")
    assert (hello.caches, hello.kernels, hello.clock_hz) == ("I+D", "portable", 400_000_000)
    assert hello.firmware_sha256 == "11" * 32
    assert hello.model_sha256 is None
    link.ping(b"\0\xff" * 50)
    steps = []
    assert link.upload(MODEL, progress=lambda done, total: steps.append((done, total)))
    assert steps[0] == (0, len(MODEL))
    assert steps[-1] == (len(MODEL), len(MODEL))
    assert link.model_sha256 == hashlib.sha256(MODEL).hexdigest()
    assert not link.upload(MODEL)
    allocation = link.allocate()
    assert (allocation.arena_used_bytes, allocation.head_bytes, allocation.tail_bytes) == (
        1500,
        1000,
        500,
    )
    assert (allocation.region, allocation.offsets) == ("AXISRAM", {1: 16, 2: 32})
    link.write_inputs([INPUT[:700]])
    done = []
    check_results(link.invoke(on_operator=done.append), device)
    assert done == [1, 2]
    assert link.read_tensor(2) == b"logistic"
    assert link.capture(0, 1) == b"conv" * 200
    assert link.stats.retries == 0
    assert link.stats.bytes == link.stats.sent_bytes + link.stats.received_bytes > len(MODEL)


def test_inputs_are_written_again_before_every_inference():
    device = FakeDevice()
    link = Link(device, timing=FAST)
    run(link)
    device.requests.clear()
    link.invoke()
    link.capture(1, 2)
    kinds = [type(r).__name__ for r in device.requests]
    assert kinds == ["Input"] * 3 + ["Invoke"] + ["Input"] * 3 + ["Capture", "ReadTensor"]


def test_invoking_without_inputs_is_the_devices_error():
    link = Link(FakeDevice(), timing=FAST)
    with pytest.raises(errors.DeviceError, match="refused INVOKE: INPUTS_NOT_WRITTEN"):
        link.invoke()


def _total(direction):
    device = FakeDevice()
    link = Link(device, timing=FAST)
    run(link)
    return getattr(link.stats, direction)


SENT, RECEIVED = _total("sent_bytes"), _total("received_bytes")


@pytest.mark.parametrize("position", range(0, SENT, 41))
def test_a_byte_lost_on_the_way_there_is_repaired(position):
    device = FakeDevice()
    link = Link(BadLine(device, drop_sent=frozenset({position})), timing=FAST)
    check_results(run(link), device)
    assert device.model == MODEL
    assert link.capture(0, 1) == b"conv" * 200


@pytest.mark.parametrize("position", range(0, RECEIVED, 23))
def test_a_byte_lost_on_the_way_back_is_repaired(position):
    device = FakeDevice()
    link = Link(BadLine(device, drop_received=frozenset({position})), timing=FAST)
    check_results(run(link), device)
    assert device.model == MODEL


def test_repairs_are_counted():
    device = FakeDevice()
    link = Link(BadLine(device, drop_sent=frozenset({5, 1000, 3000})), timing=FAST)
    run(link)
    assert link.stats.retries == 3
    assert device.model == MODEL


@pytest.mark.parametrize("number", range(20))
def test_a_frame_that_arrives_twice_changes_nothing(number):
    device = FakeDevice()
    link = Link(BadLine(device, repeat_write=number), timing=FAST)
    check_results(run(link), device)
    assert device.model == MODEL
    assert link.stats.retries == 0
    assert link.stats.stale_frames <= 3


def test_reads_of_one_byte():
    device = FakeDevice()
    check_results(run(Link(BadLine(device, piece=1), timing=FAST)), device)


def test_a_delay_of_300_ms_is_waited_for():
    device = FakeDevice()
    link = Link(BadLine(device, delay_s=0.3), timing=dataclasses.replace(FAST, reply_s=1.0))
    link.hello()
    link.ping(b"slow")
    assert link.stats.retries == 0


def test_boot_text_and_half_an_old_frame_are_passed_over():
    old = encode_frame(Frame(Code.OPERATOR, 7, bytes(60)))
    device = FakeDevice()
    boot = b"STM32H747 boot ROM v1.2, clock 400MHz" + old[: len(old) // 2]
    link = Link(BadLine(device, prefix=boot), timing=FAST)
    check_results(run(link), device)
    assert link.stats.bad_frames == 2


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_device_that_stops_for_good_is_a_timeout_with_facts(share):
    link = Link(BadLine(FakeDevice(), stop_at=int(RECEIVED * share)), timing=FAST)
    with pytest.raises(errors.LinkTimeoutError) as caught:
        run(link)
    assert caught.value.attempts == 4
    assert link.stats.retries == 3
    assert "stopped talking" in str(caught.value)


def test_a_timeout_in_an_upload_says_how_far_it_came():
    link = Link(BadLine(FakeDevice(), stop_at=HELLO_BYTES + 100), timing=FAST)
    with pytest.raises(errors.LinkTimeoutError, match=r"MODEL_CHUNK .*at \d+ of 3072 bytes"):
        run(link)


HELLO_BYTES = len(encode_frame(Frame(Code.HELLO_REPLY, 1, HELLO.encode())))


def test_lost_events_are_fetched_again():
    device = FakeDevice(lose_events=(0,))
    link = Link(device, timing=FAST)
    check_results(run(link), device)
    assert link.stats.retries == 1


class TestWrongDevice:
    """Field failure 50: six causes, six messages, and no inference."""

    def test_no_answer(self):
        link = Link(BadLine(FakeDevice(), stop_at=0), timing=FAST)
        with pytest.raises(errors.LinkTimeoutError, match=r"not one byte\. Is the board powered"):
            link.hello()

    def test_another_baud_rate(self):
        device = FakeDevice(baud=921600)
        device.write = lambda data: device.out.extend(b"\x80\xf8\x00\xe0\x1e\x00\xfe" * 3)
        with pytest.raises(
            errors.LinkGarbageError, match=r"another baud rate \(opened at 921600"
        ) as caught:
            Link(device, timing=FAST).hello()
        assert caught.value.received.startswith(b"\x80\xf8")

    def test_another_program_prints_text(self):
        device = FakeDevice(baud=115200)
        device.write = lambda data: device.out.extend(b"Hello from the Cube demo\r\n")
        with pytest.raises(errors.LinkGarbageError, match="another firmware is running"):
            Link(device, timing=FAST).hello()

    def test_another_protocol_version(self):
        with pytest.raises(
            errors.ProtocolVersionError, match="version 2, this hil speaks 1: update the hil"
        ):
            Link(FakeDevice(version=2), timing=FAST).hello()

    def test_another_core(self):
        device = FakeDevice(hello=dataclasses.replace(HELLO, cpuid=0x410FC241))
        with pytest.raises(
            errors.WrongCoreError, match="another core answers: expected cortex-m7, got cortex-m4"
        ):
            Link(device, timing=FAST).hello("cortex-m7")

    def test_another_model(self):
        device = FakeDevice(held_sha256=b"\xab" * 32)
        with pytest.raises(errors.WrongModelError, match="holds another model") as caught:
            run(Link(device, timing=FAST))
        assert caught.value.got == "ab" * 32
        assert not any(isinstance(r, m.Invoke) for r in device.requests)

    def test_a_model_swapped_after_the_upload(self):
        device = FakeDevice()
        link = Link(device, timing=FAST)
        link.upload(MODEL)
        device.held_sha256 = b"\xcd" * 32
        with pytest.raises(errors.WrongModelError, match="holds another model"):
            link.allocate()

    def test_a_board_that_did_not_come_up(self):
        device = FakeDevice(hello=dataclasses.replace(HELLO, init_stage=InitStage.SDRAM))
        with pytest.raises(errors.BoardInitError, match="time-out in stage SDRAM"):
            Link(device, timing=FAST).hello()


class TestCycleCounter:
    """Field failure 51: a counter that stands still is no measurement."""

    @pytest.mark.parametrize("cycles", [0, 7])
    def test_a_counter_that_does_not_count_is_refused(self, cycles):
        device = FakeDevice()
        device.operators = [(c, cycles, o) for c, _, o in device.operators]
        with pytest.raises(errors.CycleCounterError, match=r"DWT lock.*0xC5ACCE55") as caught:
            run(Link(device, timing=FAST))
        assert f"got {cycles} for each" in str(caught.value)

    def test_equal_operators_may_take_equal_cycles(self):
        device = FakeDevice(operators=[(0, 50, {1: b"aaaa"}), (0, 50, {2: b"bbbb"})])
        assert [r.cycles for r in run(Link(device, timing=FAST))] == [50, 50]


class TestDeviceSays:
    def test_a_model_that_does_not_fit(self):
        device = FakeDevice(hello=dataclasses.replace(HELLO, model_capacity_bytes=100))
        with pytest.raises(
            errors.DeviceError, match=r"MODEL_TOO_LARGE \(expected 100, got 3072\)"
        ) as caught:
            Link(device, timing=FAST).upload(MODEL)
        assert (caught.value.code, caught.value.request) == ("MODEL_TOO_LARGE", "MODEL_BEGIN")
        assert caught.value.operator is None

    def test_an_error_with_all_its_facts(self):
        device = FakeDevice()
        error = m.Error(DeviceErrorCode.ALLOCATE_FAILED, 10, 3, 17, 4096, 3, -1, "stride of 0")

        def refuse(request, sequence):
            device.on_model_end = None
            return error

        device.on_model_begin = refuse
        with pytest.raises(
            errors.DeviceError,
            match=(
                r"refused MODEL_BEGIN at operator 3, tensor 17, byte 4096: "
                r"ALLOCATE_FAILED: stride of 0 \(expected 3, got -1\)"
            ),
        ) as caught:
            Link(device, timing=FAST).upload(MODEL)
        assert caught.value.detail == 10

    def test_a_fault_names_cause_and_place(self):
        device = FakeDevice()
        fault = m.Fault(
            exception=3,
            cfsr=1 << 9 | 1 << 15,
            hfsr=1 << 30,
            mmfar=0,
            bfar=0x60000000,
            r0=0,
            r1=0,
            r2=0,
            r3=0,
            r12=0,
            lr=0x08000101,
            pc=0x08000200,
            xpsr=1 << 24,
            sp=0x2001FF00,
            subgraph=0,
            operator=4,
        )
        device.on_invoke = lambda request, sequence: fault
        link = Link(device, timing=FAST, locate=lambda a: f"symbol@{a:x}")
        with pytest.raises(errors.DeviceFaultError) as caught:
            run(link)
        assert str(caught.value).startswith(
            "the device faulted during operator 4: HardFault, PRECISERR: access to an address "
            "where nothing is, 0x60000000 at symbol@8000200, called from symbol@8000100."
        )
        assert caught.value.registers.bfar == 0x60000000
        assert caught.value.operator == 4

    def test_bytes_that_changed_between_digest_and_reading(self):
        device = FakeDevice()
        link = Link(device, timing=FAST)
        run(link)
        device.valid[2] = b"logistiC"
        with pytest.raises(errors.MemoryContentError, match="memory is at fault"):
            link.read_tensor(2)

    def test_a_tensor_whose_memory_was_reused_is_not_read(self):
        link = Link(FakeDevice(), timing=FAST)
        run(link)
        with pytest.raises(errors.DeviceError, match="TENSOR_NOT_VALID"):
            link.read_tensor(1)

    def test_an_answer_of_another_kind_is_a_protocol_error(self):
        device = FakeDevice()
        device.on_ping = lambda request, sequence: m.ResetReply()
        with pytest.raises(errors.ProtocolError, match="answer to PING: expected code"):
            Link(device, timing=FAST).ping(b"x")

    def test_an_input_of_the_wrong_size(self):
        link = Link(FakeDevice(), timing=FAST)
        with pytest.raises(errors.UsageError, match="input 0 has 3 bytes, the device's tensor 700"):
            link.write_inputs([b"abc"])

    def test_an_unknown_region(self):
        link = Link(FakeDevice(), timing=FAST)
        link.hello()
        with pytest.raises(errors.UsageError, match="no region 'CCM', only AXISRAM, SDRAM2"):
            link.allocate(region="CCM")
        link.upload(MODEL)
        assert NONE_INDEX not in link.allocate(region="SDRAM2").offsets.values()
