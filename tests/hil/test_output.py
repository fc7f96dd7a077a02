"""Standard output that cannot be written: the work is done, the reports are there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hil.observations import FIXTURES

HIL = [sys.executable, "-c", "from hil.cli import main; main()"]
DENSE = str(FIXTURES / "dense.tflite")
FULL = Path("/dev/full")

needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


def run(arguments, stdout):
    done = subprocess.run(
        [*HIL, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        cwd=FIXTURES.parent,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr


def reports(folder):
    return ["--json", str(folder / "report.json"), "--html", str(folder / "report.html")]


def check_reports(folder):
    assert json.loads((folder / "report.json").read_text())["verdict"] == "pass"
    assert "FULLY_CONNECTED" in (folder / "report.html").read_text()


@needs_a_full_device
def test_a_full_device_is_said_in_one_line_and_costs_no_report(tmp_path):
    with FULL.open("w") as full:
        code, err = run(["run", DENSE, *reports(tmp_path)], full)
    assert code == 3
    assert err == "error: cannot write the output: No space left on device\n"
    check_reports(tmp_path)


def test_a_reader_that_leaves_is_not_complained_about(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    code, err = run(["run", DENSE, *reports(tmp_path)], writer)
    os.close(writer)
    assert (code, err) == (3, "")
    check_reports(tmp_path)


@needs_a_full_device
@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["boards"], ["inspect", DENSE], ["check", DENSE], ["plan", DENSE]],
    ids=lambda a: a[0].strip("-"),
)
def test_every_command_tells(arguments):
    with FULL.open("w") as full:
        code, err = run(arguments, full)
    assert (code, err.count("\n")) == (3, 1), err


def test_without_any_standard_output_it_runs(tmp_path):
    done = subprocess.run(
        [*HIL, "run", DENSE, *reports(tmp_path)],
        preexec_fn=lambda: os.close(1),
        stderr=subprocess.PIPE,
        cwd=FIXTURES.parent,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    check_reports(tmp_path)
