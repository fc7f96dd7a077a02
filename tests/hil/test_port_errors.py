"""What is wrong with a port, in words that fit, and what to do about it."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import threading
import tty

import pytest
import serial

from hil import cli, errors, resources
from hil.exchange import Timing
from hil.link import Link
from hil.protocol import messages as m
from hil.protocol.codes import DeviceErrorCode
from hil.targets import open_target
from hil.transports.port_errors import port_error
from hil.transports.serial_pipe import SerialPipe
from tests.hil.fake_device import FakeDevice

BOARD = resources.board("stm32h747i_disco")
DENSE = str(resources.fixture("dense.tflite"))
FAST = Timing(reply_s=0.2, work_s=0.4, operator_s=0.4, grace_s=0.02, attempts=2)
MISPLACED_ADVICE = "Unplug"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("socket://127.0.0.1", "names no TCP port"),
        ("socket://127.0.0.1:0", "names no TCP port"),
        ("socket://127.0.0.1:99999", "Port out of range 0-65535"),
        ("socket://127.0.0.1:http", "could not be cast to integer"),
        ("socket://:4000", "names no host"),
        ("socket://[::1", "Invalid IPv6 URL"),
        ("socket://127.0.0.1:4000?speed=9", "option behind its `.` is not known"),
        ("rfc2217://127.0.0.1", "names no TCP port"),
        ("spy://socket://127.0.0.1", "names no TCP port"),
        ("tcp://127.0.0.1:4000", "protocol 'tcp' not known"),
    ],
)
def test_a_url_that_is_none_is_a_usage_error(url, reason):
    with pytest.raises(errors.PortUrlError, match=reason) as caught:
        SerialPipe(url, 115200)
    assert caught.value.port == url
    assert caught.value.exit_code == 2
    assert "Write socket://HOST:PORT, such as socket://127.0.0.1:4000" in str(caught.value)


@pytest.mark.parametrize(
    ("port", "message"),
    [
        ("/dev/null", r"it is not a serial port\. Give the board's device"),
        ("/", r"it is not a serial port\. Give the board's device"),
        (DENSE, r"it is not a serial port\. Give the board's device"),
        ("/dev/ttyNowhere", r"no such device\. Is the board plugged in\?"),
        ("emulater", r"no such device\. A target is `emulator`, a device path such as"),
        ("hwgrep://no such thing", "no port matches it"),
        ("socket://127.0.0.1:1", r"connection refused\. Is the server"),
    ],
    ids=["null", "folder", "file", "absent", "misspelt", "pattern", "refused"],
)
def test_a_port_that_cannot_be_opened(port, message):
    with pytest.raises(errors.PortError, match=message) as caught:
        SerialPipe(port, 115200)
    assert MISPLACED_ADVICE not in str(caught.value)


def raised_by_pyserial(cause, text="Could not open port x: {}"):
    """As pyserial does: another error, while the first is handled."""
    try:
        try:
            raise cause
        except OSError as error:
            raise serial.SerialException(text.format(error))  # noqa: B904
    except serial.SerialException as error:
        return error


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "its host is not known"),
        (TimeoutError("timed out"), "nobody answers at that address"),
        (OSError(errno.EHOSTUNREACH, "no route"), "nobody answers at that address"),
        (ConnectionResetError(errno.ECONNRESET, "reset"), "the other end closed the connection"),
        (PermissionError(errno.EACCES, "denied"), "permission denied"),
    ],
    ids=["host", "timeout", "route", "reset", "permission"],
)
def test_the_number_behind_pyserials_words_decides(cause, message):
    error = port_error("socket://board:4000", raised_by_pyserial(cause))
    assert isinstance(error, errors.PortError)
    assert message in str(error)
    assert MISPLACED_ADVICE not in str(error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Remote does not seem to support RFC2217 or BINARY mode {}", "Give socket:// for"),
        ("Invalid baud rate: 7 {}", "Give another with --baud"),
        ("Could not configure port: {}", "no serial hardware is behind it"),
    ],
    ids=["rfc2217", "baud", "configure"],
)
def test_words_decide_where_no_number_does(text, message):
    error = port_error("/dev/ttyS9", raised_by_pyserial(OSError(errno.EIO, "I/O error"), text))
    assert message in str(error)


@contextlib.contextmanager
def served(answer):
    """A TCP server that answers the first bytes it gets and closes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"socket://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


