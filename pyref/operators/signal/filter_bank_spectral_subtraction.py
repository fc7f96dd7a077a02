"""SignalFilterBankSpectralSubtraction: signal/micro/kernels and signal/src of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.custom_options import CustomOptions
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """Subtracts a noise estimate, smoothed from invocation to invocation; uint32.

    Odd channels smooth with the alternate coefficients. The estimate is the second output.
    """
    options = CustomOptions(node)
    alternate_rest, alternate, clamping = (
        options.integer(0),
        options.integer(1),
        options.boolean(2),
    )
    remaining, channels, rest, smoothing = (options.integer(i) for i in (3, 4, 5, 6))
    smoothing_bits, bits = options.integer(7), options.integer(8)
    checks = Checks(node, "filter_bank_spectral_subtraction.cc")
    checks.counts(1, 2)
    source, output, estimate = node.input(0), node.output(0), node.output(1)
    for name, tensor in (("input", source), ("output", output), ("noise_estimate", estimate)):
        checks.equal(len(tensor.shape), 1, f"NumDimensions({name})", "1")
    for name, tensor in (("input", source), ("output", output), ("noise_estimate", estimate)):
        checks.types(tensor.type, "UINT32", f"{name}->type", "kTfLiteUInt32")
    fits = channels <= min(source.size, output.size) and estimate.size <= channels
    if not (fits and 0 <= smoothing_bits < 32 and 0 <= bits < 64):
        node.refuse(
            f"SignalFilterBankSpectralSubtraction: {channels} channels for tensors of "
            f"{source.size}, {output.size} and {estimate.size}, shifts of {smoothing_bits} and "
            f"{bits}; undefined in TFLM"
        )
    odd = np.arange(channels) % 2 == 1
    new = np.where(odd, alternate, smoothing).astype(np.uint32).astype(np.uint64)
    old = np.where(odd, alternate_rest, rest).astype(np.uint32).astype(np.uint64)
    floor_factor = np.uint64(remaining % 2**32)
    shift, small_shift = np.uint64(bits), np.uint32(smoothing_bits)
    noise = np.zeros(channels, np.uint32)

    def reset() -> None:
        noise[:] = 0

    node.session.resets.append(reset)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = inputs[0][:channels]
        signal = x << small_shift
        smoothed = (signal.astype(np.uint64) * new + noise.astype(np.uint64) * old) >> shift
        noise[:] = smoothed.astype(np.uint32)
        subtracted = np.minimum(noise, signal)
        if clamping:
            noise[:] = subtracted
        floor = ((x.astype(np.uint64) * floor_factor) >> shift).astype(np.uint32)
        result = np.zeros(output.shape, np.uint32)
        result[:channels] = np.maximum((signal - subtracted) >> small_shift, floor)
        return [result, noise[: estimate.size].copy()]

    return evaluate
