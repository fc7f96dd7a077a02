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
    if not weights.size:
        return np.float32
    # Row by row, so that no copy of all weights is made.
    largest_sum = max(int(np.abs(row.astype(np.int64)).sum()) for row in weights)
    bound = largest_sum * largest_input
    if bound <= 2**24:
        return np.float32
    return np.float64 if bound <= 2**53 else np.int64


class ExactWeights:
    """Weights and the type in which products with them are exact.

    They are kept as they are, and converted for every use: that takes a tenth of a nanosecond a
    weight, and a float copy four times the memory.

    Attributes:
        dtype: of `matrix()`, and of what it is to be multiplied with.
    """

    def __init__(self, weights: NDArray[Any], largest_input: int) -> None:
        """Takes integers [outputs, terms]."""
        self.dtype = exact_dtype(weights, largest_input)
        self._weights = weights

    def matrix(self) -> NDArray[Any]:
        """The weights as [terms, outputs] of `dtype`."""
        return self._weights.astype(self.dtype).T

    def multiply(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Exact products of rows [n, terms], of `dtype`: [n, outputs]."""
        product: NDArray[Any] = rows @ self.matrix()
        return product
