"""Ctrl-C ends a command within half a second, with exit code 130, whatever it is doing.

KeyboardInterrupt alone does not: raised in a destructor, in a callback from C or inside a compiler,
it is printed and dropped, or becomes another exception; and threads are waited for. So a signal is
also remembered, and a thread that the signal wakes ends the process where unwinding does not.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from typing import Any, Final, NoReturn

EXIT_INTERRUPTED: Final = 130
GRACE_S: Final = 0.5
_SHOW_CURSOR: Final = b"\x1b[?25h"

_received = False
_said = False


def received() -> bool:
    """Whether Ctrl-C has come since `watch`."""
    return _received


def watch() -> None:
    """Looks out for Ctrl-C from now on, unless SIGINT is ignored, as after `nohup`."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_enforce, args=(reader,), name="interrupt", daemon=True).start()
    signal.signal(signal.SIGINT, _on_signal)


def over() -> None:
    """The command has ended: Ctrl-C has nothing to interrupt any more."""
    if signal.getsignal(signal.SIGINT) is _on_signal:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def say() -> None:
    """Says so on standard error."""
    global _said  # noqa: PLW0603 - a process has one Ctrl-C
    _said = True
    print("interrupted", file=sys.stderr)  # noqa: T201


def leave() -> NoReturn:
    """Ends the process without waiting for threads; what was printed is printed."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(EXIT_INTERRUPTED)


def _on_signal(_number: int, _frame: Any) -> None:
    global _received  # noqa: PLW0603 - a process has one Ctrl-C
    if _received:
        return
    _received = True
    # Where the exception cannot be raised, Python would print it; the thread sees to the end.
    sys.unraisablehook = lambda _unraisable: None
    threading.excepthook = lambda _arguments: None
    raise KeyboardInterrupt


def _enforce(reader: int) -> None:
    while os.read(reader, 1) != bytes([signal.SIGINT]):
        pass
    time.sleep(GRACE_S)
    # Not through sys.stderr, which the thread that hangs may hold.
    if os.isatty(2):
        os.write(2, _SHOW_CURSOR)
    if not _said:
        os.write(2, b"interrupted\n")
    os._exit(EXIT_INTERRUPTED)
