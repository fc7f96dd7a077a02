"""Parameters that ADD_N and CUMSUM share: int8 values scaled up before they are summed.

Source: CalculateOpData of micro/kernels/add_n.cc and cumsum.cc.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pyref.fixedpoint import multiply_by_quantized_multiplier, wrap_int32
from pyref.operators.lookup import INT8_VALUES
from pyref.operators.small_multiplier import small_multiplier

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.model import Tensor
    from pyref.node import Node


@dataclass(frozen=True, slots=True, eq=False)
class SumScaling:
    """How int8 values are scaled before, and their sum after, an int32 sum.

    Attributes:
        table: scaled value of each int8 value, in the order of `lookup.INT8_VALUES`.
        start: what the sum starts at: the scaled negated zero point.
        multiplier: of the sum.
        shift: of the sum.
        zero_point: of the output.
    """

    table: NDArray[np.int64]
    start: int
    multiplier: int
    shift: int
    zero_point: int

    @classmethod
    def of(cls, node: Node, source: Tensor, output: Tensor, *, left_shift: int) -> SumScaling:
        """From the quantisation of an int8 input and output."""
        twice = 2.0 * float(source.scale)
        real_input = _divide(float(source.scale), twice)
        multiplier, shift = small_multiplier(node, real_input)
        real_output = _divide(twice, (1 << left_shift) * float(output.scale))
        output_multiplier, output_shift = small_multiplier(node, real_output)
        offsets = np.append(INT8_VALUES, 0) - source.zero_point
        scaled = multiply_by_quantized_multiplier(
            wrap_int32(offsets << left_shift), multiplier, shift
        )
        return cls(
            scaled[:256], int(scaled[256]), output_multiplier, output_shift, output.zero_point
        )


def _divide(a: float, b: float) -> float:
    """IEEE division: 0/0 is NaN where Python raises."""
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))
