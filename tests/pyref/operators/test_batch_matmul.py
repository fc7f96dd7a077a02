"""BATCH_MATMUL against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import Tensor, one_operator
from pyref.errors import RefusedError
from tests.pyref.equal import assert_same
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(31)


def matmul(
    left,
    right,
    output,
    *,
    kind="INT8",
    adj_x=False,
    adj_y=False,
    constant=False,
    zero_points=(-3, 7, 5),
    kinds=None,
):
    zero_points = (0, 0, 0) if kind == "INT16" else zero_points
    kinds = kinds or (kind,) * 3
    a = tensor(left, kinds[0], 0.05, zero_points[0])
    b = tensor(right, kinds[1], 0.02, zero_points[1])
    if constant:
        limit = 2 ** (7 if kind == "INT8" else 15)
        b.data = RNG.integers(-limit, limit, right).astype(kind.lower())
    return one_operator(
        "BATCH_MATMUL",
        [a, b],
        [tensor(output, kinds[2], 0.3, zero_points[2])],
        {"adj_x": adj_x, "adj_y": adj_y},
    )


SHAPES = {
    "rank2": ((3, 4), (4, 5), (3, 5)),
    "rank3": ((2, 3, 4), (2, 4, 5), (2, 3, 5)),
    "rank4": ((2, 3, 3, 4), (2, 3, 4, 5), (2, 3, 3, 5)),
    "rank5": ((1, 2, 2, 3, 4), (2, 1, 2, 4, 5), (2, 2, 2, 3, 5)),
    "right-rank2": ((2, 3, 4), (4, 5), (2, 3, 5)),
    "left-rank2": ((3, 4), (2, 4, 5), (2, 3, 5)),
    "right-one": ((2, 3, 4), (1, 4, 5), (2, 3, 5)),
    "left-one": ((1, 3, 4), (2, 4, 5), (2, 3, 5)),
    "right-inner-one": ((2, 3, 3, 4), (2, 1, 4, 5), (2, 3, 3, 5)),
    "left-inner-one": ((2, 1, 3, 4), (1, 3, 4, 5), (2, 3, 3, 5)),
    "deep": ((2, 3, 400), (2, 400, 3), (2, 3, 3)),
}
CASES = {}
for name, (left, right, output) in SHAPES.items():
    swapped_left = (*left[:-2], left[-1], left[-2])
    swapped_right = (*right[:-2], right[-1], right[-2])
    for kind in ("INT8", "INT16"):
        key = f"{kind.lower()}-{name}"
        CASES[key] = matmul(left, right, output, kind=kind)
        CASES[f"{key}-adj-x"] = matmul(swapped_left, right, output, kind=kind, adj_x=True)
        CASES[f"{key}-adj-y"] = matmul(left, swapped_right, output, kind=kind, adj_y=True)
        CASES[f"{key}-constant"] = matmul(left, right, output, kind=kind, constant=True)
PAIR = SHAPES["rank3"]
CASES |= {
    "refused-types": matmul(*PAIR, kinds=("INT8", "INT16", "INT8")),
    "refused-output-type": matmul(*PAIR, kinds=("INT8", "INT8", "INT32")),
    "refused-int32": matmul(*PAIR, kind="INT32"),
    "refused-terms": matmul((2, 3, 4), (2, 5, 5), (2, 3, 5)),
    "refused-batches": matmul((2, 3, 4), (3, 4, 5), (3, 3, 5)),
    "refused-output-size": matmul((2, 3, 4), (2, 4, 5), (2, 3, 6)),
    "refused-rank1": matmul((4,), (4, 5), (5,)),
    "refused-int16-zero-point": one_operator(
        "BATCH_MATMUL",
        [Tensor((2, 2), "INT16", scale=0.1, zero_point=1), Tensor((2, 2), "INT16", scale=0.1)],
        [Tensor((2, 2), "INT16", scale=0.1)],
        {},
    ),
}
TABLE = Table(CASES)
FLOATS = Table({name: matmul(*shapes, kind="FLOAT32") for name, shapes in SHAPES.items()})


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_like_tflm(case):
    for got, expected in zip(FLOATS.run(case), FLOATS.results[case].outputs, strict=True):
        np.testing.assert_allclose(got[0], expected[0], rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("case", ["int8-rank4", "int16-left-inner-one", "int8-deep-adj-y"])
def test_cmsis_nn_agrees_up_to_4_dimensions(case):
    for got, expected in zip(TABLE.run(case, "cmsis_nn"), TABLE.run(case), strict=True):
        assert_same(got[0], expected[0], case)


def test_cmsis_nn_refuses_5_dimensions():
    """cmsis_nn/batch_matmul.cc, Prepare."""
    with pytest.raises(RefusedError, match="lhs_rank <= 4 was not true"):
        TABLE.run("int8-rank5", "cmsis_nn")
