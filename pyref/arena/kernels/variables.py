"""VAR_HANDLE and ASSIGN_VARIABLE: micro/kernels/var_handle.cc, assign_variable.cc.

The variables' table stands in an arena of its own (MicroResourceVariables::Create); the memory of
a variable comes from this arena's tail when the first ASSIGN_VARIABLE is prepared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext


def init_var_handle(context: KernelContext) -> None:
    """VarHandleInit."""
    context.op_data("var_handle.OpData")


def prepare_var_handle(context: KernelContext) -> None:
    """VarHandlePrepare: the output points into OpData, so that the planner leaves it out."""
    options = context.options
    container = getattr(options, "container", None) or None
    name = getattr(options, "shared_name", None) or ""
    resources = context.recorder.resources
    identifier = _find(resources, container, name)
    if identifier is None:
        identifier = len(resources)
        resources.append((container, name, None))
    context.recorder.placed[context.subgraph.index, context.output().index] = identifier


def _find(
    resources: list[tuple[str | None, str, int | None]], container: str | None, name: str
) -> int | None:
    """MicroResourceVariables::FindId: an absent container matches any."""
    for identifier, (other_container, other_name, _) in enumerate(resources):
        if container in (None, other_container) and name == other_name:
            return identifier
    return None


def prepare_assign_variable(context: KernelContext) -> None:
    """ASSIGN_VARIABLE's Prepare: MicroResourceVariables::Allocate on first sight."""
    context.temps("i1")
    handle = context.recorder.placed.get((context.subgraph.index, context.input(0).index))
    if handle is None:
        return
    container, name, size = context.recorder.resources[handle]
    if size is None:
        size = context.bytes(context.input(1))
        context.persistent(size, f"resource variable {name}")
        context.recorder.resources[handle] = (container, name, size)
