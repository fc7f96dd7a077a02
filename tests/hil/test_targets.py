"""Targets: which firmware runs, whether it is the right one, and what the broken images do."""

from __future__ import annotations

import shutil
import threading

import numpy as np
import pytest

import pyref
from hil import errors, firmware, resources
from hil.firmware import Firmware
from hil.protocol.codes import BuildFlag
from hil.targets import load_board, open_target
from hil.transports.bridge import PtyBridge

BOARD = resources.board("stm32h747i_disco")
IMAGES = BOARD / "firmware"
ODD = resources.fixture("odd.tflite")
DWT_LAR_KEY = bytes.fromhex("55ceacc5")


def run(target, path=ODD, seed=0):
    model = pyref.Model.from_file(path)
    target.link.upload(model.data)
    target.link.allocate()
    inputs = pyref.seeded_inputs(model, seed)
    target.link.write_inputs([np.ascontiguousarray(a).tobytes() for a in inputs])
    return target.link.invoke(), pyref.run(model, inputs)


@pytest.fixture
def port():
    """A port with an emulated board behind it that runs hil-agent."""
    from emulator.machine import Machine

    machine = Machine(load_board(BOARD), firmware.default(BOARD))
    over = threading.Event()
    with PtyBridge() as bridge:
        thread = threading.Thread(target=bridge.serve, args=(machine, over.is_set))
        thread.start()
        yield bridge.url
        over.set()
        thread.join()


class TestIdentity:
    def test_the_emulator_says_what_it_is(self):
        with open_target("emulator", board=BOARD) as target:
            assert (target.kind, target.board, target.cycles_kind) == (
                "emulator",
                "stm32h747i_disco",
                "modelled",
            )
            raw = target.hello.raw
            own = Firmware.from_file(IMAGES / "hil-agent.elf")
            assert target.firmware_sha256 == own.sha256(raw.image_base, raw.image_size_bytes)
            assert target.hello.caches == "I+D"
            assert target.hello.clock_hz == 400_000_000
            assert raw.build_flags == 0

    def test_cycles_of_an_emulated_board_are_modelled_behind_a_port_too(self, port):
        with open_target(port, board=BOARD) as target:
            assert (target.kind, target.cycles_kind) == ("serial", "modelled")

    def test_another_firmware_than_the_one_named_is_refused(self, port):
        named = IMAGES / "hil-agent-single-rounding.elf"
        with (
            pytest.raises(errors.WrongFirmwareError, match="another firmware image") as caught,
            open_target(port, board=BOARD, firmware=named),
        ):
            pass
        assert caught.value.expected.endswith(f"({named})")

    def test_the_firmware_named_is_accepted(self, port):
        with open_target(port, board=BOARD, firmware=IMAGES / "hil-agent.elf") as target:
            assert target.hello.raw.firmware_name == "hil-agent"

    def test_another_boards_firmware_is_refused(self, port, tmp_path):
        other = tmp_path / "other_board"
        other.mkdir()
        text = (BOARD / "board.yaml").read_text().replace("stm32h747i_disco", "other_board", 1)
        text = text.replace("name: stm32h747i_disco", "name: other_board")
        (other / "board.yaml").write_text(text)
        with (
            pytest.raises(errors.WrongBoardError, match="got stm32h747i_disco"),
            open_target(port, board=other),
        ):
            pass

    def test_a_refused_target_gives_its_port_back(self, port):
        for _ in range(2):
            with (
                pytest.raises(errors.WrongFirmwareError),
                open_target(port, board=BOARD, firmware=IMAGES / "hil-agent-fault.elf"),
            ):
                pass
        with open_target(port, board=BOARD):
            pass


class TestUsage:
    @pytest.mark.parametrize(
        ("arguments", "error", "message"),
        [
            ({"firmware": BOARD / "nothing.elf"}, errors.UsageError, "no firmware at"),
            ({"firmware": BOARD / "link.ld"}, errors.FirmwareFileError, "cannot be used"),
            ({"baud": 9600}, errors.UsageError, "leave out --baud"),
            ({"board": BOARD.parent}, errors.UsageError, "board.yaml"),
        ],
        ids=["absent", "no-elf", "baud", "board"],
    )
    def test_what_cannot_be_meant_is_a_usage_error(self, arguments, error, message):
        with (
            pytest.raises(error, match=message),
            open_target("emulator", **{"board": BOARD} | arguments),
        ):
            pass

    def test_a_board_without_an_image_says_how_to_build_one(self, tmp_path):
        tmp_path /= BOARD.name
        tmp_path.mkdir()
        shutil.copy(BOARD / "board.yaml", tmp_path)
        with pytest.raises(errors.UsageError, match=r"ships no hil-agent\.elf: build it"):
            open_target("emulator", board=tmp_path)


