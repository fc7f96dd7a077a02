"""MicroInterpreter::AllocateTensors of one model, as a trace of requests.

Sources: micro/micro_interpreter.cc, micro/micro_interpreter_graph.cc, micro/micro_allocator.cc.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyref.arena import offline as offline_metadata
from pyref.arena.allocator import ALIGNMENT
from pyref.arena.events import Event, Kind, Owner, Section
from pyref.arena.kernel import MAX_SCRATCH_BUFFERS_PER_OP, KernelContext, Recorder, unknown
from pyref.arena.kernels import KERNELS
from pyref.arena.lifetimes import collect, tensor_bytes
from pyref.arena.planners import PLANNERS, Place, peak
from pyref.errors import PlanError, RefusedError

if TYPE_CHECKING:
    from pyref.arena.buffers import Buffer
    from pyref.arena.releases import Release
    from pyref.model import Model

_POINTER = 4


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One model's allocation.

    Attributes:
        events: every request from StartModelAllocation to the end of AllocateTensors.
        buffers: what the planner places, in its order.
        offsets: byte offset of each from the head's begin.
        head_bytes: GetMaximumMemorySize of the plan.
        planner: "greedy" or "linear".
    """

    events: tuple[Event, ...]
    buffers: tuple[Buffer, ...]
    offsets: tuple[int, ...]
    head_bytes: int
    planner: str


def record(model: Model, release: Release, kernels: str, planner: str) -> Trace:
    """Records AllocateTensors.

    Args:
        model: a verified model.
        release: sizes and operators of a TFLM release.
        kernels: "reference" or "cmsis_nn".
        planner: a name of PLANNERS.

    Raises:
        RefusedError: TFLM does not register an operator, or refuses the model while allocating.
        PlanError: no such planner, or an offline plan that cannot be used.
    """
    place = PLANNERS.get(planner)
    if place is None:
        raise PlanError(f"planner: expected one of {', '.join(PLANNERS)}, got {planner!r}")
    recorder = Recorder(model, release, kernels)
    _start_model_allocation(recorder)
    contexts = _resolve(recorder)
    for context in contexts:
        KERNELS[context.op.op].init(context)
    for context in contexts:
        KERNELS[context.op.op].prepare(context)
        _finish_prepare(recorder, context)
    buffers, offsets, head = _plan(recorder, place)
    _interface_tensors(recorder)
    return Trace(tuple(recorder.events), tuple(buffers), tuple(offsets), head, planner)


def _start_model_allocation(recorder: Recorder) -> None:
    """MicroAllocator::StartModelAllocation."""
    recorder.struct(
        "MicroBuiltinDataAllocator", Owner("allocator objects", detail="MicroBuiltinDataAllocator")
    )
    _resize_for_scratch_requests(recorder, Owner("scratch buffer requests"))
    subgraphs = recorder.model.subgraphs
    recorder.struct(
        "SubgraphAllocations",
        Owner("allocator objects", detail="SubgraphAllocations"),
        many=len(subgraphs),
    )
    for what, part, section, numbers in (
        (
            "TfLiteEvalTensor",
            "eval tensors",
            Section.EVAL_TENSORS,
            [len(s.tensors) for s in subgraphs],
        ),
        (
            "NodeAndRegistration",
            "node and registration structs",
            Section.NODES,
            [len(s.operators) for s in subgraphs],
        ),
    ):
        layout = recorder.release.struct(what)
        for subgraph, number in enumerate(numbers):
            owner = Owner(part, subgraph=subgraph, detail=what)
            # One block for a subgraph; RecordingMicroAllocator counts the structures.
            recorder.persistent(layout.size * number, layout.align, owner, section, number)


def _resize_for_scratch_requests(recorder: Recorder, owner: Owner) -> None:
    """Room for the requests made so far and for a full set of the next operator's."""
    layout = recorder.release.struct("ScratchBufferRequest")
    room = len(recorder.scratch) + MAX_SCRATCH_BUFFERS_PER_OP
    recorder.events.append(Event(Kind.RESIZE, layout.size * room, layout.align, owner))


