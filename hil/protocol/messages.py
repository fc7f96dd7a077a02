"""The payload of every frame. Field order is wire order; the README explains the conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from hil.protocol.codes import Code
from hil.protocol.wire import (
    Message,
    i64,
    raw,
    records,
    rest,
    text,
    text_rest,
    u8,
    u16,
    u32,
    u64,
)

DIGEST_BYTES: Final = 8
"""A digest is the first 8 bytes of a SHA-256."""


@dataclass(frozen=True, slots=True)
class Region(Message):
    """Memory that the firmware uses for the model or the arena; `flags` is RegionFlag."""

    name: str = text(12)
    base: int = u32()
    size_bytes: int = u32()
    flags: int = u8()


@dataclass(frozen=True, slots=True)
class OutputDigest(Message):
    """One output right after its operator: the first 8 bytes of the SHA-256 of its bytes."""

    tensor: int = u32()
    length_bytes: int = u32()
    digest: bytes = raw(DIGEST_BYTES)


@dataclass(frozen=True, slots=True)
class TensorOffset(Message):
    """Where a tensor lies in the arena, from its base; NONE_INDEX for one that does not."""

    tensor: int = u32()
    offset_bytes: int = u32()


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Who are you?"""

    code: ClassVar[Code | None] = Code.HELLO


@dataclass(frozen=True, slots=True)
class HelloReply(Message):
    """Identity, abilities and limits of the device, and the model it holds (zeros: none)."""

    code: ClassVar[Code | None] = Code.HELLO_REPLY
    counter_kind: int = u8()
    cache_flags: int = u8()
    build_flags: int = u8()
    init_stage: int = u8()
    cpuid: int = u32()
    clock_hz: int = u32()
    max_payload_bytes: int = u32()
    max_events: int = u32()
    model_capacity_bytes: int = u32()
    model_size_bytes: int = u32()
    image_base: int = u32()
    image_size_bytes: int = u32()
    image_sha256: bytes = raw(32)
    model_sha256: bytes = raw(32)
    firmware_name: str = text(24)
    firmware_version: str = text(16)
    build: str = text(48)
    board: str = text(24)
    engine: str = text(24)
    kernels: str = text(16)
    tflm: str = text(48)
    regions: tuple[Region, ...] = records(Region)


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Send this back: tests a line without touching the device's state."""

    code: ClassVar[Code | None] = Code.PING
    data: bytes = rest()


@dataclass(frozen=True, slots=True)
class PingReply(Message):
    """PING's bytes."""

    code: ClassVar[Code | None] = Code.PING_REPLY
    data: bytes = rest()


@dataclass(frozen=True, slots=True)
class Reset(Message):
    """Answer, then reset the processor."""

    code: ClassVar[Code | None] = Code.RESET


@dataclass(frozen=True, slots=True)
class ResetReply(Message):
    """The reset follows this frame."""

    code: ClassVar[Code | None] = Code.RESET_REPLY


@dataclass(frozen=True, slots=True)
class ModelBegin(Message):
    """A model of this size and SHA-256 follows."""

    code: ClassVar[Code | None] = Code.MODEL_BEGIN
    size_bytes: int = u32()
    sha256: bytes = raw(32)


@dataclass(frozen=True, slots=True)
class ModelBeginReply(Message):
    """`held` is 1 if the device already has that model, verified and open: send no chunk."""

    code: ClassVar[Code | None] = Code.MODEL_BEGIN_REPLY
    held: int = u8()


@dataclass(frozen=True, slots=True)
class ModelChunk(Message):
    """The model's next bytes; `offset_bytes` must be where the last chunk ended."""

    code: ClassVar[Code | None] = Code.MODEL_CHUNK
    offset_bytes: int = u32()
    data: bytes = rest()


@dataclass(frozen=True, slots=True)
class ModelChunkReply(Message):
    """Bytes received so far."""

    code: ClassVar[Code | None] = Code.MODEL_CHUNK_REPLY
    received_bytes: int = u32()


@dataclass(frozen=True, slots=True)
class ModelEnd(Message):
    """Hash what you have, compare, open it in the engine."""

    code: ClassVar[Code | None] = Code.MODEL_END


@dataclass(frozen=True, slots=True)
class ModelEndReply(Message):
    """The device's own hash of the model it holds, and what the engine found in it."""

    code: ClassVar[Code | None] = Code.MODEL_END_REPLY
    sha256: bytes = raw(32)
    inputs: int = u32()
    outputs: int = u32()
    tensors: int = u32()
    operators: int = u32()


@dataclass(frozen=True, slots=True)
class Allocate(Message):
    """Plan the arena in region number `region` (ANY_REGION: first that fits).

    `limit_bytes` caps the arena's size; 0 takes all of the region.
    """

    code: ClassVar[Code | None] = Code.ALLOCATE
    region: int = u8()
    limit_bytes: int = u32()


@dataclass(frozen=True, slots=True)
class AllocateReply(Message):
    """What the arena takes: `used` = `head` + `tail`, as TFLM's arena_used_bytes."""

    code: ClassVar[Code | None] = Code.ALLOCATE_REPLY
    region: int = u8()
    base: int = u32()
    size_bytes: int = u32()
    used_bytes: int = u32()
    head_bytes: int = u32()
    tail_bytes: int = u32()
    model_sha256: bytes = raw(32)


@dataclass(frozen=True, slots=True)
class TensorOffsets(Message):
    """Offsets of a subgraph's tensors from number `first` on."""

    code: ClassVar[Code | None] = Code.TENSOR_OFFSETS
    subgraph: int = u32()
    first: int = u32()


