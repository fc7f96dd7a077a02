"""Where the `tflite-micro` package that tests run against is another TFLM than 2026-08.

TFLM 2026-08 is commit 90b983c. The package of that commit (0.dev20260820164721) is tagged cp311
but needs Python 3.13, so the tests run a later one (0.dev20261023182759, commit 8f6596d). It
computes in double some factors that 2026-08 computes in float32, and about one int16 value in a
hundred thousand then differs by one. Random models for these operators are compared only where
both give the same multipliers: as good as never for arbitrary scales, always where the output's
scale is a power of two and `alpha` has few bits::

    if factors_agree("LEAKY_RELU", scales, alpha): compare
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import quantize_multiplier

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _relu(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    del alpha, kind
    return [s[0] / s[1]]


def _leaky_relu(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    return [s[0] / s[1], s[0] * kind(alpha) / s[1]]


def _sub(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    del alpha
    twice = kind(2) * max(s[0], s[1])
    return [s[0] / twice, s[1] / twice] + [twice / (kind(1 << n) * s[2]) for n in (15, 20)]


def _abs(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    del alpha, kind
    return [s[0] / s[1]]


def _rsqrt(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    del alpha
    return [1.0 / float(np.sqrt(kind(s[0])) * s[1])]


def _div(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    del alpha, kind
    return [s[0] / (s[1] * s[2])]


def _svdf(kind: type[Any], s: Sequence[Any], alpha: Any) -> list[Any]:
    """Scales of input, feature weights, time weights, state, output."""
    del alpha, kind
    return [s[0] * s[1] / s[3], s[3] * s[2] / s[4]]


_FACTORS: dict[str, Callable[[type[Any], Sequence[Any], Any], list[Any]]] = {
    "ABS": _abs,
    "DIV": _div,
    "RELU": _relu,
    "RSQRT": _rsqrt,
    "LEAKY_RELU": _leaky_relu,
    "SUB": _sub,
    "SVDF": _svdf,
}


def factors_agree(op: str, scales: Sequence[float], alpha: float = 0.0) -> bool:
    """Whether both releases compute the same multipliers and shifts.

    Args:
        op: TFLM's name; operators not named here agree.
        scales: of the inputs and the output in the operator's order.
        alpha: LEAKY_RELU's.
    """
    factors = _FACTORS.get(op)
    if factors is None:
        return True
    pairs = []
    with np.errstate(all="ignore"):
        for kind in (np.float32, np.float64):
            values = [kind(np.float32(scale)) for scale in scales]
            found = factors(kind, values, np.float32(alpha))
            if not all(np.isfinite(factor) for factor in found):
                return False
            pairs.append([quantize_multiplier(float(factor)) for factor in found])
    return pairs[0] == pairs[1]
