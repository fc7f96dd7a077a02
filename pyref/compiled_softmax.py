# ruff: noqa: ANN001, ANN201, PLR0917 - numba takes its types from the arguments
"""SOFTMAX's loops over rows, which are often many and short: one for each pixel or box."""

from __future__ import annotations

import numpy as np

from pyref.compiled import _compile, _multiply_by_quantized_multiplier


@_compile
def sums(rows, addends, largest, totals):  # type: ignore[no-untyped-def]
    """Each row's largest value, and the sum of `addends` by distance below it.

    Args:
        rows: int8 [n, depth].
        addends: int64 [256].
        largest: int64 [n], written.
        totals: int64 [n], written.
    """
    for i in range(rows.shape[0]):
        top = np.int64(-128)
        for j in range(rows.shape[1]):
            top = max(top, np.int64(rows[i, j]))
        total = np.int64(0)
        for j in range(rows.shape[1]):
            total += addends[top - rows[i, j]]
        largest[i] = top
        totals[i] = total


@_compile
def scaled(rows, largest, exps, multipliers, shifts, low, high, out):  # type: ignore[no-untyped-def]
    """Exponentials by each row's multiplier, `low` added, clamped.

    Args:
        rows: int8 [n, depth].
        largest: int64 [n].
        exps: int64 [256], by distance below the largest.
        multipliers: int64 [n], Q31.
        shifts: int64 [n].
        low: smallest output value.
        high: largest.
        out: [n, depth] of the output's dtype, written.
    """
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            value = exps[largest[i] - rows[i, j]]
            y = _multiply_by_quantized_multiplier(value, multipliers[i], shifts[i]) + low
            out[i, j] = min(max(np.int64(np.int32(y)), low), high)


@_compile
def below_largest(rows, beta, out):  # type: ignore[no-untyped-def]
    """float32 [n, depth]: each value less its row's largest, by `beta`."""
    for i in range(rows.shape[0]):
        top = np.float32(-3.4028235e38)
        for j in range(rows.shape[1]):
            top = max(top, rows[i, j])
        for j in range(rows.shape[1]):
            out[i, j] = (rows[i, j] - top) * beta


@_compile
def shares(exps):  # type: ignore[no-untyped-def]
    """float32 [n, depth], in place: each value over its row's sum, added in order."""
    for i in range(exps.shape[0]):
        total = np.float32(0)
        for j in range(exps.shape[1]):
            total += exps[i, j]
        for j in range(exps.shape[1]):
            exps[i, j] /= total
