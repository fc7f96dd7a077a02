"""L2_NORMALIZATION against TFLM."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import fed
from tests.pyref.operators.witness import Table


def l2norm(shape, type_="INT8", *, zero_point=3, activation="NONE", to=None):
    options = {"fused_activation_function": activation}
    inputs = [fed(shape, type_, 0.5, zero_point)]
    return one_operator("L2_NORMALIZATION", inputs, [fed(shape, to or type_, 1 / 128)], options)


TABLE = Table(
    {
        "int8": l2norm([2, 3, 7]),
        "int8-zero-point-low": l2norm([40, 5], zero_point=-128),
        "int8-vector": l2norm([64], zero_point=0),
        "int8-one-channel": l2norm([30, 1], zero_point=0),
        "int8-long": l2norm([1, 1, 3, 4096], zero_point=-128),
        "float": l2norm([2, 3, 7], "FLOAT32"),
        "refused-int16": l2norm([2, 3], "INT16", zero_point=0),
        "refused-rank5": l2norm([1, 1, 1, 2, 3]),
        "refused-activation": l2norm([2, 3], activation="RELU"),
        "refused-types": l2norm([2, 3], to="FLOAT32"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
