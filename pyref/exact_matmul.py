"""Integer matrix products through BLAS, in the narrowest float type that keeps them exact.

A sum of products of integers is exact in floating point, in any order and with or without fused
multiply-add, as long as no partial sum can pass 2**24 (float32) or 2**53 (float64). The bound is
taken from the actual weights: for each output, the sum of their magnitudes times the largest
input magnitude.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def exact_dtype(weights: NDArray[Any], largest_input: int) -> type[Any]:
    """float32, float64 or int64: what a product with these weights is exact in.

    Args:
        weights: integers [outputs, terms].
        largest_input: no input is larger in magnitude.
    """
    magnitudes = np.abs(weights.astype(np.int64)).sum(axis=1)
    bound = int(magnitudes.max(initial=0)) * largest_input
    if bound <= 2**24:
        return np.float32
    return np.float64 if bound <= 2**53 else np.int64


class ExactWeights:
    """Weights ready for exact products.

    Attributes:
        dtype: of the matrix, and of what it is multiplied with.
        sums: int64 [outputs], each output's sum of weights.
    """

    def __init__(self, weights: NDArray[Any], largest_input: int) -> None:
        """Converts integers [outputs, terms] once."""
        self.dtype = exact_dtype(weights, largest_input)
        self.sums = weights.sum(axis=1, dtype=np.int64)
        self._transposed = np.ascontiguousarray(weights, self.dtype).T

    def multiply(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Exact rows [n, terms] times weights: [n, outputs], of dtype `self.dtype`."""
        product: NDArray[Any] = rows @ self._transposed
        return product
