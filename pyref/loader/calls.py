"""Which subgraph invokes which: indices in range, and no endless descent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.container.layout import Path, path_text
from pyref.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import SimpleNamespace

    from pyref.container.reader import Reader
    from pyref.model import Model, Operator

#: Options fields that are the index of a subgraph, of the operators that TFLM has.
SUBGRAPH_FIELDS = {
    "IF": ("then_subgraph_index", "else_subgraph_index"),
    "WHILE": ("cond_subgraph_index", "body_subgraph_index"),
    "CALL_ONCE": ("init_subgraph_index",),
}

#: Files of the kernels, which TFLM's messages name.
KERNEL_FILES = {"IF": "if.cc", "WHILE": "while.cc", "CALL_ONCE": "call_once.cc"}

#: Subgraphs that may be active at once. TFLM's Invoke recurses, on a stack of some kilobytes.
MOST_NESTED = 32


def called(operator: Operator) -> Iterator[tuple[str, int]]:
    """The options fields of an operator that name subgraphs, with their values."""
    if operator.options is not None:
        for field in SUBGRAPH_FIELDS.get(operator.op, ()):
            yield field, getattr(operator.options, field)


def check_calls(reader: Reader, root: SimpleNamespace, model: Model) -> None:
    """Checks the subgraphs that operators invoke.

    Raises:
        ModelError: one does not exist, invokes itself, or is nested too deeply.
    """
    count = len(model.subgraphs)
    edges: list[list[int]] = [[] for _ in range(count)]
    for subgraph in model.subgraphs:
        for operator in subgraph.operators:
            for field, index in called(operator):
                if 0 <= index < count:
                    edges[subgraph.index].append(index)
                    continue
                path: Path = (None, "subgraphs")
                path = (((path, subgraph.index), "operators"), operator.index)
                entry = root.subgraphs[subgraph.index].operators[operator.index]
                options = entry.builtin_options
                reader.fail(
                    ((path, "builtin_options"), field),
                    reader.place(options.position, operator.options_type, field),
                    f"the index of one of {count} subgraphs",
                    index,
                    f"{KERNEL_FILES[operator.op]} op_data->{field} < graph_info.NumSubgraphs() "
                    "was not true.",
                )
    _check_depth(edges)


def _check_depth(edges: list[list[int]]) -> None:
    """Longest chain of calls, by repeated removal of subgraphs that call none that is left."""
    depth = [1] * len(edges)
    waiting = [len(set(called_ones)) for called_ones in edges]
    callers: list[list[int]] = [[] for _ in edges]
    for caller, called_ones in enumerate(edges):
        for callee in set(called_ones):
            callers[callee].append(caller)
    ready = [index for index, left in enumerate(waiting) if left == 0]
    done = 0
    while ready:
        callee = ready.pop()
        done += 1
        for caller in callers[callee]:
            depth[caller] = max(depth[caller], depth[callee] + 1)
            waiting[caller] -= 1
            if waiting[caller] == 0:
                ready.append(caller)
    if done < len(edges):
        endless = next(index for index, left in enumerate(waiting) if left)
        raise ModelError(
            path_text(((None, "subgraphs"), endless)),
            expected="subgraphs that do not invoke themselves",
            got="a circle of IF, WHILE or CALL_ONCE",
        )
    deepest = max(depth)
    if deepest > MOST_NESTED:
        raise ModelError(
            path_text(((None, "subgraphs"), depth.index(deepest))),
            expected=f"at most {MOST_NESTED} subgraphs nested by IF, WHILE and CALL_ONCE",
            got=deepest,
        )
