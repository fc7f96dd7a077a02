"""SQUEEZE: micro/kernels/squeeze.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import Checks, FailsAtInvoke, aborts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """The same bytes without some dimensions of 1; any type."""
    checks = Checks(node, "squeeze.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    rank = len(source.shape)
    checks.true(rank <= 8, "input_num_dims <= max_squeeze_dims")
    dims = tuple(node.options.squeeze_dims or ())
    chosen = set()
    for dim in dims:
        current = dim + rank if dim < 0 else dim
        checks.true(
            0 <= current < rank and source.shape[current] == 1,
            "current >= 0 && current < input_num_dims && input_dims->data[current] == 1",
        )
        chosen.add(current)
    if not dims:
        chosen = {i for i, size in enumerate(source.shape) if size == 1}
    kept = [size for i, size in enumerate(source.shape) if i not in chosen]
    if len(kept) > len(output.shape) or any(
        a < b for a, b in zip(output.shape, kept, strict=False)
    ):
        aborts(node, "TFLITE_CHECK_GE(output_dims->data[out_idx++], input_dims->data[in_idx])")
    sizes = source.size * source.dtype.itemsize, output.size * output.dtype.itemsize
    if sizes[0] != sizes[1]:
        text = f"squeeze.cc input_byte_size != output_byte_size ({sizes[0]} != {sizes[1]})"
        return FailsAtInvoke(node, text)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0]
        if x.dtype != output.dtype:
            x = x.reshape(-1).view(output.dtype)
        return [x.reshape(output.shape)]

    return evaluate
