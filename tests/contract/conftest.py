"""The targets that the contract holds for; each module gets its own, freshly started."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING

import pytest

from hil import firmware, resources
from hil.targets import load_board, open_target
from hil.transports.bridge import PtyBridge, TcpBridge
from tests.firmware.agent_on_host import HostTarget
from tests.firmware.engine_on_host import GCC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hil.targets import Target
    from hil.transports.bridge import Bridge

BOARD = resources.board("stm32h747i_disco")
#: A real board joins where HIL_PORT names its port: HIL_PORT=/dev/ttyACM0 pytest tests/contract
PORT = os.environ.get("HIL_PORT")
KINDS = ["emulator", "pty", "tcp", "host", *(["port"] if PORT else [])]


@contextlib.contextmanager
def behind(bridge: Bridge) -> Iterator[Target]:
    """An emulated board behind a port, and a serial target at that port."""
    from emulator.machine import Machine

    machine = Machine(load_board(BOARD), firmware.default(BOARD))
    over = threading.Event()
    thread = threading.Thread(target=bridge.serve, args=(machine, over.is_set))
    with bridge:
        thread.start()
        try:
            with open_target(bridge.url, board=BOARD) as target:
                yield target
        finally:
            over.set()
            thread.join()


@contextlib.contextmanager
def started(kind: str) -> Iterator[Target]:
    """A target of that kind."""
    if kind == "emulator":
        with open_target("emulator", board=BOARD) as target:
            yield target
    elif kind == "port":
        with open_target(PORT, board=BOARD) as target:
            yield target
    elif kind == "host":
        if GCC is None:
            pytest.skip("gcc is not installed: no host build of the agent")
        with HostTarget() as target:
            yield target
    else:
        with behind(PtyBridge() if kind == "pty" else TcpBridge(0)) as target:
            yield target


@pytest.fixture(scope="module", params=KINDS)
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every kind of target in turn."""
    with started(request.param) as opened:
        yield opened


@pytest.fixture(scope="module")
def emulator() -> Iterator[Target]:
    """The emulator alone, for what only it can do."""
    with started("emulator") as opened:
        yield opened
