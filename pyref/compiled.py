# ruff: noqa: ANN001, ANN201, ANN202, PLR0917 - numba takes its types from the arguments
"""The inner loops that numpy cannot run fast enough, compiled by numba on first use and cached.

Each is a plain loop over contiguous arrays, written as TFLM's reference loop would be, and
specialised by numba to the element types it meets (int8, int16, float32). Nothing is parallel.
Accumulators are int32 and wrap, as TFLM's do. Import this module inside the files that need it:
importing numba takes longer than the rest of pyref.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

Loop = Callable[..., Any]


def _compile(function: Loop) -> Loop:
    """Compiles on first use; without a cache where no folder for one can be written."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        compiled: Loop = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba: "no locator available"
        compiled = numba.njit(**options)(function)
    return compiled


def _inline(function: Loop) -> Loop:
    compiled: Loop = numba.njit(inline="always")(function)
    return compiled


@_inline
def _multiply_by_quantized_multiplier(x, multiplier, shift):  # type: ignore[no-untyped-def]
    """`pyref.fixedpoint.multiply_by_quantized_multiplier` of one int64 that holds an int32."""
    left = max(shift, 0)
    right = max(-shift, 0)
    shifted = np.int64(np.int32(x << left))
    high = (shifted * multiplier + (1 << 30)) >> 31
    high = min(high, 2147483647)
    half = (np.int64(1) << right) >> 1
    # Halves away from zero: one less where negative, if there is a shift at all.
    return (high + half - np.int64((high < 0) & (right > 0))) >> right


@_compile
def requantize(acc, bias, multiplier, shift, zero_point, low, high, out):  # type: ignore[no-untyped-def]
    """Bias, requantisation, zero point and clamp of int32 accumulators.

    Args:
        acc: [rows, channels], any dtype that holds the exact sums.
        bias: int64 [channels].
        multiplier: integers [channels], Q31.
        shift: integers [channels].
        zero_point: of the output.
        low: smallest output value.
        high: largest.
        out: [rows, channels] of the output's dtype.
    """
    rows, channels = acc.shape
    for i in range(rows):
        for c in range(channels):
            x = np.int64(np.int32(np.int64(acc[i, c]) + bias[c]))
            y = _multiply_by_quantized_multiplier(x, multiplier[c], shift[c]) + zero_point
            out[i, c] = min(max(y, low), high)


@_compile
def requantize_int64(acc, bias, multiplier, shift, zero_point, low, high, out):  # type: ignore[no-untyped-def]
    """The same for int64 accumulators; `multiplier` is `fixedpoint.reduce_multiplier`'s."""
    rows, channels = acc.shape
    for i in range(rows):
        for c in range(channels):
            total = 15 - shift[c]
            x = (np.int64(acc[i, c]) + bias[c]) * multiplier[c]
            y = np.int64(np.int32((x + (np.int64(1) << (total - 1))) >> total)) + zero_point
            out[i, c] = min(max(y, low), high)


@_compile
def rescale(x, offset, multiplier, shift, zero_point, low, high, out):  # type: ignore[no-untyped-def]
    """The same with one multiplier, elementwise: `x + offset`, requantised.

    Args:
        x: [n], integers of any dtype.
        offset: usually minus the zero point of `x`.
        multiplier: Q31.
        shift: its shift.
        zero_point: of the output.
        low: smallest output value.
        high: largest.
        out: [n], written.
    """
    for i in range(x.shape[0]):
        value = np.int64(np.int32(np.int64(x[i]) + offset))
        y = _multiply_by_quantized_multiplier(value, multiplier, shift)
        y = np.int64(np.int32(y + zero_point))
        out[i] = min(max(y, low), high)


@_compile
def dots(x, weights, sums):  # type: ignore[no-untyped-def]
    """Integer matrix product, for few rows: compilers turn it into packed multiply-adds.

    Args:
        x: [rows, terms], integers.
        weights: [channels, terms], integers.
        sums: [rows, channels] of int32 (wraps) or int64, written.
    """
    for i in range(x.shape[0]):
        for c in range(weights.shape[0]):
            total = np.int64(0)
            for k in range(x.shape[1]):
                total += np.int32(x[i, k]) * np.int32(weights[c, k])
            sums[i, c] = total


@_compile
def im2col(x, pad_value, kernel, stride, dilation, pad, out_width, first, cols):  # type: ignore[no-untyped-def]
    """Windows of an image as rows of a matrix, converted to `cols`'s dtype.

    Args:
        x: [height, width, channels], contiguous.
        pad_value: what lies outside the image.
        kernel: (height, width).
        stride: (height, width).
        dilation: (height, width).
        pad: (top, left).
        out_width: windows in a row of the output.
        first: number of the window that comes first.
        cols: [windows, kernel height * kernel width * channels].
    """
    height, width, channels = x.shape
    flat = x.reshape(-1)
    run = kernel[1] * channels
    for r in range(cols.shape[0]):
        out_y = (first + r) // out_width
        left = (first + r - out_y * out_width) * stride[1] - pad[1]
        for ky in range(kernel[0]):
            y = out_y * stride[0] - pad[0] + ky * dilation[0]
            to = ky * run
            if y < 0 or y >= height:
                for k in range(run):
                    cols[r, to + k] = pad_value
            elif dilation[1] == 1 and left >= 0 and left + kernel[1] <= width:
                start = (y * width + left) * channels
                for k in range(run):
                    cols[r, to + k] = flat[start + k]
            else:
                for kx in range(kernel[1]):
                    ix = left + kx * dilation[1]
                    if ix < 0 or ix >= width:
                        for c in range(channels):
                            cols[r, to + c] = pad_value
                    else:
                        start = (y * width + ix) * channels
                        for c in range(channels):
                            cols[r, to + c] = flat[start + c]
                    to += channels


