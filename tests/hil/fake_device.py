"""A device in Python behind a byte pipe, and a pipe that spoils what passes through it."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field

from hil.protocol import messages as m
from hil.protocol.codes import NONE_INDEX, UNSOLICITED_SEQUENCE, Code, DeviceErrorCode, InitStage
from hil.protocol.framing import Frame, FrameReader, encode_frame

REQUESTS = {r.code: r for r in m.REQUESTS}

HELLO = m.HelloReply(
    counter_kind=1,
    cache_flags=3,
    build_flags=0,
    init_stage=InitStage.NONE,
    cpuid=0x411FC271,
    clock_hz=400_000_000,
    max_payload_bytes=256,
    max_events=64,
    model_capacity_bytes=1 << 20,
    model_size_bytes=0,
    image_base=0x08000000,
    image_size_bytes=4096,
    image_sha256=b"\x11" * 32,
    model_sha256=bytes(32),
    firmware_name="fake",
    firmware_version="1",
    build="-O2",
    board="fake_board",
    engine="fake-engine 1",
    kernels="portable",
    tflm="2026-08",
    regions=(
        m.Region("AXISRAM", 0x24000000, 0x80000, 2),
        m.Region("SDRAM2", 0xD0000000, 1 << 22, 3),
    ),
)


class RefusedError(Exception):
    def __init__(self, code, expected=0, got=0, text=""):
        self.error = m.Error(code, 0, NONE_INDEX, NONE_INDEX, NONE_INDEX, expected, got, text)


@dataclass
class FakeDevice:
    """Holds any bytes as a model; its operators write fixed bytes.

    operators: (builtin code, cycles, {tensor: bytes}).
    """

    operators: list = field(
        default_factory=lambda: [(3, 1000, {1: b"conv" * 200}), (14, 30, {2: b"logistic"})]
    )
    input_sizes: tuple = (700,)
    hello: m.HelloReply = HELLO
    version: int = 1
    held_sha256: bytes | None = None
    lose_events: tuple = ()
    name: str = "fake:"
    baud: int | None = None

    def __post_init__(self):
        self.reader = FrameReader()
        self.out = bytearray()
        self.model = bytearray()
        self.want = (0, b"")
        self.open_sha256 = bytes(32)
        self.inputs = [bytearray() for _ in self.input_sizes]
        self.valid = {}
        self.last = None
        self.requests = []

    def write(self, data):
        before = self.reader.bad_frames
        for frame in self.reader.feed(bytes(data)):
            self._answer(frame)
        if self.reader.bad_frames > before:
            error = RefusedError(DeviceErrorCode.BAD_FRAME).error
            self._send(Code.ERROR, UNSOLICITED_SEQUENCE, error)

    def read(self, timeout_s):
        data = bytes(self.out)
        self.out.clear()
        return data

    def close(self):
        pass

    def _send(self, code, sequence, message):
        encoded = encode_frame(Frame(code, sequence, message.encode(), self.version))
        self.out += encoded
        return encoded

    def _answer(self, frame):
        if self.last and self.last[0] == frame:
            self.out += self.last[1]
            return
        request = REQUESTS[frame.code].decode(frame.payload)
        self.requests.append(request)
        try:
            reply = getattr(self, f"on_{Code(frame.code).name.lower()}")(request, frame.sequence)
            code = reply.code
        except RefusedError as refused:
            reply, code = refused.error, Code.ERROR
        self.last = (frame, self._send(code, frame.sequence, reply))

    def on_hello(self, request, sequence):
        return self.hello

    def on_ping(self, request, sequence):
        return m.PingReply(request.data)

    def on_reset(self, request, sequence):
        return m.ResetReply()

    def on_model_begin(self, request, sequence):
        if request.size_bytes > self.hello.model_capacity_bytes:
            raise RefusedError(
                DeviceErrorCode.MODEL_TOO_LARGE, self.hello.model_capacity_bytes, request.size_bytes
            )
        if request.sha256 == self.open_sha256:
            return m.ModelBeginReply(1)
        self.want = (request.size_bytes, request.sha256)
        self.open_sha256 = bytes(32)
        self.model.clear()
        return m.ModelBeginReply(0)

    def on_model_chunk(self, request, sequence):
        if request.offset_bytes != len(self.model):
            raise RefusedError(
                DeviceErrorCode.CHUNK_OUT_OF_ORDER, len(self.model), request.offset_bytes
            )
        self.model += request.data
        return m.ModelChunkReply(len(self.model))

    def on_model_end(self, request, sequence):
        if len(self.model) != self.want[0]:
            raise RefusedError(DeviceErrorCode.MODEL_INCOMPLETE, self.want[0], len(self.model))
        digest = hashlib.sha256(self.model).digest()
        if digest != self.want[1]:
            raise RefusedError(DeviceErrorCode.MODEL_HASH_MISMATCH)
        self.open_sha256 = digest
        return m.ModelEndReply(self.held_sha256 or digest, 1, 1, 3, len(self.operators))

    def on_allocate(self, request, sequence):
        held = self.held_sha256 or self.open_sha256
        return m.AllocateReply(0, 0x24000000, 0x80000, 1500, 1000, 500, held)

    def on_tensor_offsets(self, request, sequence):
        entries = [m.TensorOffset(t, t * 16 if t else NONE_INDEX) for t in range(3)]
        return m.TensorOffsetsReply(3, tuple(entries[request.first : request.first + 2]))

    def on_input(self, request, sequence):
        if request.position >= len(self.inputs):
            raise RefusedError(DeviceErrorCode.NO_SUCH_INPUT, len(self.inputs), request.position)
        data = self.inputs[request.position]
        if request.offset_bytes == 0:
            data.clear()
        if request.offset_bytes != len(data):
            raise RefusedError(DeviceErrorCode.INPUT_OUT_OF_ORDER, len(data), request.offset_bytes)
        data += request.data
        return m.InputReply(len(data), self.input_sizes[request.position])

    def _run(self, sequence, stop=None):
        if [len(i) for i in self.inputs] != list(self.input_sizes):
            raise RefusedError(DeviceErrorCode.INPUTS_NOT_WRITTEN)
        for data in self.inputs:
            data.clear()
        for event, _ in enumerate(self.operators):
            if stop is None and event not in self.lose_events:
                self._send(Code.OPERATOR, sequence, self._event(event, m.Operator))
            if event == stop:
                break

    def _event(self, event, kind):
        code, cycles, outputs = self.operators[event]
        digests = tuple(
            m.OutputDigest(t, len(d), hashlib.sha256(d).digest()[:8]) for t, d in outputs.items()
        )
        return kind(event, 0, event, code, cycles, digests)

    def on_invoke(self, request, sequence):
        self._run(sequence)
        self.valid = dict(self.operators[-1][2])
        return m.InvokeReply(len(self.operators), sum(o[1] for o in self.operators))

    def on_result(self, request, sequence):
        return self._event(request.event, m.ResultReply)

    def on_capture(self, request, sequence):
        self._run(sequence, request.event)
        data = self.operators[request.event][2][request.tensor]
        self.valid = {request.tensor: data}
        digest = hashlib.sha256(data).digest()[:8]
        return m.CaptureReply(request.event, request.tensor, len(data), digest)

    def on_read_tensor(self, request, sequence):
        if request.tensor not in self.valid:
            raise RefusedError(DeviceErrorCode.TENSOR_NOT_VALID)
        data = self.valid[request.tensor]
        part = data[request.offset_bytes : request.offset_bytes + request.length_bytes]
        return m.ReadTensorReply(request.tensor, request.offset_bytes, len(data), part)


@dataclass
class BadLine:
    """A byte pipe that harms what passes.

    drop: positions of bytes, counted from the start of each direction, that get lost.
    repeat_write: number of the write that arrives twice.
    piece: largest read.
    delay_s: wait before each read that has something.
    prefix: bytes received before anything else.
    stop_at: no byte is received from this position on.
    """

    inner: FakeDevice
    drop_sent: frozenset = frozenset()
    drop_received: frozenset = frozenset()
    repeat_write: int | None = None
    piece: int | None = None
    delay_s: float = 0.0
    prefix: bytes = b""
    stop_at: int | None = None

    def __post_init__(self):
        self.name, self.baud = self.inner.name, self.inner.baud
        self.sent = self.received = self.writes = 0
        self.buffer = bytearray(self.prefix)

    def write(self, data):
        start, self.sent = self.sent, self.sent + len(data)
        kept = bytes(b for i, b in enumerate(data, start) if i not in self.drop_sent)
        self.inner.write(kept)
        if self.writes == self.repeat_write:
            self.inner.write(kept)
        self.writes += 1

    def read(self, timeout_s):
        fresh = b"" if self.buffer else self.inner.read(timeout_s)
        start, self.received = self.received, self.received + len(fresh)
        for i, byte in enumerate(fresh, start):
            if i not in self.drop_received and (self.stop_at is None or i < self.stop_at):
                self.buffer.append(byte)
        if self.buffer and self.delay_s:
            time.sleep(self.delay_s)
        size = self.piece or len(self.buffer)
        data = bytes(self.buffer[:size])
        del self.buffer[:size]
        return data

    def close(self):
        pass
