"""What TFLM's MicroAllocator asks its arena for, in order: a trace that any arena size replays.

The sequence of requests does not depend on the arena's size or address, so it is recorded once
for a model and replayed on as many arenas as wanted.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Kind(enum.Enum):
    """Calls of IPersistentBufferAllocator and INonPersistentBufferAllocator."""

    PERSISTENT = "AllocatePersistentBuffer"
    TEMP = "AllocateTemp"
    RESET_TEMP = "ResetTempAllocations"
    RESIZE = "ResizeBuffer"
    PLAN = "plan"


class Section(enum.Enum):
    """RecordingMicroAllocator's sections, by the name it prints; OTHER is what it leaves out."""

    EVAL_TENSORS = "TfLiteEvalTensor data"
    PERSISTENT_TENSORS = "Persistent TfLiteTensor data"
    QUANTIZATION = "Persistent TfLiteTensor quantization data"
    PERSISTENT_BUFFERS = "Persistent buffer data"
    VARIABLES = "TfLiteTensor variable buffer data"
    NODES = "NodeAndRegistration struct"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who asked for memory.

    Attributes:
        part: consumer, such as "op data", "builtin data", "eval tensors", "allocator objects".
        op: TFLM's operator name, "" for what belongs to no operator.
        subgraph: its subgraph, -1 for none.
        index: operator's position in the subgraph, -1 for none.
        detail: what it is for, such as the C structure's name.
    """

    part: str
    op: str = ""
    subgraph: int = -1
    index: int = -1
    detail: str = ""

    def __str__(self) -> str:
        where = (
            f"{self.op} (operator {self.index} of subgraph {self.subgraph}), " if self.op else ""
        )
        return f"{where}{self.part}{': ' + self.detail if self.detail else ''}"


@dataclass(frozen=True, slots=True)
class Event:
    """One request.

    Attributes:
        kind: which call.
        size: bytes requested; for PLAN the number of buffers that the planner has to place.
        align: bytes.
        owner: who asks.
        section: where RecordingMicroAllocator counts it.
        count: what RecordingMicroAllocator adds to the section's count.
        unchecked: the kernel neither checks the block nor touches it while allocating, so that
            AllocateTensors goes on without it.
        vital: for TEMP, whether it must stay whole until the kernel gives it back; a copy of
            zero points need not.
    """

    kind: Kind
    size: int
    align: int
    owner: Owner
    section: Section = Section.OTHER
    count: int = 1
    unchecked: bool = False
    vital: bool = True