class TestWhoAnswers:
    def test_a_web_server(self):
        page = b"HTTP/1.1 400 Bad Request\r\n\r\n" + b"no such thing\r\n" * 20
        with (
            served(page) as url,
            pytest.raises(errors.LinkGarbageError) as caught,
            open_target(url, board=BOARD),
        ):
            pass
        assert f"sent {len(page)} bytes and no valid frame" in str(caught.value)
        assert "HTTP/1.1 400" in str(caught.value)
        assert "another server listens there: look at host and port" in str(caught.value)
        assert "baud" not in str(caught.value)

    def test_a_server_of_other_bytes(self):
        with (
            served(b"\x80\xf8\x00\xe0" * 50) as url,
            pytest.raises(errors.LinkGarbageError, match="set it at the server") as caught,
            open_target(url, board=BOARD),
        ):
            pass
        assert "--baud" not in str(caught.value)
        assert caught.value.received_bytes == 200

    def test_a_server_that_hangs_up(self):
        with (
            served(b"") as url,
            pytest.raises(errors.PortError, match="the other end closed the connection"),
            open_target(url, board=BOARD),
        ):
            pass

    def test_a_server_that_says_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            pipe = SerialPipe(f"socket://127.0.0.1:{listener.getsockname()[1]}", 115200)
            with pytest.raises(errors.LinkTimeoutError, match=r"Are host and port right"):
                Link(pipe, timing=FAST).hello()
            pipe.close()

    def test_our_own_bytes(self):
        with (
            pytest.raises(errors.EchoError, match="TX and RX are joined") as caught,
            open_target("loop://", board=BOARD),
        ):
            pass
        assert caught.value.port == "loop://"
        assert "rebuild" not in str(caught.value)

    def test_a_line_at_another_rate_says_how_much_came(self):
        own, far = os.openpty()
        tty.setraw(own)
        tty.setraw(far)
        pipe = SerialPipe(os.ttyname(far), 115200)
        os.write(own, b"\x80\xf8\x00\xe0" * 100)
        with pytest.raises(errors.LinkGarbageError, match=r"sent 400 bytes .*opened at 115200"):
            Link(pipe, timing=FAST).hello()
        pipe.close()
        os.close(own)
        os.close(far)


def test_the_command_line_calls_a_bad_url_usage(capsys):
    assert cli.execute(["run", DENSE, "--target", "socket://127.0.0.1"]) == 2
    assert "Write socket://HOST:PORT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "status", "advised"),
    [
        (DeviceErrorCode.MODEL_REFUSED, 8, True),
        (DeviceErrorCode.ALLOCATE_FAILED, 9, True),
        (DeviceErrorCode.ALLOCATE_FAILED, 10, False),
        (DeviceErrorCode.INVOKE_FAILED, 14, False),
    ],
    ids=["unknown-operator", "unsupported", "refused", "invoke"],
)
def test_a_model_beyond_the_engine_is_told_what_to_do(code, status, advised):
    device = FakeDevice()
    told = "ADD is only done for int8"
    device.on_hello = lambda request, sequence: m.Error(code, status, 0, 1, 2, 0, 7, told)
    with pytest.raises(errors.DeviceError, match=told) as caught:
        Link(device, timing=FAST).hello()
    assert ("listed in boards/firmware/engine/README.md" in str(caught.value)) is advised
    assert (resources.board("stm32h747i_disco").parent / "firmware/engine/README.md").is_file()


def test_the_statuses_are_the_engines():
    header = BOARD.parent / "firmware" / "engine" / "engine.h"
    text = " ".join(header.read_text().split())
    assert "ENGINE_UNKNOWN_OPERATOR = 8," in text
    assert "ENGINE_UNSUPPORTED = 9," in text