@_compile
def depthwise(x, zero_point, weights, stride, dilation, pad, acc):  # type: ignore[no-untyped-def]
    """Depthwise sums of one image, depth multiplier 1; outside the image contributes nothing.

    Args:
        x: [height, width, channels].
        zero_point: of `x`, in `acc`'s dtype.
        weights: [kernel height, kernel width, channels].
        stride: (height, width).
        dilation: (height, width).
        pad: (top, left).
        acc: [out height, out width, channels], written: int32, int64 or float32.
    """
    height, width, channels = x.shape
    for out_y in range(acc.shape[0]):
        for out_x in range(acc.shape[1]):
            total = acc[out_y, out_x]
            for c in range(channels):
                total[c] = 0
            for ky in range(weights.shape[0]):
                y = out_y * stride[0] - pad[0] + ky * dilation[0]
                if y < 0 or y >= height:
                    continue
                for kx in range(weights.shape[1]):
                    ix = out_x * stride[1] - pad[1] + kx * dilation[1]
                    if ix < 0 or ix >= width:
                        continue
                    value = x[y, ix]
                    weight = weights[ky, kx]
                    for c in range(channels):
                        total[c] += weight[c] * (value[c] - zero_point)


@_compile
def scatter(products, first, stride, pad, total):  # type: ignore[no-untyped-def]
    """Adds what input pixels contribute to windows of the output: a transposed convolution.

    Args:
        products: [rows, width, kernel height, kernel width, channels].
        first: input row of `products[0]`.
        stride: (height, width).
        pad: (top, left).
        total: [height, width, channels], added to; windows beyond it are cut off.
    """
    rows, width, kernel_height, kernel_width, channels = products.shape
    for row in range(rows):
        top = (first + row) * stride[0] - pad[0]
        for column in range(width):
            left = column * stride[1] - pad[1]
            for ky in range(max(-top, 0), min(kernel_height, total.shape[0] - top)):
                for kx in range(max(-left, 0), min(kernel_width, total.shape[1] - left)):
                    addend = products[row, column, ky, kx]
                    to = total[top + ky, left + kx]
                    for c in range(channels):
                        to[c] += addend[c]


@_compile
def max_pool(x, kernel, stride, pad, low, high, out):  # type: ignore[no-untyped-def]
    """Largest value of each window: reference pooling.h, `MaxPool`.

    Args:
        x: [height, width, channels].
        kernel: (height, width).
        stride: (height, width).
        pad: (top, left).
        low: smallest output value; also that of an empty window.
        high: largest output value.
        out: [out height, out width, channels], written.
    """
    height, width, channels = x.shape
    for out_y in range(out.shape[0]):
        top = out_y * stride[0] - pad[0]
        for out_x in range(out.shape[1]):
            left = out_x * stride[1] - pad[1]
            best = out[out_y, out_x]
            for c in range(channels):
                best[c] = low
            for y in range(max(top, 0), min(top + kernel[0], height)):
                for ix in range(max(left, 0), min(left + kernel[1], width)):
                    value = x[y, ix]
                    for c in range(channels):
                        best[c] = max(best[c], value[c])
            for c in range(channels):
                best[c] = min(best[c], high)


@_compile
def window_sums(x, kernel, stride, pad, square, acc, counts):  # type: ignore[no-untyped-def]
    """Sum of each window's values (or their squares) and how many they are.

    Args:
        x: [height, width, channels].
        kernel: (height, width).
        stride: (height, width).
        pad: (top, left).
        square: sum squares.
        acc: [out height, out width, channels], written: int32 or float32.
        counts: int32 [out height, out width, 1], written.
    """
    height, width, channels = x.shape
    for out_y in range(acc.shape[0]):
        top = out_y * stride[0] - pad[0]
        for out_x in range(acc.shape[1]):
            left = out_x * stride[1] - pad[1]
            total = acc[out_y, out_x]
            for c in range(channels):
                total[c] = 0
            count = 0
            for y in range(max(top, 0), min(top + kernel[0], height)):
                for ix in range(max(left, 0), min(left + kernel[1], width)):
                    count += 1
                    value = x[y, ix]
                    for c in range(channels):
                        total[c] += value[c] * value[c] if square else value[c]
            counts[out_y, out_x, 0] = count


@_compile
def add(x, y, sign, offsets, left_shift, multipliers, shifts, zero_point, low, high, out):  # type: ignore[no-untyped-def]
    """x + sign * y of quantised values: reference add.h and sub.h.

    Args:
        x: [n].
        y: [n].
        sign: 1 or -1.
        offsets: int64 [2], minus the zero points of `x` and `y`.
        left_shift: 20 for int8, 15 for int16.
        multipliers: integers [3], of `x`, `y` and the output.
        shifts: integers [3].
        zero_point: of the output.
        low: smallest output value.
        high: largest.
        out: [n], written.
    """
    for i in range(out.shape[0]):
        a = np.int64(np.int32((x[i] + offsets[0]) << left_shift))
        b = np.int64(np.int32((y[i] + offsets[1]) << left_shift))
        a = _multiply_by_quantized_multiplier(a, multipliers[0], shifts[0])
        b = _multiply_by_quantized_multiplier(b, multipliers[1], shifts[1])
        total = np.int64(np.int32(a + sign * b))
        z = _multiply_by_quantized_multiplier(total, multipliers[2], shifts[2]) + zero_point
        out[i] = min(max(z, low), high)
