"""Turns what pyserial and the operating system say about a port into our errors."""

from __future__ import annotations

import errno
import socket
import termios
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from hil.errors import HilError, PortBusyError, PortError, PortUrlError

if TYPE_CHECKING:
    from collections.abc import Iterator

_NETWORK_SCHEMES: Final = ("socket", "rfc2217")
_SPY: Final = "spy://"

_WHAT_A_TARGET_IS: Final = (
    "A target is `emulator`, a device path such as /dev/ttyACM0, or a URL such as "
    "socket://HOST:PORT."
)

#: Error numbers, what they mean here, and what to do; the first that fits counts.
_BY_NUMBER: Final = (
    (
        (errno.ENOTTY, errno.EISDIR, errno.ENXIO),
        "it is not a serial port",
        "Give the board's device: see `ls /dev/ttyACM* /dev/ttyUSB*`.",
    ),
    (
        (errno.EACCES, errno.EPERM),
        "permission denied",
        "Join the port's group (often `dialout`).",
    ),
    (
        (errno.ECONNREFUSED,),
        "connection refused",
        "Is the server at that address running?",
    ),
    (
        (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT),
        "nobody answers at that address",
        "Is the machine on, and are host and port right?",
    ),
    (
        (errno.ECONNRESET, errno.EPIPE),
        "the other end closed the connection",
        "A server of a port takes one host at a time: is another one connected?",
    ),
)

#: pyserial's words, where no number says it.
_BY_WORDS: Final = (
    (
        "socket disconnected",
        "the other end closed the connection",
        "A server of a port takes one host at a time: is another one connected?",
    ),
    (
        "does not seem to support RFC2217",
        "the server there does not speak RFC 2217",
        "Give socket:// for a plain TCP port.",
    ),
    (
        "no ports found",
        "no port matches it",
        "Is the board plugged in? See `ls /dev`.",
    ),
    (
        "baud rate",
        "it cannot run at that baud rate",
        "Give another with --baud, the one the firmware was built for.",
    ),
    (
        "Could not configure port",
        "no serial hardware is behind it",
        "Give the board's device: see `ls /dev/ttyACM* /dev/ttyUSB*`.",
    ),
)


def check_url(url: str) -> None:
    """Refuses a URL that lacks what its scheme asks for; device paths pass.

    Raises:
        PortUrlError: no host, or no TCP port from 1 to 65535.
    """
    network = url.removeprefix(_SPY)
    if network.partition("://")[0].lower() not in _NETWORK_SCHEMES or "://" not in network:
        return
    try:
        parts = urlsplit(network)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise PortUrlError(url, str(error)) from error
    if not host:
        raise PortUrlError(url, "it names no host")
    if not port:
        raise PortUrlError(url, "it names no TCP port")


def port_error(port: str, error: Exception) -> HilError:
    """The error for what pyserial raised about `port`."""
    reason = str(error)
    causes = list(_causes(error))
    numbers = {_number(cause) for cause in causes}
    if "invalid URL" in reason or "expected a string in the form" in reason:
        return PortUrlError(port, reason.rpartition(": ")[2])
    if "debug|info|warning|error" in reason:  # from a format string of pyserial's own
        return PortUrlError(port, "an option behind its `?` is not known")
    if errno.EBUSY in numbers or "exclusively lock" in reason:
        return PortBusyError(port, reason)
    if errno.ENOENT in numbers:
        path = "://" in port or port.startswith("/")
        advice = "Is the board plugged in? See `ls /dev`." if path else _WHAT_A_TARGET_IS
        return PortError(port, "there is no such device", advice)
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return PortError(
            port, "its host is not known", "Is the name right, and this machine's network up?"
        )
    if any(isinstance(cause, TimeoutError) for cause in causes):
        numbers.add(errno.ETIMEDOUT)
    for known, meaning, advice in _BY_NUMBER:
        if not numbers.isdisjoint(known):
            return PortError(port, meaning, advice)
    for words, meaning, advice in _BY_WORDS:
        if words in reason:
            return PortError(port, meaning, advice)
    if "://" in port:
        return PortError(port, reason, "Look at the URL, and at what serves it.")
    return PortError(port, reason, "Unplug and plug in again, then look at the cable.")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it; pyserial often keeps the number only there."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _number(error: BaseException) -> int | None:
    if isinstance(error, termios.error):
        return int(error.args[0])
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror):
        return error.errno
    return None
