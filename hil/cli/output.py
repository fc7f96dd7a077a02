"""Standard output that may go away: a full device, a pipe whose reader has left.

A command then still does its work and writes its files; only the exit code tells.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator


class KeptGoing:
    """A text stream that keeps its first error instead of raising it, and is silent from then on.

    Attributes:
        error: why nothing is written any more, or None.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Writes text, or drops it."""
        if self.error is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._give_up(error)
        return len(text)

    def flush(self) -> None:
        """Sends what is buffered, or drops it."""
        if self.error is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self.error = error
        # What is still buffered would fail once more, when the interpreter ends.
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            try:
                os.dup2(nowhere, self._stream.fileno())
            finally:
                os.close(nowhere)


@contextlib.contextmanager
def kept_going() -> Iterator[KeptGoing | None]:
    """Standard output and error as such streams; gives the first, None where there is none."""
    streams = sys.stdout, sys.stderr
    out, err = (None if stream is None else KeptGoing(stream) for stream in streams)
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        for stream in (out, err):
            if stream is not None:
                stream.flush()
        sys.stdout, sys.stderr = streams
