"""What happens in each of the planner's allocation scopes: the arena's time axis.

Scope 0 is before the first operator, when inputs are filled. Each operator then opens a scope,
and a control flow operator one more for each subgraph that it may run, whose operators follow
(micro/micro_allocation_info.cc, MarkSubgraphLifetimesIfNecessary).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyref
    from pyref.model import Operator

_CALLEES = {
    118: ("then_subgraph_index", "else_subgraph_index"),  # IF
    119: ("cond_subgraph_index", "body_subgraph_index"),  # WHILE
    129: ("init_subgraph_index",),  # CALL_ONCE
}


@dataclass(frozen=True, slots=True)
class Step:
    """One allocation scope.

    Attributes:
        op: TFLM's operator name; "inputs" before the first; "enter" where a subgraph is entered.
        subgraph: its subgraph.
        index: the operator's position there, -1 where it is none.
    """

    op: str
    subgraph: int
    index: int

    @property
    def tick(self) -> str:
        """A few characters for an axis: "7" for operator 7, "1:7" for that of subgraph 1."""
        if self.index < 0:
            return "in" if self.op == "inputs" else f"{self.subgraph}:"
        return f"{self.subgraph}:{self.index}" if self.subgraph else str(self.index)

    def __str__(self) -> str:
        where = f" of subgraph {self.subgraph}" if self.subgraph else ""
        if self.op == "inputs":
            return "inputs, before operator 0"
        if self.index < 0:
            return f"entering subgraph {self.subgraph}"
        return f"operator {self.index}{where} ({self.op})"


def steps(model: pyref.Model) -> tuple[Step, ...]:
    """Every allocation scope of a model, in order."""
    found = [Step("inputs", 0, -1)]
    _walk(model, 0, found, frozenset())
    return tuple(found)


def _walk(model: pyref.Model, index: int, found: list[Step], entered: frozenset[int]) -> None:
    for op in model.subgraphs[index].operators:
        found.append(Step(op.op, index, op.index))
        for callee in _callees(op):
            found.append(Step("enter", callee, -1))
            if callee not in entered | {index}:
                _walk(model, callee, found, entered | {index})


def _callees(op: Operator) -> list[int]:
    """Subgraphs that the planner follows: it looks at the int32 code field alone."""
    fields = _CALLEES.get(op.code.builtin_code, ())
    return [c for f in fields if (c := int(getattr(op.options, f))) != -1]
