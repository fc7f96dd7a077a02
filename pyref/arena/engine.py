"""The arena of this project's own engine (boards/firmware/engine), release name "hil-1".

Its head holds activations only, placed by the same greedy planner with 16-byte alignment: the
layout of TFLM's reference kernels for operators without scratch buffers. Offsets of an offline plan
are kept, as TFLM keeps them. Its tail holds the
engine's own tables and what its kernels' prepare leaves, in blocks rounded up to 4 bytes. While it
plans, its list of buffers stands at the begin of the arena. Sizes are those of a 32-bit target;
tests/pyref/arena/test_engine.py compiles them from the engine's sources.
"""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyref.arena import lifetimes, notes, offline, releases
from pyref.arena.allocator import ALIGNMENT, align_up
from pyref.arena.errors import ArenaTooSmallError
from pyref.arena.planners import greedy, peak
from pyref.arena.record import Trace
from pyref.arena.result import Consumer, Plan, placed
from pyref.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyref.model import Model, Operator

#: Release name that `plan(model, tflm=...)` takes.
NAME = "hil-1"

#: arena.h, ARENA_TAIL_ALIGNMENT: a pointer.
TAIL_ALIGNMENT = 4

#: sizeof of the engine's structures: node.h, fixedpoint.h, planner.c.
SIZES = {"engine_value": 16, "engine_node": 20, "fixed_factor": 8, "buffer": 24}

#: What each kernel's prepare leaves first: structure of `<kernel>.c` and its sizeof.
KERNEL_DATA = {
    "ADD": ("add_data", 116),
    "AVERAGE_POOL_2D": ("pooling_data", 40),
    "CONCATENATION": ("concatenation_data", 4),
    "CONV_2D": ("conv_data", 72),
    "DEPTHWISE_CONV_2D": ("depthwise_data", 60),
    "DEQUANTIZE": ("dequantize_data", 8),
    "FULLY_CONNECTED": ("fully_connected_data", 40),
    "LOGISTIC": ("logistic_data", 16),
    "MAX_POOL_2D": ("pooling_data", 40),
    "QUANTIZE": ("quantize_data", 20),
    "RESHAPE": None,
    "SOFTMAX": ("softmax_data", 20),
    "STRIDED_SLICE": ("slice", 64),
}

#: Kernels that also leave factors: one for each scale of their filter (requantize.c).
_WITH_FACTORS = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"})

_POINTER = 4
_TOO_SMALL = "the arena is too small"


class EnginePlan(Plan):
    """A plan of this engine: `Plan` where the engine's allocator differs from TFLM's."""

    @cached_property
    def smallest_arena_bytes(self) -> int:
        """engine_arena_needed(): a multiple of 16 bytes."""
        low = max(self.head_bytes, self.temp_peak_bytes)
        return align_up(low + self.tail_bytes, ALIGNMENT)

    @cached_property
    def recording(self) -> Mapping[str, Any]:
        """Total, head, tail, and the tail by part, in bytes."""
        sections: dict[str, dict[str, int]] = {}
        for c in self.consumers:
            section = sections.setdefault(c.part, {"count": 0, "requested": 0, "used": 0})
            section["count"] += c.count
            section["requested"] += c.requested
            section["used"] += c.used
        return MappingProxyType(
            {
                "total": self.arena_used_bytes,
                "head": self.head_bytes,
                "tail": self.tail_bytes,
                "sections": sections,
            }
        )

    def refusal(self, arena_size: int, *, base: int | None = None) -> str | None:
        """The engine's message with an arena of `arena_size` bytes; None if it allocates."""
        if (self.base if base is None else base) % ALIGNMENT:
            return "the arena's address is no multiple of 16"
        return _TOO_SMALL if arena_size < self.smallest_arena_bytes else None


def plan(model: Model, arena_size: int, base: int) -> EnginePlan:
    """The engine's plan of a model.

    Args:
        model: a verified model.
        arena_size: bytes given.
        base: the arena's address.

    Raises:
        PlanError: `base` is no multiple of 16.
        ArenaTooSmallError: `arena_size` does not do.
        OfflinePlanError: the model's offline plan is broken.
    """
    if base % ALIGNMENT:
        raise PlanError(f"the arena's address is no multiple of 16: 0x{base:x}")
    buffers = lifetimes.collect(model, [], shapes={}, offline=offline.read(model))
    offsets = greedy.place(buffers)
    head = peak(buffers, offsets)
    tail = tuple(_tail(model))
    tail_bytes = sum(c.used for c in tail)
    tensors = len(model.subgraphs[0].tensors)
    working = len(buffers) * (SIZES["buffer"] + 4) + tensors * 4
    trace = Trace((), tuple(buffers), tuple(offsets), head, "greedy")
    made = EnginePlan(
        tflm=NAME,
        kernels="reference",
        planner="greedy",
        base=base,
        arena_size=arena_size,
        arena_used_bytes=head + tail_bytes,
        head_bytes=head,
        tail_bytes=tail_bytes,
        placed=placed(trace, 0),
        consumers=tail,
        temp_peak_bytes=max(head, working),
        temp_peak_owner="the planner's list of buffers" if working > head else "",
        warnings=tuple(_warnings(model, trace)),
        trace=trace,
        release=releases.find("2026-08"),
    )
    needed = made.smallest_arena_bytes
    if arena_size < needed:
        raise ArenaTooSmallError(
            f"{_TOO_SMALL}: {needed} bytes needed, {arena_size} given",
            requested=needed,
            available=arena_size,
            missing=needed - arena_size,
            arena_size=arena_size,
        )
    return made


def _tail(model: Model) -> Iterator[Consumer]:
    """The tail's blocks in order (engine.c, allocate)."""
    subgraph = model.subgraphs[0]
    yield _block("tensors", len(subgraph.tensors) * SIZES["engine_value"])
    yield _block("operators", len(subgraph.operators) * SIZES["engine_node"])
    for op in subgraph.operators:
        tensors = len(op.inputs) + len(op.outputs)
        yield _block("tensor lists", tensors * _POINTER, op, "inputs and outputs")
        data = KERNEL_DATA.get(op.op)
        if data is not None:
            yield _block("op data", data[1], op, data[0])
        if op.op in _WITH_FACTORS:
            size = _scales(model, op) * SIZES["fixed_factor"]
            yield _block("persistent buffers", size, op, "factors")


def _scales(model: Model, op: Operator) -> int:
    """Scales of a convolution's or FULLY_CONNECTED's filter: one for each channel, or 1."""
    if len(op.inputs) < 2 or op.inputs[1] < 0:
        return 1
    quantization = model.subgraphs[0].tensors[op.inputs[1]].quantization
    return 1 if quantization is None else len(quantization.scale)


def _block(part: str, size: int, op: Operator | None = None, detail: str = "") -> Consumer:
    used = align_up(size, TAIL_ALIGNMENT)
    if op is None:
        return Consumer(part, "", -1, -1, detail, 1, size, used)
    return Consumer(part, op.op, 0, op.index, detail, 1, size, used)


def _warnings(model: Model, trace: Trace) -> Iterator[str]:
    """Why the engine would refuse the model, so that its plan is of no use on a device."""
    if len(model.subgraphs) > 1:
        yield "hil-1 refuses models of several subgraphs; this is the plan of the first"
    yield from (f"hil-1 refuses it: {note}" for note in notes.of_offline_plan(trace))
    lacking = sorted({op.op for op in model.subgraphs[0].operators} - KERNEL_DATA.keys())
    if lacking:
        yield f"hil-1 has no kernel for {', '.join(lacking)}: what it would keep is not counted"