@dataclass(frozen=True, slots=True)
class TensorOffsetsReply(Message):
    """As many offsets as fit; `tensors` is the subgraph's count."""

    code: ClassVar[Code | None] = Code.TENSOR_OFFSETS_REPLY
    tensors: int = u32()
    offsets: tuple[TensorOffset, ...] = records(TensorOffset)


@dataclass(frozen=True, slots=True)
class Input(Message):
    """Bytes of input number `position` in subgraph 0's order, at `offset_bytes`, in order."""

    code: ClassVar[Code | None] = Code.INPUT
    position: int = u32()
    offset_bytes: int = u32()
    data: bytes = rest()


@dataclass(frozen=True, slots=True)
class InputReply(Message):
    """Bytes of that input written so far, and its size."""

    code: ClassVar[Code | None] = Code.INPUT_REPLY
    written_bytes: int = u32()
    size_bytes: int = u32()


@dataclass(frozen=True, slots=True)
class Invoke(Message):
    """Run. An OPERATOR frame follows each operator, the reply follows the last."""

    code: ClassVar[Code | None] = Code.INVOKE


@dataclass(frozen=True, slots=True)
class Operator(Message):
    """One operator has run.

    `event` counts executed operators from 0, so that an operator in a loop's body has several;
    `operator` is its index in subgraph number `subgraph`.
    """

    code: ClassVar[Code | None] = Code.OPERATOR
    event: int = u32()
    subgraph: int = u32()
    operator: int = u32()
    builtin_code: int = u32()
    cycles: int = u64()
    outputs: tuple[OutputDigest, ...] = records(OutputDigest)


@dataclass(frozen=True, slots=True)
class InvokeReply(Message):
    """The run is over: so many events, so many cycles inside operators in all."""

    code: ClassVar[Code | None] = Code.INVOKE_REPLY
    events: int = u32()
    cycles: int = u64()


@dataclass(frozen=True, slots=True)
class Result(Message):
    """Event number `event` of the last run again: its OPERATOR frame got lost."""

    code: ClassVar[Code | None] = Code.RESULT
    event: int = u32()


@dataclass(frozen=True, slots=True)
class ResultReply(Message):
    """The same content as that OPERATOR frame."""

    code: ClassVar[Code | None] = Code.RESULT_REPLY
    event: int = u32()
    subgraph: int = u32()
    operator: int = u32()
    builtin_code: int = u32()
    cycles: int = u64()
    outputs: tuple[OutputDigest, ...] = records(OutputDigest)


@dataclass(frozen=True, slots=True)
class Capture(Message):
    """Run up to event `event` and stop right after it, its outputs still in the arena."""

    code: ClassVar[Code | None] = Code.CAPTURE
    event: int = u32()
    tensor: int = u32()


@dataclass(frozen=True, slots=True)
class CaptureReply(Message):
    """The tensor stands still and can be read; its length and digest right after the operator."""

    code: ClassVar[Code | None] = Code.CAPTURE_REPLY
    event: int = u32()
    tensor: int = u32()
    length_bytes: int = u32()
    digest: bytes = raw(DIGEST_BYTES)


@dataclass(frozen=True, slots=True)
class ReadTensor(Message):
    """Bytes of a tensor that is valid now: a captured one, or an output after INVOKE."""

    code: ClassVar[Code | None] = Code.READ_TENSOR
    tensor: int = u32()
    offset_bytes: int = u32()
    length_bytes: int = u32()


@dataclass(frozen=True, slots=True)
class ReadTensorReply(Message):
    """The bytes from `offset_bytes`, and the tensor's size."""

    code: ClassVar[Code | None] = Code.READ_TENSOR_REPLY
    tensor: int = u32()
    offset_bytes: int = u32()
    size_bytes: int = u32()
    data: bytes = rest()


@dataclass(frozen=True, slots=True)
class Error(Message):
    """A refusal: DeviceErrorCode, the engine's own code, and the facts (NONE_INDEX: none)."""

    code: ClassVar[Code | None] = Code.ERROR
    error: int = u16()
    detail: int = u16()
    operator: int = u32()
    tensor: int = u32()
    position: int = u32()
    expected: int = i64()
    got: int = i64()
    text: str = text_rest()


@dataclass(frozen=True, slots=True)
class Fault(Message):
    """The processor faulted; the device repeats this for every frame but RESET until reset."""

    code: ClassVar[Code | None] = Code.FAULT
    exception: int = u32()
    cfsr: int = u32()
    hfsr: int = u32()
    mmfar: int = u32()
    bfar: int = u32()
    r0: int = u32()
    r1: int = u32()
    r2: int = u32()
    r3: int = u32()
    r12: int = u32()
    lr: int = u32()
    pc: int = u32()
    xpsr: int = u32()
    sp: int = u32()
    subgraph: int = u32()
    operator: int = u32()


RECORDS: Final[tuple[type[Message], ...]] = (Region, OutputDigest, TensorOffset)

REQUESTS: Final[tuple[type[Message], ...]] = (
    Hello,
    Ping,
    Reset,
    ModelBegin,
    ModelChunk,
    ModelEnd,
    Allocate,
    TensorOffsets,
    Input,
    Invoke,
    Result,
    Capture,
    ReadTensor,
)

REPLIES: Final[tuple[type[Message], ...]] = (
    HelloReply,
    PingReply,
    ResetReply,
    ModelBeginReply,
    ModelChunkReply,
    ModelEndReply,
    AllocateReply,
    TensorOffsetsReply,
    InputReply,
    InvokeReply,
    ResultReply,
    CaptureReply,
    ReadTensorReply,
)

EVENTS: Final[tuple[type[Message], ...]] = (Operator, Fault, Error)
