"""Keeps Ctrl-C out of what Unicorn calls back, where ctypes would print and drop it."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class HeldInterrupt:
    """While entered, SIGINT is only noted; `deliver` hands it to the handler that was there.

    A signal handler that raises within a callback from C loses its exception, and catching it in
    each callback leaves a gap before each `try`. So none is raised there at all. In a thread other
    than the main one, where Python runs no handlers, this does nothing.
    """

    def __init__(self) -> None:
        self._handler: Callable[[int, Any], Any] | None = None
        self._noted = False

    def _note(self, _number: int, _frame: Any) -> None:
        self._noted = True

    def deliver(self) -> None:
        """Raise what the handler raises, usually KeyboardInterrupt, if SIGINT has come."""
        if self._noted and self._handler is not None:
            self._noted = False
            self._handler(signal.SIGINT, None)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            self.deliver()
