"""RESHAPE against TFLM."""

from __future__ import annotations

import numpy as np

from fixtures.writer import Tensor, one_operator
from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.witness import Table


def reshape(shape, output, kind="INT8"):
    wanted = Tensor(data=np.array(output, np.int32))
    return one_operator("RESHAPE", [tensor(shape, kind), wanted], [tensor(output, kind)], {})


TABLE = Table(
    {
        kind.lower(): reshape((2, 3, 4), (4, 6), kind)
        for kind in ("INT8", "INT16", "INT32", "INT64", "UINT8", "BOOL", "FLOAT32")
    }
    | {
        "without-shape": unary("RESHAPE", tensor((2, 3)), tensor((3, 2)), {}),
        "refused-size": reshape((2, 3), (7,)),
        "refused-type": unary("RESHAPE", tensor((2, 3)), tensor((3, 2), "INT16"), {}),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
