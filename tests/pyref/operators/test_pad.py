"""PAD and PADV2 against TFLM; field failure 30; CMSIS-NN."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from tests.pyref.equal import assert_same
from tests.pyref.operators.tensors import constant, fed
from tests.pyref.operators.witness import Table


def pad(shape, paddings, type_="INT8", *, value=None, target=None, paddings_type="INT32", point=-5):
    zero_point = 0 if type_ == "INT16" else point
    target = target or [n + a + b for n, (a, b) in zip(shape, paddings, strict=True)]
    inputs = [fed(shape, type_, 0.5, zero_point), constant(paddings, paddings_type)]
    if value is not None:
        inputs.append(value)
    op = "PAD" if value is None else "PADV2"
    return one_operator(op, inputs, [fed(target, type_, 0.5, zero_point)], {})


def value(number, type_="INT8", zero_point=-5, scale=0.5):
    more = {"scale": scale, "zero_point": zero_point} if type_ == "INT8" else {}
    return constant(number, type_, **more)


ONE = [[0, 0], [1, 1], [1, 1], [0, 0]]
TABLE = Table(
    {
        "int8": pad([1, 2, 2, 1], ONE),
        "padv2": pad([1, 2, 2, 1], ONE, value=value(-128)),
        "padv2-vector-of-one": pad([1, 2, 2, 1], ONE, value=value([-100])),
        **{t: pad([2, 3], [[1, 0], [2, 1]], t) for t in ("FLOAT32", "INT16", "INT32")},
        "padv2-float": pad([2, 3], [[1, 0], [2, 1]], "FLOAT32", value=value(2.5, "FLOAT32")),
        "padv2-int32": pad([2, 3], [[1, 0], [2, 1]], "INT32", value=value(-9, "INT32")),
        "rank5": pad([1, 2, 1, 2, 2], [[1, 0], [0, 1], [1, 1], [0, 0], [2, 0]]),
        "rank1": pad([3], [[2, 1]]),
        "channels": pad([1, 2, 2, 3], [[0, 0], [0, 1], [1, 0], [1, 2]]),
        "negative-does-not-crop": pad([4, 5], [[-1, 0], [0, -2]]),
        "negative-and-positive": pad([4, 5], [[-1, 2], [1, -2]]),
        "refused-zero-point": pad([1, 2, 2, 1], ONE, value=value(0, zero_point=0)),
        "refused-constant-type": pad([2, 3], [[1, 0], [2, 1]], value=value(0, "INT32")),
        "refused-constant-size": pad([2, 3], [[1, 0], [2, 1]], value=value([1, 2])),
        "refused-int64-paddings": pad([1, 2, 2, 1], ONE, paddings_type="INT64"),
        "refused-shape": pad([2, 3], [[1, 0], [2, 1]], target=[3, 5]),
        "refused-uint8": pad([2, 3], [[1, 0], [2, 1]], "UINT8", point=3),
        "refused-bool": pad([2, 3], [[1, 0], [2, 1]], "BOOL"),
        "refused-rank6": pad([1, 1, 1, 1, 1, 2], [[0, 0]] * 6),
        "refused-fed-paddings": one_operator(
            "PAD", [fed([2]), fed([1, 2], "INT32")], [fed([4])], {}
        ),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(("case", "border"), [("int8", -5), ("padv2", -128)])
def test_border(case, border):
    """Field failure 30: the output's zero point, or the constant."""
    (output,) = TABLE.run(case)[0]
    assert output[0, 0].reshape(-1).tolist() == [border] * 4


def test_padv2_of_another_scale_is_refused():
    """TFLM prints the two doubles with %d."""
    model = pyref.Model.from_bytes(build(pad([2], [[1, 1]], value=value(0, scale=0.25))))
    with pytest.raises(RefusedError, match=r"static_cast<double>\(output->params.scale\) != "):
        Interpreter(model)


@pytest.mark.parametrize("case", ["int8", "padv2", "rank1", "channels", "INT16", "FLOAT32"])
def test_cmsis_nn_agrees_up_to_4_dimensions(case):
    for a, b in zip(TABLE.run(case, "cmsis_nn"), TABLE.run(case), strict=True):
        assert_same(a[0], b[0], case)


def test_cmsis_nn_writes_one_block_of_5_dimensions():
    """arm_pad_s8 takes 4 dimensions: the first block is written, the rest is not (0 here)."""
    model = pad([2, 1, 2, 1, 2], [[0, 0], [0, 0], [1, 0], [0, 0], [0, 1]])
    x = np.arange(1, 9, dtype=np.int8).reshape(2, 1, 2, 1, 2)
    table = Table({"x": model}, inputs={"x": [x]})
    (full,), (block,) = table.run("x")[0], table.run("x", "cmsis_nn")[0]
    assert_same(block[0], full[0])
    assert not block[1].any()
