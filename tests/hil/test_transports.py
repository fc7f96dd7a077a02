"""Byte pipes: serial ports of every kind, what is wrong with them, and bridges."""

from __future__ import annotations

import os
import socket
import threading
import tty
from types import SimpleNamespace

import pytest
import serial
from serial.rfc2217 import PortManager

from hil import errors, firmware, resources
from hil.link import Link
from hil.targets import load_board
from hil.transports.bridge import PtyBridge, TcpBridge
from hil.transports.serial_pipe import SerialPipe

BOARD = resources.board("stm32h747i_disco")


@pytest.fixture
def pty():
    """A pseudo-terminal: its path, and the file descriptor of the other end."""
    own, far = os.openpty()
    tty.setraw(own)
    tty.setraw(far)
    yield SimpleNamespace(path=os.ttyname(far), own=own)
    os.close(own)
    os.close(far)


class TestSerialPipe:
    def test_every_byte_value_passes_both_ways(self, pty):
        every = bytes(range(256))
        pipe = SerialPipe(pty.path, 921600)
        assert (pipe.name, pipe.baud) == (pty.path, 921600)
        pipe.write(every)
        assert os.read(pty.own, 1000) == every
        os.write(pty.own, every)
        assert pipe.read(1) == every
        assert pipe.read(0.01) == b""
        pipe.close()

    def test_what_came_before_it_was_opened_is_dropped(self, pty):
        os.write(pty.own, b"from an earlier run")
        pipe = SerialPipe(pty.path, 115200)
        assert pipe.read(0.01) == b""
        pipe.close()

    def test_a_second_program_is_told_that_the_port_is_busy(self, pty):
        pipe = SerialPipe(pty.path, 115200)
        with pytest.raises(errors.PortBusyError, match="another program holds it") as caught:
            SerialPipe(pty.path, 115200)
        assert caught.value.port == pty.path
        assert "Close the terminal" in str(caught.value)
        pipe.close()
        SerialPipe(pty.path, 115200).close()

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("/dev/ttyDoesNotExist", "there is no such device"),
            ("socket://127.0.0.1:1", "connection refused"),
        ],
        ids=["absent", "refused"],
    )
    def test_a_port_that_cannot_be_opened_says_why(self, url, message):
        with pytest.raises(errors.PortError, match=message) as caught:
            SerialPipe(url, 115200)
        assert not isinstance(caught.value, errors.PortBusyError)
        assert caught.value.exit_code == 3

    def test_a_port_that_goes_away_is_a_port_error(self):
        own, far = os.openpty()
        tty.setraw(far)
        pipe = SerialPipe(os.ttyname(far), 115200)
        os.close(far)
        os.close(own)
        with pytest.raises(errors.PortError):
            pipe.read(1)
        pipe.close()

    def test_a_spied_port_carries_the_same_bytes(self, pty, tmp_path):
        log = tmp_path / "log"
        pipe = SerialPipe(f"spy://{pty.path}?file={log}", 115200)
        pipe.write(b"abc")
        assert os.read(pty.own, 10) == b"abc"
        pipe.close()
        assert "abc" in log.read_text()


class EchoMachine:
    """Stands in for an emulated board: sends back what it gets, slowly."""

    def __init__(self):
        self.inbox = bytearray()
        self.outbox = bytearray()

    def write(self, data):
        self.inbox += data

    def read(self):
        data = bytes(self.outbox)
        self.outbox.clear()
        return data

    def run(self, timeout_s, until_output):
        from emulator.machine import StopReason

        self.outbox += self.inbox[:5000]
        del self.inbox[:5000]
        return StopReason.SLICE if self.inbox else StopReason.WAITING_FOR_INPUT


@pytest.fixture(params=["pty", "tcp"])
def bridge(request):
    with PtyBridge() if request.param == "pty" else TcpBridge(0) as opened:
        over = threading.Event()
        thread = threading.Thread(target=opened.serve, args=(EchoMachine(), over.is_set))
        thread.start()
        yield opened
        over.set()
        thread.join()


def echoed(pipe, data):
    pipe.write(data)
    back = bytearray()
    while len(back) < len(data):
        part = pipe.read(5)
        assert part
        back += part
    return bytes(back)


class TestBridge:
    @pytest.mark.parametrize("size", [1, 256, 100_000])
    def test_bytes_pass_unchanged(self, bridge, size):
        pipe = SerialPipe(bridge.url, 921600)
        data = bytes(i * 7 % 256 for i in range(size))
        # A pseudo-terminal takes 4 KB at a time from a host that does not read meanwhile.
        for start in range(0, size, 2000):
            assert echoed(pipe, data[start : start + 2000]) == data[start : start + 2000]
        pipe.close()

    def test_hosts_come_and_go(self, bridge):
        for text in (b"first", b"second"):
            pipe = SerialPipe(bridge.url, 921600)
            assert echoed(pipe, text) == text
            pipe.close()

    def test_a_host_that_leaves_without_reading_blocks_nobody(self, bridge):
        pipe = SerialPipe(bridge.url, 921600)
        for _ in range(30):
            pipe.write(bytes(1000))
        pipe.close()
        pipe = SerialPipe(bridge.url, 921600)
        while pipe.read(0.3):
            pass
        assert echoed(pipe, b"hello") == b"hello"
        pipe.close()

    def test_a_taken_tcp_port_is_busy(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(errors.PortBusyError, match=f"127.0.0.1:{port}"):
                TcpBridge(port)

    def test_a_second_tcp_host_is_sent_away(self):
        with TcpBridge(0) as bridge:
            over = threading.Event()
            thread = threading.Thread(target=bridge.serve, args=(EchoMachine(), over.is_set))
            thread.start()
            first = SerialPipe(bridge.url, 921600)
            assert echoed(first, b"mine") == b"mine"
            with pytest.raises(errors.PortError):
                echoed(SerialPipe(bridge.url, 921600), b"too")
            assert echoed(first, b"still mine") == b"still mine"
            first.close()
            over.set()
            thread.join()


def serve_rfc2217(listener, url):
    """A minimal RFC 2217 server: one host, one port."""
    connection, _ = listener.accept()
    port = serial.serial_for_url(url, timeout=0)
    over = threading.Event()
    guard = threading.Lock()

    def send(data):
        with guard:
            connection.sendall(data)

    manager = PortManager(port, SimpleNamespace(write=send))

    def forward():
        while not over.is_set():
            data = port.read(1000)
            if data:
                send(b"".join(manager.escape(data)))
            over.wait(0.001)

    thread = threading.Thread(target=forward)
    thread.start()
    while data := connection.recv(1000):
        port.write(b"".join(manager.filter(data)))
    over.set()
    thread.join()
    port.close()
    connection.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pyserial
def test_a_board_behind_rfc2217_answers():
    from emulator.machine import Machine

    machine = Machine(load_board(BOARD), firmware.default(BOARD))
    over = threading.Event()
    with TcpBridge(0) as bridge, socket.create_server(("127.0.0.1", 0)) as listener:
        threads = [
            threading.Thread(target=bridge.serve, args=(machine, over.is_set)),
            threading.Thread(target=serve_rfc2217, args=(listener, bridge.url)),
        ]
        for thread in threads:
            thread.start()
        pipe = SerialPipe(f"rfc2217://127.0.0.1:{listener.getsockname()[1]}", 921600)
        link = Link(pipe)
        assert link.hello().raw.board == "stm32h747i_disco"
        link.ping(bytes(range(256)) * 16)
        assert link.stats.retries == 0
        pipe.close()
        over.set()
        for thread in threads:
            thread.join()
