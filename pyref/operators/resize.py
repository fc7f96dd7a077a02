"""What RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR check alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from pyref.node import Node


def check(node: Node, file: str) -> tuple[Checks, tuple[int, int]]:
    """Prepare's checks up to the constant size; returns them and (height, width)."""
    checks = Checks(node, file)
    checks.counts(2, 1)
    source, size = node.input(0), node.input(1)
    checks.equal(len(source.shape), 4, "NumDimensions(input)", "4")
    checks.equal(len(size.shape), 1, "NumDimensions(size)", "1")
    checks.equal(size.type, "INT32", "size->type", "kTfLiteInt32")
    if file.startswith("resize_nearest"):
        checks.equal(size.shape[0], 2, "size->dims->data[0]", "2")
    checks.message(size.is_constant, "Non-constant >size< tensor is not supported")
    if size.data is None or size.size != 2:
        node.refuse(f"{node.operator.op}: size has {size.size} values, unchecked in TFLM")
    return checks, (int(size.data[0]), int(size.data[1]))


def check_shape(node: Node, height: int, width: int) -> None:
    """Refuses a stored output that is not [n, height, width, c] of the input's type.

    TFLM computes by the size tensor, writes by the stored shape, and compares neither.
    """
    source, output = node.input(0), node.output()
    wanted = (source.shape[0], height, width, source.shape[3])
    if output.shape != wanted or output.type != source.type:
        node.refuse(
            f"{node.operator.op}: {source.type} {list(wanted)} expected, the file says "
            f"{output.type} {list(output.shape)}; unchecked in TFLM"
        )
