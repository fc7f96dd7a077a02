"""RESIZE_BILINEAR's loops, compiled by numba on first use and cached.

Import this inside the files that need it.
"""
# ruff: noqa: ANN001, ANN201
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def bilinear(x, rows, columns, out):
    """Interpolates with weights in 1024ths; halves away from zero.

    Everything fits int32, so the order of the products does not matter.

    Args:
        x: int8 [n, h, w, c].
        rows: (lower, upper, upper's weight) of each output row.
        columns: the same of each output column.
        out: int8 [n, rows, columns, c], written.
    """
    y0, y1, wy = rows
    x0, x1, wx = columns
    for n in range(out.shape[0]):
        for i in range(out.shape[1]):
            top, bottom, down = x[n, y0[i]], x[n, y1[i]], np.int32(wy[i])
            for j in range(out.shape[2]):
                a, b = top[x0[j]], top[x1[j]]
                c, d = bottom[x0[j]], bottom[x1[j]]
                right = np.int32(wx[j])
                ul, ur = (1024 - down) * (1024 - right), (1024 - down) * right
                ll, lr = down * (1024 - right), down * right
                to = out[n, i, j]
                for k in range(to.shape[0]):
                    total = np.int32(a[k] * ul + b[k] * ur + c[k] * ll + d[k] * lr)
                    total += np.int32((1 << 19) - (total <= 0))
                    to[k] = total >> 20


@numba.njit(cache=True, nogil=True)
def real(x, rows, columns, out):
    """The same for float32, in TFLM's order: each product rounded before the next factor."""
    y0, y1, wy = rows
    x0, x1, wx = columns
    one = np.float32(1)
    for n in range(out.shape[0]):
        for i in range(out.shape[1]):
            top, bottom, down = x[n, y0[i]], x[n, y1[i]], wy[i]
            for j in range(out.shape[2]):
                a, b = top[x0[j]], top[x1[j]]
                c, d = bottom[x0[j]], bottom[x1[j]]
                right = wx[j]
                to = out[n, i, j]
                for k in range(to.shape[0]):
                    total = a[k] * (one - down) * (one - right) + c[k] * down * (one - right)
                    total = total + b[k] * (one - down) * right
                    to[k] = total + d[k] * down * right + np.float32(0)
