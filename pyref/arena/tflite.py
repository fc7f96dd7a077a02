"""TFLite's ArenaPlanner with SimpleMemoryArena: the plan of the interpreter on a host or phone.

For comparison with TFLM's: it keeps the model's inputs, aligns to 64 bytes, takes the tightest
gap rather than the first, and lets some operators write their output over their input.
Sources: tensorflow/lite/arena_planner.cc, tensorflow/lite/simple_memory_arena.cc.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyref.arena.allocator import align_up
from pyref.arena.lifetimes import in_flatbuffer, tensor_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyref.model import Model, Operator, Subgraph

#: kDefaultTensorAlignment, bytes.
ALIGNMENT = 64
#: kNodeNotAssigned: alive to the end.
END = 2**31 - 1
#: Operators that hand their first input's data on unchanged
#: (kTfLiteInplaceOpInput0Shared | kTfLiteInplaceOpDataUnmodified of their registrations).
_SAME_DATA = frozenset({"BITCAST", "EXPAND_DIMS", "RESHAPE", "SQUEEZE"})
#: Operators that may write their output over one of their first inputs: how many may be.
_OVERWRITING = {"ADD": 2, "DIV": 2, "DYNAMIC_UPDATE_SLICE": 1, "MUL": 2, "SOFTMAX": 1, "SUB": 2}
#: kScalarTensorBytes: so small a tensor is not worth sharing.
_SCALAR_BYTES = 4


@dataclass(frozen=True, slots=True)
class Use:
    """One tensor to place.

    Attributes:
        tensor: its index.
        size: bytes.
        first: node that makes it.
        last: last node that needs it, END for one kept.
    """

    tensor: int
    size: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TflitePlan:
    """A plan of TFLite's.

    Attributes:
        offsets: tensor index to bytes from the arena's begin; tensors that share memory have
            the same.
        peak_bytes: end of the highest tensor, rounded up to the alignment.
    """

    offsets: Mapping[int, int]
    peak_bytes: int


def place(uses: Iterable[Use], alignment: int = ALIGNMENT) -> TflitePlan:
    """SimpleMemoryArena::Allocate for each use in the order given.

    Args:
        uses: tensors, first placed first.
        alignment: bytes.
    """
    active: list[tuple[int, int, Use]] = []
    offsets: dict[int, int] = {}
    peak = 0
    for number, use in enumerate(uses):
        offset = _best_gap(use, active, alignment)
        offsets[use.tensor] = offset
        peak = max(peak, offset + use.size)
        if use.size:
            insort(active, (offset, number, use), key=lambda item: item[:2])
    return TflitePlan(offsets, align_up(peak, alignment))


def _best_gap(use: Use, active: Sequence[tuple[int, int, Use]], alignment: int) -> int:
    """The tightest gap between tensors alive at the same time, else the end."""
    best: int | None = None
    best_fit = float("inf")
    current = 0
    for offset, _, other in active:
        if other.last < use.first or other.first > use.last:
            continue
        aligned = align_up(current, alignment)
        if aligned + use.size <= offset and offset - aligned < best_fit:
            best, best_fit = aligned, offset - current
        current = max(current, offset + other.size)
        if best_fit == 0:
            break
    return align_up(current, alignment) if best is None else best


def plan(model: Model, *, alignment: int = ALIGNMENT) -> TflitePlan:
    """Plans subgraph 0 as TFLite does with reference kernels (which take no temporaries)."""
    subgraph = model.subgraphs[0]
    shared = _shared(subgraph)
    lives = _lives(subgraph, shared)
    uses = [
        Use(t.index, tensor_bytes(t.type, t.shape), *lives[t.index])
        for t in subgraph.tensors
        if t.index in lives and not in_flatbuffer(t) and not t.is_variable
    ]
    kept = [u for u in uses if u.first == 0 and u.last == END]
    rest = [u for u in uses if not (u.first == 0 and u.last == END)]
    # Outputs of one node come out of a hash set, newest first.
    rest.sort(key=lambda u: (-u.size, u.first, -u.tensor))
    placed = place([*kept, *rest], alignment)
    offsets = dict(placed.offsets)
    for tensor, owner in shared.items():
        if owner in offsets:
            offsets[tensor] = offsets[owner]
    return TflitePlan(offsets, placed.peak_bytes)


def _shared(subgraph: Subgraph) -> dict[int, int]:
    """IdentifyInPlaceTensors: output tensor to the one whose memory it takes."""
    references = _references(subgraph)
    shared: dict[int, int] = {}
    for op in subgraph.operators:
        same = op.op in _SAME_DATA
        count = 1 if same else _OVERWRITING.get(op.op, 0)
        if not op.outputs or op.outputs[0] in subgraph.outputs:
            continue
        for source in op.inputs[:count]:
            if source >= 0 and _sharable(subgraph, source, op.outputs[0], references, same=same):
                owner = shared.get(source, source)
                if same or references[owner] <= 1:
                    shared[op.outputs[0]] = owner
                break
    return shared


def _references(subgraph: Subgraph) -> dict[int, int]:
    """Uses of each tensor: by operators, as the model's input or output."""
    references: dict[int, int] = {}
    users = [_present(op) for op in subgraph.operators]
    for tensors in (subgraph.outputs, subgraph.inputs, *users):
        for tensor in tensors:
            references[tensor] = references.get(tensor, 0) + 1
    return references


def _sharable(
    subgraph: Subgraph, source: int, target: int, references: Mapping[int, int], *, same: bool
) -> bool:
    """InputTensorCanBeShared."""
    tensor, output = subgraph.tensors[source], subgraph.tensors[target]
    size = tensor_bytes(tensor.type, tensor.shape)
    equal = size == tensor_bytes(output.type, output.shape)
    if source in subgraph.inputs or in_flatbuffer(tensor) or tensor.is_variable or not equal:
        return False
    return same or (size > _SCALAR_BYTES and references[source] <= 1)


def _lives(subgraph: Subgraph, shared: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """PlanAllocations: first and last node of each tensor that has memory of its own."""
    references: dict[int, int] = {}

    def refer(tensor: int, by: int) -> int:
        owner = shared.get(tensor, tensor)
        references[owner] = references.get(owner, 0) + by
        return references[owner]

    for tensor in (*subgraph.outputs, *subgraph.inputs):
        refer(tensor, 1)
    for op in subgraph.operators:
        for tensor in _present(op):
            refer(tensor, 1)
    first = dict.fromkeys(subgraph.inputs, 0)
    last: dict[int, int] = {}
    for node, op in enumerate(subgraph.operators):
        for tensor in op.outputs:
            if shared.get(tensor, tensor) == tensor:
                first.setdefault(tensor, node)
        for tensor in _present(op):
            if refer(tensor, -1) == 0:
                last[shared.get(tensor, tensor)] = node
    return {tensor: (node, last.get(tensor, END)) for tensor, node in first.items()}


def _present(op: Operator) -> list[int]:
    return [i for i in op.inputs if i >= 0]
