"""A serial port of any kind as a byte pipe: whatever pyserial's `serial_for_url` opens."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

import serial

from hil.transports.port_errors import check_url, port_error

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITE_TIMEOUT_S: Final = 10.0
_POLL_S: Final = 0.02
_LARGEST_READ_BYTES: Final = 1 << 16


class SerialPipe:
    """Byte pipe to a port, opened exclusively.

    Args:
        url: a device path, or a URL as pyserial takes it.
        baud: bits a second.

    Raises:
        PortBusyError: another program holds it.
        PortError: it cannot be opened.
        PortUrlError: no URL of a port.
    """

    def __init__(self, url: str, baud: int) -> None:
        check_url(url)
        self._url = url
        self._baud = baud
        # pyserial's handlers of URLs refuse these: only local devices can be locked.
        local = {"exclusive": True, "write_timeout": _WRITE_TIMEOUT_S}
        options: dict[str, Any] = {} if "://" in url else local
        # The time-out stays as it is from here on: a change has pyserial set up the port anew,
        # which over RFC 2217 is a conversation of its own.
        with self._errors():
            self._port = serial.serial_for_url(url, baudrate=baud, timeout=_POLL_S, **options)
        with contextlib.suppress(OSError, NotImplementedError):
            self._port.reset_input_buffer()

    @property
    def name(self) -> str:
        """The URL."""
        return self._url

    @property
    def baud(self) -> int | None:
        """Bits a second."""
        return self._baud

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (serial.SerialException, OSError, ValueError, NotImplementedError) as error:
            raise port_error(self._url, error) from error

    def write(self, data: bytes) -> None:
        """Sends all of it; waits while the port's buffer is full."""
        with self._errors():
            self._port.write(data)

    def read(self, timeout_s: float) -> bytes:
        """Waits for the first byte, then takes what is there.

        An end of the connection behind the last byte is told by the next call.
        """
        deadline = time.monotonic() + timeout_s
        with self._errors():
            data = bytearray(self._port.read(1))
            while not data and time.monotonic() < deadline:
                data += self._port.read(1)
        with contextlib.suppress(serial.SerialException, OSError):
            while (waiting := self._port.in_waiting) and len(data) < _LARGEST_READ_BYTES:
                data += self._port.read(waiting)
        return bytes(data)

    def close(self) -> None:
        """Gives the port back."""
        self._port.close()
