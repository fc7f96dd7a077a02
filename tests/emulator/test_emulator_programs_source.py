"""The assembled test programs are those of the sources."""

from __future__ import annotations

import shutil

import pytest

from tests.emulator import assemble


@pytest.mark.skipif(
    shutil.which("arm-none-eabi-as") is None, reason="arm-none-eabi binutils are not installed"
)
def test_programs_are_assembled_from_their_sources():
    assert assemble.ASSEMBLED.read_text() == assemble.assemble_all()
