"""Operators whose kernels index dimensions without asking how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

    from pyref.container.layout import Path
    from pyref.container.reader import Reader
    from pyref.model import Operator, Tensor

#: Operator to (side, position, rank): TFLM's conv_common.cc, depthwise_conv_common.cc,
#: transpose_conv.cc and pooling_common.cc read dims->data up to this rank, unchecked.
RANKS: dict[str, tuple[tuple[str, int, int], ...]] = {
    "AVERAGE_POOL_2D": (("inputs", 0, 4), ("outputs", 0, 4)),
    "CONV_2D": (("inputs", 0, 4), ("inputs", 1, 4), ("outputs", 0, 4)),
    "DEPTHWISE_CONV_2D": (("inputs", 0, 4), ("inputs", 1, 4), ("outputs", 0, 4)),
    "L2_POOL_2D": (("inputs", 0, 4), ("outputs", 0, 4)),
    "MAX_POOL_2D": (("inputs", 0, 4), ("outputs", 0, 4)),
    "TRANSPOSE_CONV": (("inputs", 1, 4), ("inputs", 2, 4), ("outputs", 0, 4)),
}


def check_ranks(
    reader: Reader,
    entry: SimpleNamespace,
    operator: Operator,
    tensors: Sequence[Tensor],
    path: Path,
) -> None:
    """Refuses tensors of another rank than the operator's kernel reads.

    Raises:
        ModelError: naming the tensor.
    """
    for side, position, rank in RANKS.get(operator.op, ()):
        indices = getattr(operator, side)
        if position >= len(indices) or indices[position] < 0:
            continue  # Prepare refuses a missing tensor in TFLM's words
        tensor = tensors[indices[position]]
        if len(tensor.shape) != rank:
            reader.fail(
                ((path, side), position),
                reader.place(entry.position, "Operator", side, position),
                f"a tensor of {rank} dimensions for {operator.op}, whose kernel does not check",
                f"tensor {tensor.index} {tensor.name!r} of shape {list(tensor.shape)}",
            )
