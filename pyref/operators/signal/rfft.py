"""SignalRfft: signal/micro/kernels/rfft.cc over KISS FFT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.signal import fft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Spectra [..., 2 * (n/2 + 1)] of real frames, zero padded to n; int16, int32, float32.

    int16 and int32 spectra are divided by n on the way. Outputs longer than a spectrum are
    zeros in the rest, which TFLM leaves unwritten.
    """
    transform, length, frames = fft.prepare(node, "rfft.cc", inverse=False)
    source, output = node.input(0), node.output()
    given, wanted = source.shape[-1], output.shape[-1]

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0].reshape(frames, given)
        if given < length:
            x = np.pad(x, ((0, 0), (0, length - given)))
        spectra = transform.forward(x).reshape(frames, -1)
        if wanted > length + 2:
            spectra = np.pad(spectra, ((0, 0), (0, wanted - length - 2)))
        return [spectra.reshape(output.shape)]

    return evaluate
