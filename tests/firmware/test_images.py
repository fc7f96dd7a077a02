"""Shipped firmware images are what their sources build, byte for byte."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from hil import resources
from hil.firmware import Firmware
from tests.firmware.engine_on_host import FIRMWARE

BOARD = resources.board("stm32h747i_disco")
_SPEC = importlib.util.spec_from_file_location("firmware_build", FIRMWARE / "build.py")
build = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(build)


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
