"""What a transport is: a byte pipe. It knows no frames and no device lifecycle."""

from __future__ import annotations

from typing import Protocol


class BytePipe(Protocol):
    """A full-duplex stream of bytes."""

    @property
    def name(self) -> str:
        """Device path or URL, for messages."""

    @property
    def baud(self) -> int | None:
        """Rate it was opened with, None where that means nothing."""

    def write(self, data: bytes) -> None:
        """Sends all of `data`.

        Raises:
            PortError: the port has gone.
        """

    def read(self, timeout_s: float) -> bytes:
        """At least one byte, as soon as there is one.

        Returns `b""` if nothing came within `timeout_s`, or earlier if nothing can come any more
        (an emulated device that waits for input).

        Raises:
            PortError: the port has gone.
        """

    def close(self) -> None:
        """Gives the port back; may be called twice."""
