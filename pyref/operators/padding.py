"""Where windows start: kernels/padding.h of TFLM."""

from __future__ import annotations

SAME, VALID = range(2)

Pair = tuple[int, int]


def leading(padding: int, stride: Pair, dilation: Pair, size: Pair, kernel: Pair) -> Pair:
    """Rows above and columns left of the image: `ComputePaddingHeightWidth`.

    What is left of an odd total lies at the end. Output sizes are computed from the input, not
    taken from the stored output shape; where they make no sense, all padding is 0.

    Args:
        padding: SAME or VALID, as in the schema.
        stride: (height, width), here and below.
        dilation: of the kernel.
        size: of the image.
        kernel: of the window.
    """
    out = [_out_size(padding, *axis) for axis in zip(size, kernel, stride, dilation, strict=True)]
    if None in out:
        return 0, 0
    top, left = (
        max((int(o or 0) - 1) * s + (k - 1) * d + 1 - n, 0) // 2
        for o, s, d, n, k in zip(out, stride, dilation, size, kernel, strict=True)
    )
    return top, left


def _out_size(padding: int, size: int, kernel: int, stride: int, dilation: int) -> int | None:
    """`ComputeOutSizeChecked`: None where it fails."""
    if padding not in (SAME, VALID) or kernel <= 0 or stride <= 0 or dilation <= 0:
        return None
    total = size + stride - 1 if padding == SAME else size + stride - (kernel - 1) * dilation - 1
    out = abs(total) // stride  # C's division
    return None if total < 0 and out > 0 else out
