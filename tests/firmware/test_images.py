"""Shipped firmware images are what their sources build, byte for byte."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import replace

import pytest

from hil import resources
from hil.cycles import read, write
from hil.firmware import Firmware
from tests.firmware.engine_on_host import FIRMWARE, FIXTURES

BOARD = resources.board("stm32h747i_disco")


def _script(name):
    spec = importlib.util.spec_from_file_location(f"firmware_{name}", FIRMWARE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build, cycles = _script("build"), _script("cycles")


def _reason_to_skip():
    if shutil.which(build.PREFIX + "gcc") is None:
        return f"{build.PREFIX}gcc is not installed: images cannot be rebuilt"
    version = build.compiler_version()
    if not version.startswith(build.COMPILER + "."):
        return f"compiler {version}: shipped images are built with {build.COMPILER}"
    return None


def test_the_image_rebuilds_to_the_same_bytes():
    """The default one; `build.py --check` in CI does all."""
    reason = _reason_to_skip()
    if reason:
        pytest.skip(reason)
    assert build.check(BOARD, "hil-agent") is None


def test_every_image_is_shipped_and_no_other():
    assert {p.stem for p in (BOARD / "firmware").glob("*.elf")} == set(build.IMAGES)


@pytest.mark.parametrize("image", build.IMAGES)
def test_an_image_names_nothing_of_the_machine_that_built_it(image):
    data = (BOARD / "firmware" / f"{image}.elf").read_bytes()
    for trace in (b"/tmp", b"/home", b"/work", b"/root", b".debug_info"):
        assert trace not in data


def test_symbols_are_kept_to_name_faults():
    firmware = Firmware.from_file(BOARD / "firmware" / "hil-agent.elf")
    address = firmware.image.symbols["engine_invoke"].address
    assert firmware.locate(address + 6).startswith("engine_invoke+0x6 (0x08")


def test_what_loads_is_contiguous_and_all_of_it_is_hashed():
    firmware = Firmware.from_file(BOARD / "firmware" / "hil-agent.elf")
    start = firmware.image.symbols["__image_start"].address
    end = firmware.image.symbols["__image_end"].address
    segments = sorted(firmware.image.segments, key=lambda s: s.load_address)
    position = start
    for segment in segments:
        assert segment.load_address == position
        position += len(segment.data)
    assert position == end


def test_cycle_goldens_are_the_shipped_images(capsys):
    """Of the fixtures one after the other, so also: counts do not depend on what ran before."""
    assert cycles.main(["--check"]) == 0, capsys.readouterr().err


def test_cycles_are_recorded_in_place_of_those_of_other_images(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(cycles, "models", lambda: [FIXTURES / "dense.tflite"])
    monkeypatch.setattr(cycles.job, "cycle_golden_path", lambda _model, _folder: tmp_path / "c")
    assert cycles.main(["--check"]) == 1
    assert "run python boards/firmware/cycles.py: dense.tflite" in capsys.readouterr().err
    assert cycles.main([]) == 0
    (counted,) = read(tmp_path / "c")
    measured = replace(counted, origin=replace(counted.origin, kind="measured"))
    older = replace(counted, origin=replace(counted.origin, firmware="0" * 64))
    (tmp_path / "c").unlink()
    for golden in (measured, older):
        write(tmp_path / "c", golden)
    assert cycles.main([]) == 0
    assert read(tmp_path / "c") == [measured, counted]
