"""The one way tests here compare tensors: exactly, and saying where they first differ."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_same(got: Any, expected: Any, name: str = "output") -> None:
    """Fails unless both have the same dtype, shape and bytes.

    Args:
        got: what pyref computed.
        expected: what TFLM computes.
        name: of the tensor, for the message.
    """
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype, f"{name}: dtype {got.dtype}, expected {expected.dtype}"
    assert got.shape == expected.shape, f"{name}: shape {got.shape}, expected {expected.shape}"
    if got.tobytes() == expected.tobytes():
        return
    bits = f"u{got.dtype.itemsize}"
    differ = np.ascontiguousarray(got).view(bits) != np.ascontiguousarray(expected).view(bits)
    first = tuple(int(i) for i in np.argwhere(differ)[0])
    raise AssertionError(
        f"{name}: {int(differ.sum())} of {got.size} values differ, first at {first}: "
        f"expected {expected[first]!r}, got {got[first]!r}"
    )


def ulp_distance(got: Any, expected: Any) -> int:
    """Largest distance of two float32 arrays in units in the last place; NaN equals NaN."""
    got, expected = np.asarray(got, np.float32), np.asarray(expected, np.float32)
    assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"

    def ordered(x: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.int64]]:
        raw = np.ascontiguousarray(x).view(np.int32).astype(np.int64)
        return np.where(raw < 0, -(raw & 0x7FFFFFFF), raw)

    both_nan = np.isnan(got) & np.isnan(expected)
    distance = np.where(both_nan, 0, np.abs(ordered(got) - ordered(expected)))
    return int(distance.max(initial=0))


def assert_ulp(got: Any, expected: Any, most: int, name: str = "output") -> None:
    """Fails where two float32 arrays lie more than `most` units in the last place apart."""
    distance = ulp_distance(got, expected)
    assert distance <= most, f"{name}: {distance} ULP apart, at most {most} allowed"
