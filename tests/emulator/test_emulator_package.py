"""The package as such: what it imports, and when."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.emulator.emulator_programs import ROOT

PACKAGE = ROOT / "emulator"


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.stem)
def test_it_imports_nothing_of_the_project_but_itself(path):
    assert not {m.split(".")[0] for m in imported(path)} & {"hil", "pyref", "fixtures", "boards"}


def test_importing_it_does_not_load_the_slow_packages():
    code = "import sys, emulator; print({'numba', 'capstone', 'llvmlite'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "set()"


def test_machine_code_is_compiled_even_where_no_cache_can_be_written(monkeypatch):
    from emulator.native import calls

    asked = []

    def refusing(signature, *, cache=False):
        asked.append(cache)
        if cache:
            raise RuntimeError("cannot cache function 'f': no locator available")
        return lambda function: (signature, function)

    monkeypatch.setattr(calls, "cfunc", refusing)
    assert calls.callback("void()")(len) == ("void()", len)
    assert asked == [True, False]
