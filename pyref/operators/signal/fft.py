"""What SignalRfft and SignalIrfft share: options, types and lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.custom_options import CustomOptions
from pyref.kiss_fft import RealFft, factors
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from pyref.node import Node

#: TensorType codes that TFLM compiles an FFT for.
TYPES = {0: "FLOAT32", 2: "INT32", 7: "INT16"}


def prepare(node: Node, file: str, *, inverse: bool) -> tuple[RealFft, int, int]:
    """Checks as TFLM's Prepare does, and makes the transform.

    Returns:
        The transform, its length, and the number of frames.
    """
    options = CustomOptions(node)
    code, length = options.named_integer("T"), options.integer(1)
    if code not in TYPES:
        node.refuse(f"{node.operator.op}: T is {code}; TFLM leaves its state null")
    checks = Checks(node, file)
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    ranks = len(source.shape), len(output.shape)
    checks.equal(*ranks, "NumDimensions(input)", "NumDimensions(output)")
    checks.types(source.type, TYPES[code], "input->type", "TfLiteTypeEnum")
    checks.types(output.type, TYPES[code], "output->type", "TfLiteTypeEnum")
    if length <= 0 or length % 2:
        node.refuse(f"{node.operator.op}: fft_length {length}; Real FFT optimization must be even.")
    if any(radix not in (2, 3, 4, 5) for radix, _ in factors(length // 2)):
        node.refuse(
            f"{node.operator.op}: fft_length {length}; half of it must have no prime factors but "
            "2, 3 and 5, or TFLM's KISS FFT crashes"
        )
    real, spectrum = (output, source) if inverse else (source, output)
    frames = source.size // source.shape[-1] if source.shape and source.shape[-1] else 0
    fits = real.shape[-1:] == (length,) if inverse else 0 < real.shape[-1] <= length
    if (
        not ranks[0]
        or not fits
        or spectrum.shape[-1] % 2
        or spectrum.shape[-1] < length + 2
        or output.size != frames * output.shape[-1]
    ):
        node.refuse(
            f"{node.operator.op}: {list(source.shape)} to {list(output.shape)} with fft_length "
            f"{length}; TFLM would go beyond its tensors"
        )
    return RealFft(length, inverse=inverse, dtype=source.dtype), length, frames
