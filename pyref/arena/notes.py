"""What TFLM does silently otherwise than the file says, one sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena.allocator import ALIGNMENT
from pyref.arena.bounds import overlaps
from pyref.arena.buffers import NEVER, ONLINE

if TYPE_CHECKING:
    from pyref.arena.buffers import Buffer
    from pyref.arena.record import Trace
    from pyref.model import Model

#: BuiltinOperator codes of IF, WHILE and CALL_ONCE.
_CONTROL_FLOW = frozenset({118, 119, 129})


def of_model(model: Model) -> list[str]:
    """What the planner does silently otherwise than the file says."""
    found = []
    for subgraph in model.subgraphs:
        found += [
            f"{op.op} (operator {op.index} of subgraph {subgraph.index}) is named by "
            "deprecated_builtin_code alone: TFLM runs it, but its planner gives the "
            "tensors of its subgraphs no lifetimes, so that they may overlap"
            for op in subgraph.operators
            if op.code.builtin in _CONTROL_FLOW and op.code.builtin_code != op.code.builtin
        ]
        found += [
            f"tensor {t.index} of subgraph {subgraph.index} ({t.name}) has its value outside the "
            "flatbuffer, where TFLM does not look: it becomes an arena tensor with garbage in it"
            for t in subgraph.tensors
            if t.external
        ]
    return found


def of_offline_plan(trace: Trace) -> list[str]:
    """What TFLM does not check of an offline plan."""
    buffers = trace.buffers
    if all(b.offline_offset == ONLINE for b in buffers):
        return []
    found = [
        f"offline plan: {_called(b)} stands at offset {b.offline_offset}, no multiple of "
        f"{ALIGNMENT}"
        for b in buffers
        if b.offline_offset != ONLINE and b.offline_offset % ALIGNMENT
    ]
    return found + [
        f"offline plan: {_called(buffers[i])} and {_called(buffers[j])} share memory while both "
        "are in use"
        for i, j in overlaps(buffers, trace.offsets)
        if buffers[i].first_use != NEVER
    ]


def _called(buffer: Buffer) -> str:
    if buffer.kind == "scratch":
        return f"a scratch buffer of {buffer.op} (operator {buffer.node})"
    where = f" of subgraph {buffer.subgraph}" if buffer.subgraph else ""
    return f"tensor {buffer.index}{where}"
