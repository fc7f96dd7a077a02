"""Ctrl-C and SIGTERM, sent to the command as it runs in a process of its own."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from hil import cli
from hil.cli import group, interrupt
from tests.hil.observations import FIXTURES

HIL = [sys.executable, "-c", "from hil.cli import main; main()"]
PROMPTLY_S = 3.0  # the product's own bound is half a second; test machines are shared

SWALLOWED = """
import click, time
from hil import cli
from hil.cli import group
@click.command()
def command():
    class Dropped:
        def __del__(self):
            print("here", flush=True)
            time.sleep(30)
    Dropped()
    time.sleep(30)
group.cli = command
cli.main([])
"""

CONVERTED = """
import click, time
from hil import cli
from hil.cli import group
@click.command()
def command():
    try:
        print("here", flush=True)
        time.sleep(30)
    except KeyboardInterrupt:
        raise RuntimeError("no compiled object yet") from None
group.cli = command
cli.main([])
"""

STUCK = """
import click, time
from hil import cli
from hil.cli import group
@click.command()
def command():
    while True:
        try:
            print("here", flush=True)
            time.sleep(30)
        except KeyboardInterrupt:
            pass
group.cli = command
cli.main([])
"""

THREAD = """
import click, time
from hil import cli
from hil.cli import group
from hil.cli.beside import beside
@click.command()
def command():
    with beside() as pool:
        pool.submit(time.sleep, 30)
        print("here", flush=True)
        time.sleep(30)
group.cli = command
cli.main([])
"""


def start(arguments, **options):
    return subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=FIXTURES.parent,
        **options,
    )


def end(process, number=signal.SIGINT):
    """Sends a signal; returns exit code, seconds and standard error."""
    sent = time.monotonic()
    process.send_signal(number)
    try:
        _, err = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail("it ran on")
    return process.returncode, time.monotonic() - sent, err


def check_interrupted(process):
    code, took_s, err = end(process)
    assert (code, "Traceback" in err, "ignored" in err) == (130, False, False), err
    assert err.count("interrupted") == 1
    assert took_s < PROMPTLY_S


@pytest.mark.parametrize(
    "program",
    [SWALLOWED, CONVERTED, STUCK, THREAD],
    ids=["dropped", "converted", "stuck", "thread"],
)
def test_it_ends_with_130_whatever_becomes_of_the_exception(program):
    process = start([sys.executable, "-c", program])
    assert process.stdout.readline() == "here\n"
    check_interrupted(process)


@pytest.mark.parametrize("after_s", [0.6, 1.2])
@pytest.mark.parametrize("command", ["run", "golden"])
def test_with_a_cold_cache_of_compiled_code(command, after_s, tmp_path):
    model = str(FIXTURES / "c2_bn.tflite")
    arguments = {
        "run": ["run", model],
        "golden": ["golden", model, "--out", str(tmp_path / "golden"), "--target", "emulator"],
    }[command]
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    process = start([*HIL, *arguments], env=cold)
    time.sleep(after_s)
    check_interrupted(process)


class TestEmulate:
    @pytest.mark.parametrize("port", [["--tcp", "0"], ["--pty"]], ids=["tcp", "pty"])
    def test_right_after_its_first_line(self, port):
        process = start([*HIL, "emulate", *port])
        assert process.stdout.readline().startswith(("socket://", "/dev/"))
        check_interrupted(process)

    def test_a_request_to_terminate_ends_it_quietly(self):
        process = start([*HIL, "emulate", "--tcp", "0"])
        process.stdout.readline()
        process.stderr.readline()
        code, took_s, err = end(process, signal.SIGTERM)
        assert (code, err) == (-signal.SIGTERM, "")
        assert took_s < PROMPTLY_S


def test_the_cursor_is_shown_again_on_a_terminal():
    own, far = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=far, cwd=FIXTURES.parent
    )
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    process.stdout.close()
    assert os.read(own, 100).startswith(b"\x1b[?25h")
    os.close(own)
    os.close(far)


def test_after_nohup_it_stays_ignored():
    process = start(
        [sys.executable, "-c", STUCK],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    time.sleep(1.0)
    assert process.poll() is None
    process.kill()
    process.communicate()


def test_called_from_python_it_returns_130(monkeypatch, capsys):
    class Interrupted:
        def main(self, **_):
            raise KeyboardInterrupt

    monkeypatch.setattr(group, "cli", Interrupted())
    assert cli.execute([]) == interrupt.EXIT_INTERRUPTED
    assert "interrupted" in capsys.readouterr().err
