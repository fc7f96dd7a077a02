"""ADD, SUB and MUL against TFLM; field failure 33."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator
from pyref.errors import RefusedError
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import binary, tensor
from tests.pyref.operators.witness import Table

OPS = ("ADD", "SUB", "MUL")
SHAPES = {
    "same": ((1, 3, 4, 5), (1, 3, 4, 5), (1, 3, 4, 5)),
    "last": ((1, 2, 2, 3), (3,), (1, 2, 2, 3)),
    "scalar": ((1, 2, 2, 3), (1, 1, 1, 1), (1, 2, 2, 3)),
    "middle": ((1, 2, 2, 3), (1, 2, 1, 1), (1, 2, 2, 3)),
    "both": ((2, 1, 3), (1, 2, 1), (2, 2, 3)),
    "first-is-smaller": ((3,), (1, 2, 2, 3), (1, 2, 2, 3)),
    "rank5": ((1, 2, 1, 2, 3), (2, 1, 2, 1, 3), (2, 2, 2, 2, 3)),
    "rank0": ((), (), ()),
}
CASES = {}
for op in OPS:
    for name, shapes in SHAPES.items():
        for kind in ("INT8", "INT16", "INT32", "FLOAT32"):
            CASES[f"{op.lower()}-{kind.lower()}-{name}"] = binary(op, *shapes, kind=kind)
    four = ((4, 9), (4, 9), (4, 9))
    for activation in ("RELU", "RELU6", "RELU_N1_TO_1", "TANH"):
        for kind in ("INT8", "INT16", "INT32", "FLOAT32"):
            CASES[f"{op.lower()}-{kind.lower()}-{activation.lower()}"] = binary(
                op, *four, kind=kind, activation=activation
            )
    CASES |= {
        f"{op.lower()}-scales-apart": binary(op, *four, scales=(0.001, 0.9, 0.5)),
        f"{op.lower()}-equal-scales": binary(op, *four, scales=(0.1, 0.1, 0.1)),
        f"{op.lower()}-zero-points-at-the-ends": binary(op, *four, zero_points=(-128, 127, -128)),
        f"{op.lower()}-refused-uint8": binary(op, *four, kind="UINT8"),
        f"{op.lower()}-refused-int64": binary(op, *four, kind="INT64", scales=None),
        f"{op.lower()}-int32-with-scales": one_operator(
            op, [tensor((4,), "INT32")] * 2, [tensor((4,), "INT32")], {}
        ),
    }
CASES["mul-refused-int16-zero-point"] = one_operator(
    "MUL", [tensor((4,), "INT16", 0.1, 1)] * 2, [tensor((4,), "INT16", 0.1)], {}
)
CASES["add-int16-zero-points"] = one_operator(
    "ADD", [tensor((40,), "INT16", 0.1, 9)] * 2, [tensor((40,), "INT16", 0.3, -7)], {}
)
TABLE = Table(CASES)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


def test_add_field_failure_33():
    model = pyref.Model.from_bytes(build(binary("ADD", (1, 4), (1, 4), (1, 4))))
    inputs = [np.array([[10, -10, 127, -128]], np.int8), np.array([[1, 2, 3, 4]], np.int8)]
    assert_same(pyref.run(model, inputs).outputs[0], np.array([[19, -9, 127, -128]], np.int8))


def test_int32_wraps():
    """WrappingMul of reference/mul.h; x86-64 and Cortex-M7 wrap the others too."""
    x = np.full((1,), 2**31 - 1, np.int32)
    for op, expected in (("ADD", -2), ("SUB", 0), ("MUL", 1)):
        made = binary(op, (1,), (1,), (1,), kind="INT32")
        assert_same(
            pyref.run(pyref.Model.from_bytes(build(made)), [x, x]).outputs[0],
            np.array([expected], np.int32),
        )


def test_shapes_that_do_not_broadcast_are_refused():
    """TFLM checks nothing and reads beyond its tensors."""
    made = binary("ADD", (2, 3), (2, 4), (2, 4))
    with pytest.raises(RefusedError, match="broadcast"):
        pyref.run(
            pyref.Model.from_bytes(build(made)),
            [np.zeros((2, 3), np.int8), np.zeros((2, 4), np.int8)],
        )


def test_cmsis_nn_add_refuses_int16_zero_points_and_mixed_types():
    """cmsis_nn/add.cc, PrepareAdd."""
    with pytest.raises(RefusedError, match=r"input1->params.zero_point != 0 \(9 != 0\)"):
        TABLE.run("add-int16-zero-points", "cmsis_nn")
    mixed = one_operator(
        "ADD",
        [Tensor([4], scale=0.1), Tensor([4], "INT16", scale=0.1)],
        [Tensor([4], scale=0.1)],
        {},
    )
    model = pyref.Model.from_bytes(build(mixed))
    with pytest.raises(RefusedError, match="Hybrid models"):
        pyref.run(model, [np.zeros(4, np.int8), np.zeros(4, np.int16)], kernels="cmsis_nn")
