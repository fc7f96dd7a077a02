"""SignalFilterBank: signal/micro/kernels/filter_bank.cc, signal/src/filter_bank.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

    Indices = NDArray[np.int64]


def prepare(node: Node) -> Eval:
    """Energies gathered into channels with triangular weights; uint32 to uint64.

    Channel i adds its weighted bins and the unweighted bins of the channel before it; channel
    0 exists only for its unweighted bins.
    """
    channels = CustomOptions(node).integer(0)
    checks = Checks(node, "filter_bank.cc")
    checks.counts(6, 1)
    source, output = node.input(0), node.output()
    for i in range(6):
        tensor = node.input(i)
        checks.equal(len(tensor.shape), 1, "NumDimensions(input)", "1")
        wanted, text = ("INT16", "kTfLiteInt16") if i else ("UINT32", "kTfLiteUInt32")
        checks.types(tensor.type, wanted, "input->type", text)
    checks.equal(len(output.shape), 1, "NumDimensions(output)", "1")
    checks.types(output.type, "UINT64", "output->type", "kTfLiteUInt64")
    tables = [node.input(i) for i in (3, 4, 5)]
    if output.size > channels or any(t.size < channels + 1 for t in tables):
        node.refuse(
            f"SignalFilterBank: {channels} channels for {output.size} outputs and tables of "
            f"{[t.size for t in tables]}; TFLM would go beyond its tensors"
        )
    most_weights = min(node.input(1).size, node.input(2).size)

    def plan(starts: Array, weight_starts: Array, widths: Array) -> tuple[Indices, ...]:
        runs = [
            (int(f), int(w), max(int(n), 0))
            for f, w, n in zip(starts, weight_starts, widths, strict=True)
        ][: channels + 1]
        for frequency, weight, width in runs:
            beyond = frequency + width > source.size or weight + width > most_weights
            if width and (min(frequency, weight) < 0 or beyond):
                node.refuse(
                    f"SignalFilterBank: {width} bins from {frequency}, weights from {weight}; TFLM "
                    "would go beyond its tensors"
                )
        ends = np.cumsum([0, *(n for _, _, n in runs)])
        bins = np.concatenate([np.arange(f, f + n) for f, _, n in runs])
        weights = np.concatenate([np.arange(w, w + n) for _, w, n in runs])
        return bins, weights, ends

    values = [t.data for t in tables]
    known = None
    if all(v is not None for v in values):
        known = plan(*values)  # type: ignore[arg-type]

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        bins, at, ends = plan(*inputs[3:6]) if known is None else known
        energy = inputs[0].astype(np.uint64)[bins]
        weighted, unweighted = (
            _sums(energy * x.astype(np.int64).astype(np.uint64)[at], ends) for x in inputs[1:3]
        )
        return [(weighted[1:] + unweighted[:-1])[: output.size]]

    return evaluate


def _sums(products: Array, ends: Indices) -> Array:
    """Sums of consecutive runs, modulo 2**64."""
    total = np.zeros(products.size + 1, np.uint64)
    np.cumsum(products, out=total[1:])
    result: Array = np.diff(total[ends])
    return result
