"""Builds the agent with the engine for the host, under sanitizers, and talks to it over pipes."""

from __future__ import annotations

import os
import select
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, ClassVar

import pytest

from hil import resources
from hil.link import Link
from hil.targets import load_board
from hil.targets.base import Target
from tests.firmware.engine_on_host import FIRMWARE, GCC, SANITIZED, STRICT, needs_gcc, sources

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["HostPipe", "HostTarget", "build_agent", "needs_gcc"]

BOARD = "stm32h747i_disco"


@cache
def build_agent(*flags: str) -> Path:
    """An agent_host built with the sanitizers and more flags."""
    assert GCC is not None
    program = Path(mkdtemp(prefix="agent-host-"), "agent_host")
    command = [
        GCC,
        *STRICT,
        "-D_POSIX_C_SOURCE=200809L",
        "-ffp-contract=off",
        *SANITIZED,
        *flags,
        f"-I{FIRMWARE / 'engine'}",
        f"-I{FIRMWARE / 'agent'}",
        *sources(),
        *sorted(str(path) for path in (FIRMWARE / "agent").glob("*.c")),
        str(FIRMWARE / "host" / "agent_host.c"),
    ]
    done = subprocess.run(  # noqa: PLW1510 - looked at just below
        [*command, "-o", str(program)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return program


class HostPipe:
    """Byte pipe to an agent_host process."""

    name = "agent_host"
    baud = None

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen(
            [str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"},
        )
        assert self.process.stdout is not None
        assert self.process.stdin is not None
        self._out = self.process.stdout.fileno()
        self._in = self.process.stdin.fileno()
        self._unread = bytearray()
        os.set_blocking(self._in, False)

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            readable, writable, _ = select.select([self._out], [self._in], [], 10)
            if readable:
                self._unread += self._read_now()
            if writable:
                view = view[os.write(self._in, view) :]
            assert readable or writable, "agent_host takes no input"

    def _read_now(self) -> bytes:
        data = os.read(self._out, 1 << 16)
        if not data:
            pytest.fail(f"agent_host died: {self.report()}")
        return data

    def read(self, timeout_s: float) -> bytes:
        if not self._unread and select.select([self._out], [], [], timeout_s)[0]:
            self._unread += self._read_now()
        data = bytes(self._unread)
        self._unread.clear()
        return data

    def report(self) -> str:
        """What the sanitizers said."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode(errors="replace")[-4000:]

    def close(self) -> None:
        """Ends the process, which must then have nothing to complain about."""
        if self.process.poll() is None:
            self.process.stdin.close()  # type: ignore[union-attr]
            self.process.wait(10)
            report = self.report()
            for stream in (self.process.stdout, self.process.stderr):
                stream.close()  # type: ignore[union-attr]
            assert (self.process.returncode, report) == (0, "")


class HostTarget(Target):
    """The agent on the host as a target."""

    kind: ClassVar[str] = "host"

    def __init__(self, flags: Sequence[str] = ()) -> None:
        folder = resources.board(BOARD)
        super().__init__(load_board(folder), folder, None)
        self._flags = tuple(flags)
        self._pipe: HostPipe | None = None

    def start(self) -> None:
        self._pipe = HostPipe(build_agent(*self._flags))
        self._identify(Link(self._pipe))

    def stop(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def reset(self) -> None:
        self.link.reset()
        self.hello = self.link.hello(self._board.core)
