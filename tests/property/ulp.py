"""How far apart float32 results may be, per operator.

Operators that are not listed give the same bytes (a NaN's payload apart). Elementary functions
may differ by what two mathematical libraries differ: at most 4 units in the last place, counted
at the value itself. Sums may be formed in another order: their unit is that of the largest
number in the tensor, since a value near zero is what is left of larger ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.pyref.equal import ulp_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Bound:
    """Most units in the last place.

    Attributes:
        of_largest: count in the unit of the tensor's largest finite magnitude.
    """

    most: float
    of_largest: bool = False

    def distance(self, got: NDArray[Any], expected: NDArray[Any]) -> float:
        """The distance of two arrays of one shape; infinite where only one is NaN or infinite."""
        if not self.of_largest:
            return float(ulp_distance(got, expected))
        finite = np.isfinite(expected)
        if not np.array_equal(got[~finite], expected[~finite], equal_nan=True):
            return float("inf")
        a, b = got[finite].astype(np.float64), expected[finite].astype(np.float64)
        if not a.size:
            return 0.0
        largest = np.float32(np.abs(b).max(initial=0))
        distance = np.abs(a - b).max() / float(np.spacing(largest))
        return float(distance) if np.isfinite(distance) else float("inf")


_ELEMENTARY = Bound(4)
_SUM = Bound(64, of_largest=True)

BOUNDS: dict[str, Bound] = {
    **dict.fromkeys(
        ("COS", "SIN", "EXP", "LOG", "SQRT", "RSQRT", "ELU", "LOGISTIC", "TANH"), _ELEMENTARY
    ),
    **dict.fromkeys(
        (
            "SOFTMAX",
            "LOG_SOFTMAX",
            "L2_NORMALIZATION",
            "HARD_SWISH",
            "TFLite_Detection_PostProcess",
        ),
        _ELEMENTARY,
    ),
    **dict.fromkeys(
        (
            "CONV_2D",
            "DEPTHWISE_CONV_2D",
            "FULLY_CONNECTED",
            "TRANSPOSE_CONV",
            "BATCH_MATMUL",
            "SVDF",
            "UNIDIRECTIONAL_SEQUENCE_LSTM",
            "AVERAGE_POOL_2D",
            "L2_POOL_2D",
            "MEAN",
            "SUM",
            "SignalRfft",
            "SignalIrfft",
        ),
        _SUM,
    ),
}
