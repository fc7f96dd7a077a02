"""Operators whose Prepare sets the output's dimensions itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.node import Node


def stored_as(node: Node, computed: tuple[int, ...]) -> tuple[int, ...]:
    """The stored output shape, for a computed one of as many elements.

    TFLM replaces the stored dimensions by the computed ones, also for the operators that
    follow. A file whose stored shape holds another number of elements is refused here.
    """
    stored = node.output().shape
    count = 1
    for size in computed:
        count *= size
    if count != node.output().size:
        node.refuse(
            f"{node.operator.op}: the output is {list(computed)}, the file says {list(stored)}; "
            "TFLM would replace the file's shape"
        )
    return stored
