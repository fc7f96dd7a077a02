"""Index maps of SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND, and the Prepare they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

    Rows = NDArray[np.int64]
    MakeRows = Callable[[tuple[int, ...], tuple[int, ...], list[int], list[int]], Rows]


def prepare(node: Node, file: str, rows_of: MakeRows) -> Eval:
    """Checks ranks and types as TFLM does, which never compares the stored output shape.

    Args:
        node: the operator.
        file: TFLM's source file.
        rows_of: for input shape, output shape, block shape and paddings or crops, each output
            row's input row (a row is one run of channels), -1 for a row of zeros.
    """
    checks = Checks(node, file)
    checks.counts(3, 1)
    source, output = node.input(0), node.output()
    for name, tensor in (("input", source), ("output", output)):
        rank = len(tensor.shape)
        checks.true(rank >= 3, f"NumDimensions({name}) >= kInputOutputMinDimensionNum")
        checks.true(rank <= 4, f"NumDimensions({name}) <= kInputOutputMaxDimensionNum")
    checks.types(source.type, output.type, "input->type", "output->type")
    if source.type not in ("FLOAT32", "INT8"):
        return FailsAtInvoke(node, f"Type {named(source.type)} not supported.")
    shapes = _four(source.shape), _four(output.shape)
    if len(source.shape) != len(output.shape) or shapes[0][3] != shapes[1][3]:
        node.refuse(
            f"{node.operator.op}: {list(source.shape)} to {list(output.shape)}; TFLM asserts "
            "equal ranks and depths in debug builds only"
        )
    for tensor in (node.input(1), node.input(2)):
        if tensor.type != "INT32":
            node.refuse(f"{node.operator.op}: {tensor.type} read as INT32, unchecked in TFLM")

    def make(block: Array, pads: Array) -> Rows:
        sizes = [int(v) for v in block.reshape(-1)]
        amounts = [int(v) for v in pads.reshape(-1)]
        if len(source.shape) == 3:
            sizes, amounts = [*sizes[:1], 1], [*amounts[:2], 0, 0]
        if len(sizes) < 2 or len(amounts) < 4 or min(sizes[:2]) < 1:
            node.refuse(f"{node.operator.op}: block shape {sizes}, amounts {amounts}")
        return rows_of(*shapes, sizes, amounts)

    constants = node.input(1).data, node.input(2).data
    known = None
    if constants[0] is not None and constants[1] is not None:
        known = make(constants[0], constants[1])

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        rows = make(inputs[1], inputs[2]) if known is None else known
        table = inputs[0].reshape(-1, shapes[0][3])
        result = table[rows]
        result[rows < 0] = 0
        return [result.reshape(output.shape)]

    return evaluate


def _four(shape: tuple[int, ...]) -> tuple[int, ...]:
    return shape if len(shape) == 4 else (*shape[:2], 1, *shape[2:])
