"""Why `hil` could not do what was asked: one tree of errors that carry facts as attributes.

"Outputs differ" is a result and never an error. Each message says what was found, where, and what
to do next; `exit_code` is what the command line returns for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class HilError(Exception):
    """Base of every error that hil raises on purpose."""

    exit_code: ClassVar[int] = 3


class UsageError(HilError):
    """What was asked for cannot be meant: an unknown board, a file that is not there."""

    exit_code: ClassVar[int] = 2


class PortUrlError(UsageError):
    """What was given as a port is neither a device path nor a URL of one.

    Attributes:
        port: what was given.
        reason: what is wrong with it.
    """

    def __init__(self, port: str, reason: str) -> None:
        self.port = port
        self.reason = reason
        super().__init__(
            f"{port} is no URL of a port: {reason}. Write socket://HOST:PORT, such as "
            "socket://127.0.0.1:4000, rfc2217://HOST:PORT, or spy:// and a device path."
        )


class PortError(HilError):
    """The port cannot be opened or has gone.

    Attributes:
        port: device path or URL.
        reason: the operating system's or pyserial's words.
    """

    def __init__(self, port: str, reason: str, advice: str) -> None:
        self.port = port
        self.reason = reason
        super().__init__(f"cannot use port {port}: {reason}. {advice}")


class PortBusyError(PortError):
    """Another program holds the port."""

    def __init__(self, port: str, reason: str) -> None:
        super().__init__(
            port,
            f"another program holds it ({reason})",
            "Close the terminal, debugger console or second test run that has it open.",
        )


class LinkError(HilError):
    """The bytes that came back are not the conversation that was expected."""


class LinkTimeoutError(LinkError):
    """No complete answer in time.

    Attributes:
        request: name of the request that stayed unanswered.
        port: where it was sent.
        attempts: how often it was sent.
        waited_s: seconds waited in all.
        got_bytes: bytes received meanwhile.
        progress: how far a transfer had come, such as "49152 of 98304 bytes", or "".
    """

    def __init__(
        self,
        request: str,
        port: str,
        *,
        attempts: int,
        waited_s: float,
        got_bytes: int = 0,
        progress: str = "",
    ) -> None:
        self.request = request
        self.port = port
        self.attempts = attempts
        self.waited_s = waited_s
        self.got_bytes = got_bytes
        self.progress = progress
        at = f" at {progress}" if progress else ""
        got = f"only {got_bytes} bytes of no complete answer" if got_bytes else "not one byte"
        advice = (
            "The device stopped talking mid-way: reset it and look at its supply and cable."
            if got_bytes or progress
            else "Are host and port right, is the board powered, is hil-agent in its flash?"
            if port.startswith("socket://")
            else "Is the board powered, is hil-agent in its flash, is this its port?"
        )
        super().__init__(
            f"no answer to {request} from {port}{at}: {attempts} attempts, {waited_s:.1f} s, "
            f"{got}. {advice}"
        )


class LinkGarbageError(LinkError):
    """Bytes came, but none of them made a frame: another baud rate, or another program's output.

    Attributes:
        port: where they came from.
        baud: rate the port was opened with, or None where that means nothing.
        received: the first of the bytes.
        received_bytes: how many came in all.
    """

    def __init__(
        self, port: str, *, baud: int | None, received: bytes, received_bytes: int
    ) -> None:
        self.port = port
        self.baud = baud
        self.received = received
        self.received_bytes = received_bytes
        server = port.startswith("socket://")
        printable = sum(32 <= byte < 127 or byte in b"\r\n\t" for byte in received)
        sample = received[:24].hex(" ")
        if received and printable >= 0.9 * len(received):
            found = (
                "another server listens there: look at host and port, or, if a board is behind it,"
                if server
                else "another firmware is running:"
            )
            cause = f"they read as text ({received[:32]!r}), so {found} flash hil-agent"
        elif server:
            cause = (
                "another server listens there, or the serial line behind it runs at another baud "
                "rate: set it at the server, a TCP port has none"
            )
        elif baud is None:
            cause = "the other end does not speak this protocol"
        else:
            cause = (
                f"the usual cause is another baud rate (opened at {baud}): "
                "give the firmware's with --baud"
            )
        super().__init__(
            f"{port} sent {received_bytes} bytes and no valid frame among them "
            f"(first: {sample}); {cause}."
        )


class EchoError(LinkError):
    """Our own request came back instead of its answer.

    Attributes:
        port: where it was sent.
    """

    def __init__(self, port: str) -> None:
        self.port = port
        super().__init__(
            f"our own bytes come back from {port}: TX and RX are joined, or something there "
            "echoes (a loop-back plug, a modem, a terminal program). Connect the board's TX to "
            "the adapter's RX, and its RX to the adapter's TX."
        )


class ProtocolVersionError(LinkError):
    """The device speaks another version of the protocol.

    Attributes:
        expected: our version.
        got: the device's.
    """

    def __init__(self, port: str, *, expected: int, got: int) -> None:
        self.port = port
        self.expected = expected
        self.got = got
        older = "firmware" if got < expected else "hil package"
        super().__init__(
            f"the device on {port} speaks protocol version {got}, this hil speaks {expected}: "
            f"update the {older}."
        )


class ProtocolError(LinkError):
    """A frame with a valid checksum says something that the protocol does not allow.

    Attributes:
        what: the message and field concerned.
        expected: what the protocol asks for.
        got: what was received.
    """

    def __init__(self, what: str, *, expected: object, got: object) -> None:
        self.what = what
        self.expected = expected
        self.got = got
        super().__init__(
            f"{what}: expected {expected}, got {got}. Host and firmware disagree about the "
            "protocol: rebuild the firmware from this tree."
        )


class MemoryContentError(HilError):
    """Bytes read back are not those that the device digested a moment before.

    The kernel computed one thing and the memory holds another: suspect SDRAM timing, a cache
    that is not coherent with a DMA, or a stray write; not the operator.
    """

    def __init__(self, what: str, *, expected: bytes, got: bytes) -> None:
        self.what = what
        self.expected = expected
        self.got = got
        super().__init__(
            f"{what} changed between its digest and its read-out: digest {expected.hex()} became "
            f"{got.hex()}. The memory is at fault (SDRAM timing, caches, a stray write), not the "
            "operator: run with the arena in another region."
        )


class FirmwareError(HilError):
    """The device is there and speaks, but is not the one to run this on.

    Attributes:
        expected: what was asked for.
        got: what the device says.
    """

    def __init__(self, found: str, *, expected: object, got: object, advice: str) -> None:
        self.expected = expected
        self.got = got
        super().__init__(f"{found}: expected {expected}, got {got}. {advice}")


class FirmwareFileError(HilError):
    """A file given as firmware is none, or does not fit the board.

    Attributes:
        path: the file.
        reason: what is wrong with it.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path} cannot be used as firmware: {reason}")