class TestInstructions:
    def test_they_are_exact_and_repeat(self):
        with open_target("emulator", board=BOARD) as target:
            first = [r.instructions for r in run(target)[0]]
            second = [r.instructions for r in run(target)[0]]
        assert first == second
        assert all(count > 20 for count in first)

    def test_they_are_unknown_behind_a_port(self, port):
        with open_target(port, board=BOARD) as target:
            assert {r.instructions for r in run(target)[0]} == {None}


class TestBrokenImages:
    def test_single_rounding_differs_and_says_that_it_is_built_so(self):
        image = IMAGES / "hil-agent-single-rounding.elf"
        with open_target("emulator", board=BOARD, firmware=image) as target:
            assert target.hello.raw.build_flags == BuildFlag.SINGLE_ROUNDING
            results, reference = run(target)
            differing = [
                (r.index, o.tensor)
                for r, op in zip(results, reference.operators, strict=True)
                for o in r.outputs
                if o.digest != pyref.digest(op.outputs[o.tensor])
            ]
            assert differing
            operator, tensor = differing[0]
            got = target.link.capture(operator, tensor)
            expected = reference.operators[operator].outputs[tensor]
            difference = np.frombuffer(got, expected.dtype).astype(int) - expected.ravel()
            assert np.abs(difference).max() == 1

    def test_a_fault_is_reported_with_place_and_cause_until_a_reset(self):
        image = IMAGES / "hil-agent-fault.elf"
        with open_target("emulator", board=BOARD, firmware=image) as target:
            assert target.hello.raw.build_flags == BuildFlag.FAULT_INJECTION
            with pytest.raises(errors.DeviceFaultError) as caught:
                run(target)
            fault = caught.value
            assert fault.operator == 0
            assert "BusFault, PRECISERR: access to an address where nothing is, 0x04000000" in str(
                fault
            )
            assert fault.location.startswith("before_operator+0x")
            assert "called from engine_invoke+0x" in str(fault)
            assert fault.registers is not None
            assert fault.registers.bfar == 0x04000000
            # It goes on saying so to whoever asks, and a reset ends it.
            with pytest.raises(errors.DeviceFaultError, match="before_operator"):
                target.link.ping(b"?")
            target.link.reset()
            assert target.link.hello().model_sha256 is None
            with pytest.raises(errors.DeviceFaultError):
                run(target)
            target.reset()
            target.link.ping(b"!")

    def test_a_stack_overflow_is_reported_as_one(self, tmp_path):
        """The same image with a stack of 256 bytes: it runs out of the memory's lower end."""
        data = (IMAGES / "hil-agent.elf").read_bytes()
        image = Firmware.from_file(IMAGES / "hil-agent.elf").image
        vectors = image.segments[0].data[:8]
        assert data.count(vectors) == 1
        path = tmp_path / "small-stack.elf"
        small = (0x20000100).to_bytes(4, "little") + vectors[4:]
        path.write_bytes(data.replace(vectors, small))
        with (
            pytest.raises(errors.DeviceFaultError, match=r"stack overflow\?.* at an unknown place"),
            open_target("emulator", board=BOARD, firmware=path),
        ):
            pass

    def test_a_locked_cycle_counter_is_refused_by_name(self, tmp_path):
        """Field failure 51: the same image, but with a wrong key for the DWT's lock."""
        data = (IMAGES / "hil-agent.elf").read_bytes()
        assert data.count(DWT_LAR_KEY) == 1
        image = tmp_path / "locked.elf"
        image.write_bytes(data.replace(DWT_LAR_KEY, bytes(4)))
        with (
            pytest.raises(errors.CycleCounterError, match=r"DWT lock.*0xC5ACCE55"),
            open_target("emulator", board=BOARD, firmware=image),
        ):
            pass

    def test_an_image_of_another_program_does_not_answer(self, tmp_path):
        """A vector table and a branch to itself: alive, and silent."""
        data = bytearray((IMAGES / "hil-agent.elf").read_bytes())
        image = Firmware.from_file(IMAGES / "hil-agent.elf").image
        segment = image.segments[0]
        start = bytes(data).index(segment.data[:64])
        entry = (image.entry & ~1) - segment.load_address
        data[start + entry : start + entry + 2] = b"\xfe\xe7"
        path = tmp_path / "silent.elf"
        path.write_bytes(data)
        target = open_target("emulator", board=BOARD, firmware=path)
        with (
            pytest.raises(errors.LinkTimeoutError, match=r"no answer to HELLO.*not one byte"),
            target,
        ):
            pass