def _resolve(recorder: Recorder) -> list[KernelContext]:
    """PrepareNodeAndRegistrationDataFromFlatbuffer: registrations and builtin data."""
    contexts = []
    release = recorder.release
    for subgraph in recorder.model.subgraphs:
        for op in subgraph.operators:
            if op.op not in KERNELS or not release.registers(op.op):
                raise unknown(op, subgraph.index)
            if op.has_custom_options and op.code.custom is None:
                raise RefusedError(
                    f"Unsupported behavior: found builtin operator {op.op} with custom options.",
                    op=op.op,
                    subgraph=subgraph.index,
                    index=op.index,
                    phase="resolve",
                )
            params = release.builtin_params.get(op.op)
            if params is not None:
                owner = Owner("builtin data", op.op, subgraph.index, op.index, params)
                recorder.struct(params, owner)
            contexts.append(KernelContext(recorder, subgraph, op))
    return contexts


def _finish_prepare(recorder: Recorder, context: KernelContext) -> None:
    """FinishPrepareNodeAllocations."""
    owner = Owner(
        "scratch buffer requests", context.op.op, context.subgraph.index, context.op.index
    )
    recorder.events.append(Event(Kind.RESET_TEMP, 0, 1, owner))
    _resize_for_scratch_requests(recorder, owner)


def _plan(recorder: Recorder, place: Place) -> tuple[list[Buffer], list[int], int]:
    """FinishModelAllocation: scratch handles, variables, the planner's arrays, the plan."""
    model, release = recorder.model, recorder.release
    if recorder.scratch:
        recorder.struct(
            "ScratchBufferHandle", Owner("scratch buffer handles"), many=len(recorder.scratch)
        )
    planner = Owner("memory planner")
    tensors = sum(len(s.tensors) for s in model.subgraphs)
    info = release.struct("AllocationInfo")
    recorder.events += [
        Event(Kind.TEMP, _POINTER * len(model.subgraphs), _POINTER, planner),
        Event(Kind.TEMP, info.size * (tensors + len(recorder.scratch)), info.align, planner),
    ]
    offsets = offline_metadata.read(model)
    _variables(recorder, offsets)
    _check_intermediates(recorder)
    buffers = collect(
        model,
        recorder.scratch,
        shapes=recorder.shapes,
        placed=frozenset(recorder.placed),
        offline=offsets,
    )
    placed = place(buffers)
    head = peak(buffers, placed)
    recorder.events += [
        Event(Kind.PLAN, len(buffers), ALIGNMENT, planner),
        Event(Kind.RESET_TEMP, 0, 1, planner),
        Event(Kind.RESIZE, 0, 1, planner),
        Event(Kind.RESIZE, head, ALIGNMENT, Owner("planned memory")),
    ]
    return buffers, placed, head


def _variables(recorder: Recorder, offsets: tuple[int, ...] | None) -> None:
    """AllocateVariables.

    TFLM looks a variable's offline offset up by its index inside its own subgraph, also in
    subgraphs after the first, where the metadata's list is counted over all subgraphs.
    """
    for subgraph in recorder.model.subgraphs:
        for tensor in subgraph.tensors:
            if tensor.is_variable and (offsets is None or offsets[tensor.index] == -1):
                owner = Owner(
                    "variable tensors", subgraph=subgraph.index, detail=tensor.name or "unnamed"
                )
                context_shape = recorder.shapes.get((subgraph.index, tensor.index), tensor.shape)
                size = tensor_bytes(tensor.type, context_shape)
                recorder.persistent(size, ALIGNMENT, owner, Section.VARIABLES)


def _check_intermediates(recorder: Recorder) -> None:
    """AllocationInfoBuilder::ValidateSubgraph."""
    for subgraph in recorder.model.subgraphs:
        for op in subgraph.operators:
            for index in op.intermediates:
                tensor = subgraph.tensors[index]
                size = tensor_bytes(tensor.type, tensor.shape)
                if size:
                    raise RefusedError(
                        f"Does not support intermediate tensor with non-zero size: {size}",
                        op=op.op,
                        subgraph=subgraph.index,
                        index=op.index,
                    )


def _interface_tensors(recorder: Recorder) -> None:
    """The persistent TfLiteTensors of the model's inputs and outputs."""
    model = recorder.model
    for name, tensors in (("input", model.inputs), ("output", model.outputs)):
        pointers = Owner("persistent TfLiteTensors", detail=f"{name} pointers")
        recorder.persistent(
            _POINTER * len(tensors), ALIGNMENT, pointers, Section.PERSISTENT_BUFFERS
        )
        for tensor in tensors:
            owner = Owner("persistent TfLiteTensors", subgraph=0, detail=f"{name} {tensor.name}")
            recorder.tensor(tensor, owner, temp=False)