class WrongFirmwareError(FirmwareError):
    """The image in flash is not the given ELF."""

    def __init__(self, *, expected: str, got: str, firmware: str) -> None:
        self.firmware = firmware
        super().__init__(
            "the device runs another firmware image (SHA-256 of its flash)",
            expected=f"{expected} ({firmware})",
            got=got,
            advice="Flash that ELF, or name the one that is in flash with --firmware.",
        )


class WrongBoardError(FirmwareError):
    """The firmware was built for another board than the one named."""

    def __init__(self, *, expected: str, got: str) -> None:
        super().__init__(
            "the device runs another board's firmware",
            expected=expected,
            got=got,
            advice="Name that board with --board, or flash the image of this one.",
        )


class WrongCoreError(FirmwareError):
    """Another core answers: on a dual-core part, the Cortex-M4's image may still be in flash."""

    def __init__(self, *, expected: str, got: str) -> None:
        super().__init__(
            "another core answers",
            expected=expected,
            got=got,
            advice="Flash the image for that core and hold the other in reset (option bytes).",
        )


class WrongModelError(FirmwareError):
    """The device holds another model than the one it was given."""

    def __init__(self, *, expected: str, got: str) -> None:
        super().__init__(
            "the device holds another model (SHA-256)",
            expected=expected,
            got=got,
            advice="Nothing was run on it. Upload again; is a second host using this board?",
        )


