"""SignalIrfft: signal/micro/kernels/irfft.cc, signal/src/irfft_*.cc over KISS FFT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.signal import fft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Real frames of n samples from spectra [..., 2 * (n/2 + 1)]; int16, int32, float32.

    Only float32 is scaled back by 1/n.
    """
    transform, length, frames = fft.prepare(node, "irfft.cc", inverse=True)
    output = node.output()

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        spectra = inputs[0].reshape(frames, -1, 2)[:, : length // 2 + 1]
        samples = transform.backward(spectra)
        if samples.dtype == np.float32:
            samples = samples / np.float32(length)
        return [samples.reshape(output.shape)]

    return evaluate
