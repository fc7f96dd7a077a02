"""That the reports of this folder run and print what they promise; never what the numbers are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.public_models import MODELS, ROOT, needs_facts
from tests.tflm import AVAILABLE

HERE = Path(__file__).parent
pytestmark = [
    needs_facts,
    pytest.mark.skipif(not AVAILABLE, reason="the tflite-micro package is not installed"),
]

#: Script and arguments to words of its output.
REPORTS = {
    "bench_models": (["--filter", "hello_world", "--repeat", "2"], "hello_world_int8.tflite"),
    "memory_report": (["--filter", "hello_world"], "hello_world_int8.tflite"),
    "ulp_report": (["--filter", "hello_world", "--seeds", "1"], "FULLY_CONNECTED"),
    "arena_table": (["--only", "hello_world"], "| 676 | 676 | 772 | 772 |"),
}


@pytest.mark.parametrize("name", REPORTS)
def test_report_prints(name):
    arguments, words = REPORTS[name]
    done = subprocess.run(
        [sys.executable, str(HERE / f"{name}.py"), *arguments, "--models", str(MODELS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert words in done.stdout


def test_every_report_is_here():
    scripts = {p.stem for p in HERE.glob("*.py") if not p.stem.startswith(("test_", "__"))}
    assert scripts == set(REPORTS)


@pytest.mark.parametrize("name", [n for n in REPORTS if n != "arena_table"])
def test_report_without_models_says_what_to_set(name, tmp_path):
    done = subprocess.run(
        [sys.executable, str(HERE / f"{name}.py"), "--models", str(tmp_path), "--filter", "none"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "set HIL_MODELS" in done.stdout
