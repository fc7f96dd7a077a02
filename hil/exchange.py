"""Stop-and-wait over a byte pipe: one request, its events, its reply; sent again when lost."""

from __future__ import annotations

import enum
import math
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from hil.device_errors import device_error, device_fault
from hil.errors import (
    EchoError,
    LinkGarbageError,
    LinkTimeoutError,
    PortError,
    ProtocolError,
    ProtocolVersionError,
)
from hil.protocol.codes import (
    PROTOCOL_VERSION,
    UNSOLICITED_SEQUENCE,
    Code,
    DeviceErrorCode,
)
from hil.protocol.framing import MAX_ENCODED_BYTES, Frame, FrameReader, encode_frame
from hil.protocol.messages import Error, Fault, Operator
from hil.protocol.wire import Message, PayloadError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil.transports.pipe import BytePipe

_KEPT_GARBAGE_BYTES: Final = 64
_LINE_ERRORS: Final = (DeviceErrorCode.BAD_FRAME, DeviceErrorCode.UART_OVERRUN)

ReplyT = TypeVar("ReplyT", bound=Message)


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to wait; the time that bytes take at the port's baud rate comes on top.

    Attributes:
        reply_s: for a reply that takes the device no work.
        work_s: for one that takes some: hashing or planning a model.
        operator_s: for the next operator of an inference to end.
        repeat_s: before a request is sent again although its time is not over: it may have been
            lost, and a device that is busy with it answers it once all the same.
        grace_s: after the device says that a frame arrived broken, for the answer to come anyway.
        attempts: how often a request is sent before giving up.
    """

    reply_s: float = 1.0
    work_s: float = 10.0
    operator_s: float = 120.0
    repeat_s: float = 5.0
    grace_s: float = 0.1
    attempts: int = 4


@dataclass(slots=True)
class LinkStats:
    """What a conversation cost.

    Attributes:
        sent_bytes: bytes written, repeats included.
        received_bytes: bytes read, garbage included.
        retries: requests and events that had to be asked for again.
        bad_frames: runs of received bytes that were no frame.
        stale_frames: valid frames that answered nothing that was asked.
    """

    sent_bytes: int = 0
    received_bytes: int = 0
    retries: int = 0
    bad_frames: int = 0
    stale_frames: int = 0

    @property
    def bytes(self) -> int:
        """Bytes in both directions."""
        return self.sent_bytes + self.received_bytes


class _Progress(enum.Enum):
    """What a frame that is not the reply means for the wait."""

    NONE = enum.auto()
    EVENT = enum.auto()
    LINE_ERROR = enum.auto()


@dataclass(slots=True)
class _Waiting(Generic[ReplyT]):
    """What a request waits for, and how many OPERATOR frames have come."""

    request: Code
    reply: type[ReplyT]
    on_operator: Callable[[Operator], None] | None
    events: int = 0


class Exchange:
    """One host's end of the conversation.

    Args:
        pipe: where the device is; stays the caller's to close.
        timing: how long to wait.
        locate: names a code address for fault messages.
    """

    def __init__(
        self,
        pipe: BytePipe,
        timing: Timing | None = None,
        locate: Callable[[int], str] = "0x{:08x}".format,
    ) -> None:
        self.pipe = pipe
        self.timing = timing or Timing()
        self.locate = locate
        self.stats = LinkStats()
        self._reader = FrameReader()
        self._sequence = secrets.randbelow(UNSOLICITED_SEQUENCE)
        self._heard = False

    def request(
        self,
        message: Message,
        reply: type[ReplyT],
        *,
        timeout_s: float | None = None,
        on_operator: Callable[[Operator], None] | None = None,
        progress: str = "",
    ) -> ReplyT:
        """Sends `message` until its reply comes.

        Args:
            message: the request.
            reply: its reply's class.
            timeout_s: wait for the reply, or for the next OPERATOR frame before it.
            on_operator: gets each OPERATOR frame, at most once per time the device sends it.
            progress: how far the transfer is that this belongs to, for messages.

        Raises:
            LinkTimeoutError: no answer, in any attempt.
            LinkGarbageError: bytes, but never a frame.
            ProtocolVersionError: the device speaks another version.
            EchoError: the request itself came back.
            ProtocolError: a reply that is none.
            DeviceError: the device refuses.
            DeviceFaultError: the device faulted.
            PortError: the port has gone.
        """
        assert message.code is not None
        self._sequence = (self._sequence + 1) % UNSOLICITED_SEQUENCE
        data = encode_frame(Frame(message.code, self._sequence, message.encode()))
        waiting = _Waiting(message.code, reply, on_operator)
        allowed_s = self.timing.reply_s if timeout_s is None else timeout_s
        wait_s = min(allowed_s, self.timing.repeat_s)
        if self.pipe.baud:
            wait_s += 10 * (len(data) + MAX_ENCODED_BYTES) / self.pipe.baud
        rounds = max(self.timing.attempts, math.ceil(allowed_s / wait_s))
        start = time.monotonic()
        received = bytearray()
        sent = in_vain = 0
        while in_vain < rounds:
            self.stats.retries += sent > 0
            self.stats.sent_bytes += len(data)
            sent += 1
            events = waiting.events
            try:
                self.pipe.write(data)
                answer = self._wait(waiting, wait_s, received)
            except PortError as error:
                # What it said before it went tells more.
                if self._is_garbage(received):
                    raise self._garbage(received) from error
                raise
            if answer is not None:
                return answer
            in_vain = 1 if waiting.events > events else in_vain + 1
        waited_s = time.monotonic() - start
        if self._is_garbage(received):
            raise self._garbage(received)
        raise LinkTimeoutError(
            message.code.name,
            self.pipe.name,
            attempts=sent,
            waited_s=waited_s,
            got_bytes=len(received),
            progress=progress,
        )

    def _is_garbage(self, received: bytearray) -> bool:
        """Whether bytes came and no frame ever, nor the beginning of one."""
        begun = received[:1] == b"\0" and received[2:3] == bytes([PROTOCOL_VERSION])
        return bool(received) and not self._heard and not begun

    def _garbage(self, received: bytearray) -> LinkGarbageError:
        return LinkGarbageError(
            self.pipe.name,
            baud=self.pipe.baud,
            received=bytes(received[:_KEPT_GARBAGE_BYTES]),
            received_bytes=len(received),
        )

    def _wait(
        self, waiting: _Waiting[ReplyT], allowed_s: float, received: bytearray
    ) -> ReplyT | None:
        """The reply, or None once it is time to send again."""
        deadline = time.monotonic() + allowed_s
        while (left_s := deadline - time.monotonic()) > 0:
            data = self.pipe.read(left_s)
            if not data:
                return None
            self.stats.received_bytes += len(data)
            received += data
            bad = self._reader.bad_frames
            frames = list(self._reader.feed(data))
            self.stats.bad_frames += self._reader.bad_frames - bad
            for frame in frames:
                verdict = self._take(frame, waiting)
                if isinstance(verdict, Message):
                    return verdict
                if verdict is _Progress.EVENT:
                    deadline = time.monotonic() + allowed_s
                elif verdict is _Progress.LINE_ERROR:
                    deadline = min(deadline, time.monotonic() + self.timing.grace_s)
        return None

    def _take(self, frame: Frame, waiting: _Waiting[ReplyT]) -> ReplyT | _Progress:
        if frame.version != PROTOCOL_VERSION:
            raise ProtocolVersionError(self.pipe.name, expected=PROTOCOL_VERSION, got=frame.version)
        self._heard = True
        try:
            if frame.code == Code.FAULT:
                raise device_fault(Fault.decode(frame.payload), self.locate)
            if frame.code == Code.ERROR and frame.sequence == UNSOLICITED_SEQUENCE:
                error = Error.decode(frame.payload)
                if error.error in _LINE_ERRORS:
                    return _Progress.LINE_ERROR
            if frame.sequence != self._sequence:
                self.stats.stale_frames += 1
                return _Progress.NONE
            if frame.code == waiting.request:
                raise EchoError(self.pipe.name)
            if frame.code == Code.ERROR:
                raise device_error(waiting.request.name, Error.decode(frame.payload))
            if frame.code == Code.OPERATOR and waiting.on_operator is not None:
                waiting.on_operator(Operator.decode(frame.payload))
                waiting.events += 1
                return _Progress.EVENT
            if frame.code != waiting.reply.code:
                raise ProtocolError(
                    f"answer to {waiting.request.name}",
                    expected=f"code {waiting.reply.code!r}",
                    got=f"code 0x{frame.code:02x}",
                )
            return waiting.reply.decode(frame.payload)
        except PayloadError as error:
            raise ProtocolError(error.message, expected=error.expected, got=error.got) from error
