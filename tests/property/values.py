"""Contents of tensors: full range, ends, zeros, small numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.model import DTYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

#: How integers are filled, the simplest first; repeated entries are more frequent.
INTEGER_MODES = ("zero", "small", "full", "full", "full", "edges", "lowest", "highest")
#: How floats are filled. "special" (infinities, NaN, subnormals) only where asked for.
FLOAT_MODES = ("zero", "small", "normal", "normal", "normal", "exponents", "edges", "special")

SPECIAL = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 3.4e38, -3.4e38, 1.0], np.float32
)
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-6, 100.0, -100.0], np.float32)


def values(
    integer: Callable[[int, int], int],
    type_: str,
    shape: tuple[int, ...],
    *,
    low: float | None = None,
    high: float | None = None,
    special: bool = False,
    exact: bool = False,
) -> NDArray[Any]:
    """An array of a TensorType.

    Args:
        integer: draws a number between two bounds.
        type_: TensorType's name.
        shape: its shape.
        low: the least value; the type's where None (-8 for floats' modes with a range).
        high: the greatest value.
        special: whether floats may be infinite, NaN or subnormal.
        exact: whether floats are small multiples of 1/4, whose sums of products are exact.
    """
    dtype = DTYPES[type_]
    if type_ == "BOOL":
        rng = np.random.default_rng(integer(0, 2**32 - 1))
        return np.asarray(rng.integers(0, 2, shape), np.bool_)
    if dtype.kind == "f" and exact:
        rng = np.random.default_rng(integer(0, 2**32 - 1))
        return np.asarray(rng.integers(-8, 9, shape) / 4, dtype)
    if dtype.kind == "f":
        return _floats(integer, shape, low, high, special=special).astype(dtype)
    info = np.iinfo(np.int8 if type_ == "INT4" else dtype)
    bottom = int(info.min if low is None else low) if type_ != "INT4" else int(low or -8)
    top = int(info.max if high is None else high) if type_ != "INT4" else int(high or 7)
    mode = INTEGER_MODES[integer(0, len(INTEGER_MODES) - 1)]
    nearest = min(max(0, bottom), top)
    if mode == "zero":
        return np.full(shape, nearest, dtype)
    if mode in {"lowest", "highest"}:
        return np.full(shape, bottom if mode == "lowest" else top, dtype)
    rng = np.random.default_rng(integer(0, 2**32 - 1))
    if mode == "small":
        around = rng.integers(-3, 4, shape) + nearest
        return np.asarray(np.clip(around, bottom, top), dtype)
    if mode == "edges":
        ends = np.array([bottom, top, nearest, max(bottom, nearest - 1)], dtype)
        return np.asarray(rng.choice(ends, shape), dtype)
    return np.asarray(rng.integers(bottom, top, shape, dtype=dtype, endpoint=True), dtype)


def _floats(
    integer: Callable[[int, int], int],
    shape: tuple[int, ...],
    low: float | None,
    high: float | None,
    *,
    special: bool,
) -> NDArray[Any]:
    mode = FLOAT_MODES[integer(0, len(FLOAT_MODES) - (1 if special else 2))]
    rng = np.random.default_rng(integer(0, 2**32 - 1))
    if mode == "zero":
        result = np.zeros(shape)
    elif mode == "small":
        result = rng.integers(-8, 9, shape) / 4
    elif mode == "exponents":
        result = rng.standard_normal(shape) * 2.0 ** rng.integers(-20, 10, shape)
    elif mode == "edges":
        result = rng.choice(EDGES, shape)
    elif mode == "special":
        result = rng.choice(SPECIAL, shape)
    else:
        result = rng.standard_normal(shape) * (1.0, 4.0, 30.0)[int(rng.integers(0, 3))]
    if low is not None or high is not None:
        bottom, top = -8.0 if low is None else low, 8.0 if high is None else high
        if mode in {"normal", "exponents", "special"}:
            return np.asarray(rng.uniform(bottom, top, shape), np.float32)
        return np.asarray(np.clip(result, bottom, top), np.float32)
    return np.asarray(result, np.float32)
