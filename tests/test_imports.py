"""Who may import whom, and how light importing is."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"hil", "emulator", "pyref", "fixtures", "tests"}
#: What each package may import of ours.
ALLOWED = {
    "pyref": {"pyref"},
    "emulator": {"emulator"},
    "hil": {"hil", "emulator", "pyref"},
}
FILES = [path for package in ALLOWED for path in sorted((ROOT / package).rglob("*.py"))]


def imported(path):
    """Top-level names that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield path.relative_to(ROOT).parts[0] if node.level else node.module.split(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_imports_only_what_its_package_may(path):
    package = path.relative_to(ROOT).parts[0]
    assert set(imported(path)) & OURS <= ALLOWED[package]


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("pyref", {"numba", "llvmlite", "unicorn", "serial", "jinja2", "ortools"}),
        ("emulator", {"numba", "llvmlite", "serial", "jinja2"}),
        ("hil.plugin", {"numba", "llvmlite", "numpy", "unicorn", "serial", "jinja2", "rich"}),
        ("hil.cli", {"numba", "llvmlite", "unicorn", "jinja2", "ortools"}),
    ],
)
def test_importing_is_light(module, heavy):
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert sorted(set(loaded.stdout.split()) & heavy) == []
