"""Puts an emulated board behind a port, so that a host meets it as it would meet a real one."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import socket
import tty
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, Self

from hil.errors import DeviceFaultError, PortBusyError, PortError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from emulator.machine import Machine

_SLICE_S: Final = 0.01
_IDLE_S: Final = 0.1
_CHUNK_BYTES: Final = 1 << 16
_KEPT_OUTPUT_BYTES: Final = 1 << 20


class Bridge(ABC):
    """A port with an emulated board behind it.

    Attributes:
        url: what a host opens.
    """

    url: str

    @abstractmethod
    def descriptor(self, wait_s: float) -> int | None:
        """Where bytes are exchanged; None if nobody has come within `wait_s`."""

    @abstractmethod
    def hung_up(self) -> None:
        """The host has gone."""

    @abstractmethod
    def close(self) -> None:
        """Gives the port back."""

    def serve(self, machine: Machine, until: Callable[[], bool] = lambda: False) -> None:
        """Runs the board and passes bytes on, until `until` says so.

        Output that no host reads is kept up to 1 MB, then dropped from its start, as a serial
        line would drop it.

        Raises:
            DeviceFaultError: the core locked up; a real one would stay silent.
        """
        output = bytearray()
        idle = False
        while not until():
            descriptor = self.descriptor(_IDLE_S if idle else 0.0)
            if descriptor is not None:
                wait_s = _IDLE_S if idle and not output else 0.0
                received = self._exchange(descriptor, output, wait_s)
                if received:
                    machine.write(received)
                    idle = False
            if not idle:
                idle = self._run(machine)
                output += machine.read()
                del output[: max(len(output) - _KEPT_OUTPUT_BYTES, 0)]

    def _run(self, machine: Machine) -> bool:
        """Runs the board for a moment; returns whether it waits for input."""
        from emulator.errors import FaultError  # noqa: PLC0415 - after the machine was made
        from emulator.machine import StopReason  # noqa: PLC0415

        try:
            reason = machine.run(timeout_s=_SLICE_S, until_output=_CHUNK_BYTES)
        except FaultError as error:
            raise DeviceFaultError(
                str(error), location=machine.symbolize(error.fault.pc)
            ) from error
        return reason is StopReason.WAITING_FOR_INPUT

    def _exchange(self, descriptor: int, output: bytearray, wait_s: float) -> bytes:
        """Writes what the port takes, and returns what has come."""
        writers = [descriptor] if output else []
        readable, writable, _ = select.select([descriptor], writers, [], wait_s)
        try:
            if writable:
                del output[: os.write(descriptor, output[:_CHUNK_BYTES])]
            if not readable:
                return b""
            data = os.read(descriptor, _CHUNK_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self.hung_up()
        return data

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class PtyBridge(Bridge):
    """A pseudo-terminal, raw at both ends.

    This end keeps the host's end open as well, so that hosts may come and go.
    """

    def __init__(self) -> None:
        self._own, self._hosts = os.openpty()
        tty.setraw(self._own)
        tty.setraw(self._hosts)
        os.set_blocking(self._own, False)
        self.url = os.ttyname(self._hosts)

    def descriptor(self, wait_s: float) -> int | None:
        """There is always a line."""
        del wait_s
        return self._own

    def hung_up(self) -> None:
        """Cannot happen while our copy of the host's end is open."""

    def close(self) -> None:
        """The device file goes away."""
        for descriptor in (self._own, self._hosts):
            with contextlib.suppress(OSError):
                os.close(descriptor)


class TcpBridge(Bridge):
    """A TCP port on this machine, for one host at a time.

    Args:
        port: its number, 0 for any that is free.
        host: address to listen at.

    Raises:
        PortError: the port is taken.
    """

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self._connection: socket.socket | None = None
        try:
            self._listener = socket.create_server((host, port))
        except OSError as error:
            name = f"{host}:{port}"
            if error.errno == errno.EADDRINUSE:
                raise PortBusyError(name, error.strerror or "") from error
            raise PortError(name, error.strerror or str(error), "Choose another.") from error
        self.url = f"socket://{host}:{self._listener.getsockname()[1]}"

    def descriptor(self, wait_s: float) -> int | None:
        """The connection, after waiting for one if there is none."""
        waits = 0.0 if self._connection else wait_s
        if select.select([self._listener], [], [], waits)[0]:
            connection, _ = self._listener.accept()
            if self._connection is not None:
                connection.close()
            else:
                connection.setblocking(False)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._connection = connection
        return self._connection.fileno() if self._connection else None

    def hung_up(self) -> None:
        """Ready for the next host."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Stops listening."""
        self.hung_up()
        self._listener.close()