class BoardInitError(FirmwareError):
    """Clocks or memories did not come up; the agent says which.

    Attributes:
        stage: name of the stage that failed.
    """

    def __init__(self, stage: str) -> None:
        self.stage = stage
        super().__init__(
            "the board did not start up completely",
            expected="every ready bit in time",
            got=f"a time-out in stage {stage}",
            advice="Is this the board the firmware was built for? See the board's README.",
        )


class CycleCounterError(FirmwareError):
    """The cycle counter does not count."""

    def __init__(self, *, got: str) -> None:
        super().__init__(
            "the cycle counter does not count",
            expected="cycles that are not zero and not all the same",
            got=got,
            advice=(
                "Likely the DWT lock: on a Cortex-M7 write 0xC5ACCE55 to DWT_LAR after setting "
                "DEMCR.TRCENA, then DWT_CTRL.CYCCNTENA; a debugger may also have taken the DWT."
            ),
        )


class DeviceError(HilError):
    """The device answered with an error of its own.

    Attributes:
        request: name of the request it refused.
        code: name of the error code on the wire, such as "ARENA_TOO_SMALL".
        detail: the engine's own error code, 0 if none.
        operator: operator index concerned, or None.
        tensor: tensor index concerned, or None.
        position: byte position concerned, or None.
        expected: number expected there, meaning by code.
        got: number found there.
        text: the device's words.
    """

    def __init__(
        self,
        request: str,
        code: str,
        *,
        text: str,
        detail: int = 0,
        operator: int | None = None,
        tensor: int | None = None,
        position: int | None = None,
        expected: int = 0,
        got: int = 0,
        advice: str = "",
    ) -> None:
        self.request = request
        self.code = code
        self.text = text
        self.detail = detail
        self.operator = operator
        self.tensor = tensor
        self.position = position
        self.expected = expected
        self.got = got
        places = [
            f"{name} {value}"
            for name, value in (("operator", operator), ("tensor", tensor), ("byte", position))
            if value is not None
        ]
        where = f" at {', '.join(places)}" if places else ""
        numbers = f" (expected {expected}, got {got})" if expected or got else ""
        words = f": {text}" if text else ""
        then = f". {advice}" if advice else ""
        super().__init__(f"the device refused {request}{where}: {code}{words}{numbers}{then}")


@dataclass(frozen=True, slots=True)
class FaultRegisters:
    """What a Cortex-M keeps about a fault: SCB registers and the stacked frame."""

    exception: int
    cfsr: int
    hfsr: int
    mmfar: int
    bfar: int
    pc: int
    lr: int
    xpsr: int
    sp: int


class DeviceFaultError(HilError):
    """The device's processor faulted.

    Attributes:
        registers: the fault registers, or None where only the text is known.
        operator: the operator that was running, or None.
        location: the nearest symbol to PC, such as "conv_eval+0x42 (0x08001234)".
    """

    def __init__(
        self,
        cause: str,
        *,
        location: str,
        caller: str = "",
        operator: int | None = None,
        registers: FaultRegisters | None = None,
    ) -> None:
        self.cause = cause
        self.location = location
        self.operator = operator
        self.registers = registers
        during = "outside any operator" if operator is None else f"during operator {operator}"
        called = f", called from {caller}" if caller else ""
        super().__init__(
            f"the device faulted {during}: {cause} at {location}{called}. "
            "Its state is lost: reset it before the next run."
        )
