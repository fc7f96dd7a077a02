"""The tables hold together: operators, kernels, structures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyref.arena import kernels, releases
from pyref.arena.kernels.fixed import FIXED
from pyref.operators import OPERATORS

SOURCES = Path(kernels.__file__).parent


def test_kernels_are_the_operators_of_pyref():
    assert set(kernels.KERNELS) == set(OPERATORS)


def test_no_kernel_file_is_missing_from_the_table():
    files = {p.stem for p in SOURCES.glob("*.py")} - {"__init__", "fixed"}
    table = (SOURCES / "__init__.py").read_text()
    assert files == {f for f in files if re.search(rf"\b{f}\.", table)}


@pytest.mark.parametrize("name", ["2024-06", "2026-08"])
def test_every_structure_is_known(name):
    release = releases.find(name)
    named = set(
        re.findall(r'op_data\(\s*"([^"]+)"', "".join(p.read_text() for p in SOURCES.glob("*.py")))
    )
    named |= {entry.op_data for entry in FIXED.values() if entry.op_data}
    named |= set(release.builtin_params.values())
    assert named <= set(release.structs)


@pytest.mark.parametrize("name", ["2024-06", "2026-08"])
def test_structures_have_a_source_and_a_sound_layout(name):
    for key, layout in releases.find(name).structs.items():
        assert layout.size % layout.align == 0, key
        assert layout.source.endswith((".h", ".cc")), key


def test_absent_operators_are_operators():
    for name in ("2024-06", "2026-08"):
        assert releases.find(name).absent <= set(kernels.KERNELS)
