"""When each tensor and scratch buffer is needed, in TFLM's allocation scopes.

Source: micro/micro_allocation_info.cc (AllocationInfoBuilder). A scope is an operator's step;
control flow operators open one more for each subgraph they may run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyref.arena.allocator import ALIGNMENT, align_up
from pyref.arena.buffers import NEVER, ONLINE, Buffer
from pyref.errors import PlanError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyref.model import Model, Operator, Tensor

#: BuiltinOperator codes of the operators that MarkSubgraphLifetimesIfNecessary follows, and the
#: option fields that name the subgraphs, in the order in which it enters them.
_SUBGRAPH_FIELDS: dict[int, tuple[str, ...]] = {
    118: ("then_subgraph_index", "else_subgraph_index"),  # IF
    119: ("cond_subgraph_index", "body_subgraph_index"),  # WHILE
    129: ("init_subgraph_index",),  # CALL_ONCE
}

#: TfLiteTypeSizeOf, micro/memory_helpers.cc, in bytes (INT4 counts one byte an element).
TYPE_SIZES: dict[str, int] = {
    "FLOAT16": 2,
    "BFLOAT16": 2,
    "FLOAT32": 4,
    "FLOAT64": 8,
    "INT16": 2,
    "INT32": 4,
    "UINT32": 4,
    "UINT8": 1,
    "UINT16": 2,
    "INT8": 1,
    "INT64": 8,
    "UINT64": 8,
    "BOOL": 1,
    "RESOURCE": 4,
    "COMPLEX64": 8,
    "COMPLEX128": 16,
    "INT4": 1,
}


@dataclass(frozen=True, slots=True)
class ScratchRequest:
    """RequestScratchBufferInArena, as Prepare left it."""

    bytes: int
    subgraph: int
    node: int
    op: str


def tensor_bytes(type_name: str, shape: Sequence[int]) -> int:
    """TfLiteEvalTensorByteLength: bytes of a tensor in the arena.

    Raises:
        RefusedError: TFLM does not know the type's size, and AllocateTensors fails.
    """
    size = TYPE_SIZES.get(type_name)
    if size is None:
        raise RefusedError(f"TFLM knows no size for tensors of type {type_name}")
    for dimension in shape:
        size *= dimension
    return size


def in_flatbuffer(tensor: Tensor) -> bool:
    """Whether TFLM finds the tensor's value in the flatbuffer (GetFlatbufferTensorBuffer)."""
    return tensor.is_constant and not tensor.external


class _Marker:
    """MarkAllocationLifetimes over the reachable subgraphs."""

    def __init__(self, model: Model, scratch: Sequence[ScratchRequest]) -> None:
        self.model = model
        self.scope = 0
        self.first: dict[tuple[int, int], int] = {}
        self.last: dict[tuple[int, int], int] = {}
        self.scratch_life: dict[int, tuple[int, int]] = {}
        self.by_node: dict[tuple[int, int], list[int]] = {}
        for number, request in enumerate(scratch):
            self.by_node.setdefault((request.subgraph, request.node), []).append(number)
        self._entered: list[int] = []

    def mark(self, index: int) -> None:
        if index in self._entered:
            raise PlanError(
                f"subgraph {index} is reached from itself: TFLM would never finish planning"
            )
        self._entered.append(index)
        subgraph = self.model.subgraphs[index]
        for tensor in subgraph.inputs:
            self.first.setdefault((index, tensor), self.scope)
            self.last[index, tensor] = self.scope
        for op in subgraph.operators:
            self.scope += 1
            for tensor in op.outputs:
                self.first.setdefault((index, tensor), self.scope)
            start = self.scope
            for callee in _callees(op):
                self.scope += 1
                self.mark(callee)
            for tensor in (*op.inputs, *op.outputs):
                if tensor >= 0:
                    self.last[index, tensor] = self.scope
            for number in self.by_node.get((index, op.index), ()):
                first, _ = self.scratch_life.get(number, (start, start))
                self.scratch_life[number] = (first, self.scope)
        for tensor in subgraph.outputs:
            self.first.setdefault((index, tensor), self.scope)
            self.last[index, tensor] = self.scope
        self._entered.pop()


def _callees(op: Operator) -> list[int]:
    """Subgraphs that the planner follows: it looks at the int32 code field alone."""
    fields = _SUBGRAPH_FIELDS.get(op.code.builtin_code, ())
    callees = [int(getattr(op.options, f)) for f in fields]
    return [c for c in callees if c != -1]


def collect(
    model: Model,
    scratch: Sequence[ScratchRequest],
    *,
    shapes: Mapping[tuple[int, int], tuple[int, ...]],
    placed: frozenset[tuple[int, int]] = frozenset(),
    offline: Sequence[int] | None = None,
    alignment: int = ALIGNMENT,
) -> list[Buffer]:
    """Buffers to place, in TFLM's order: tensors of all subgraphs, then scratch buffers.

    Args:
        model: the model.
        scratch: requests in the order in which Prepare made them.
        shapes: shapes that Prepare changed, by (subgraph, tensor).
        placed: (subgraph, tensor) that a kernel's Prepare pointed elsewhere (VAR_HANDLE).
        offline: one offset for each tensor of all subgraphs, -1 for online; None without plan.
        alignment: bytes to which sizes are rounded up.
    """
    marker = _Marker(model, scratch)
    if model.subgraphs:
        marker.mark(0)
    buffers: list[Buffer] = []
    number = 0
    for subgraph in model.subgraphs:
        for tensor in subgraph.tensors:
            offset = ONLINE if offline is None else offline[number]
            number += 1
            key = (subgraph.index, tensor.index)
            size = tensor_bytes(tensor.type, shapes.get(key, tensor.shape))
            needs = (
                not in_flatbuffer(tensor)
                and key not in placed
                and not tensor.is_variable
                and size != 0
            )
            if not needs and not (tensor.is_variable and offset != ONLINE):
                continue
            buffers.append(
                Buffer(
                    kind="tensor",
                    subgraph=subgraph.index,
                    index=tensor.index,
                    bytes=size,
                    size=align_up(size, alignment),
                    first_use=marker.first.get(key, NEVER),
                    last_use=marker.last.get(key, NEVER),
                    name=tensor.name,
                    offline_offset=offset,
                )
            )
    for handle, request in enumerate(scratch):
        first, last = marker.scratch_life.get(handle, (NEVER, NEVER))
        buffers.append(
            Buffer(
                kind="scratch",
                subgraph=request.subgraph,
                index=handle,
                bytes=request.bytes,
                size=align_up(request.bytes, alignment),
                first_use=first,
                last_use=last,
                op=request.op,
                node=request.node,
            )
        )
    return buffers
