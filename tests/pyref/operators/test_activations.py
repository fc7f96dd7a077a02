"""RELU, RELU6, LEAKY_RELU, PRELU, HARD_SWISH and LOG_SOFTMAX against TFLM."""

from __future__ import annotations

import numpy as np

from fixtures.writer import one_operator
from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(33)
SHAPE = (2, 128)
ALL_INT8 = [np.arange(-128, 128, dtype=np.int8).reshape(SHAPE)]


def one(op, kind="INT8", scales=(0.05, 0.04), zero_points=(-3, 7), output_kind=None, **options):
    zero_points = (0, 0) if kind == "INT16" else zero_points
    return unary(
        op,
        tensor(SHAPE, kind, scales[0], zero_points[0]),
        tensor(SHAPE, output_kind or kind, scales[1], zero_points[1]),
        options or None,
    )


CASES = {}
for op in ("RELU", "RELU6"):
    for kind in ("INT8", "INT16", "FLOAT32", "INT32"):
        CASES[f"{op.lower()}-{kind.lower()}"] = one(op, kind)
    CASES[f"{op.lower()}-scale-up"] = one(op, scales=(0.5, 0.01))
    CASES[f"{op.lower()}-scale-down"] = one(op, scales=(0.001, 3.0))
    CASES[f"{op.lower()}-zero-points-at-the-ends"] = one(op, zero_points=(127, -128))
CASES["relu-refused-int16-zero-point"] = unary(
    "RELU", tensor(SHAPE, "INT16", 0.1, 1), tensor(SHAPE, "INT16", 0.1, 0)
)
for alpha in (0.1, 1.5, -0.3, 0.0):
    for kind in ("INT8", "INT16", "FLOAT32"):
        CASES[f"leaky_relu-{kind.lower()}-{alpha}"] = one("LEAKY_RELU", kind, alpha=alpha)
CASES |= {
    "leaky_relu-refused-int32": one("LEAKY_RELU", "INT32", alpha=0.1),
    "leaky_relu-refused-types": one("LEAKY_RELU", output_kind="INT16", alpha=0.1),
    "hard_swish-refused-int16": one("HARD_SWISH", "INT16"),
    "hard_swish-refused-exponent": one("HARD_SWISH", scales=(3.0, 0.01)),
}
for scale in (0.0005, 0.01, 0.03, 0.1, 0.7, 4.0):
    CASES[f"hard_swish-int8-{scale}"] = one("HARD_SWISH", scales=(scale, max(scale, 0.02)))
CASES["hard_swish-shift-beyond-int16"] = one("HARD_SWISH", scales=(1e-4, 3.0))
CASES["hard_swish-float"] = one("HARD_SWISH", "FLOAT32")


def prelu(shape, alpha, kind="INT8", alpha_kind="INT8", *, constant=True):
    values = RNG.integers(-128, 128, alpha)
    real = alpha_kind == "FLOAT32"
    data = (values / 50).astype(np.float32) if real else values.astype(alpha_kind.lower())
    slope = tensor(alpha, alpha_kind, 0.02, 9)
    if constant:
        slope.data = data
    zero_points = (0, 0) if kind == "INT16" else (-3, 7)
    return one_operator(
        "PRELU",
        [tensor(shape, kind, 0.05, zero_points[0]), slope],
        [tensor(shape, kind, 0.04, zero_points[1])],
    )


CASES |= {
    "prelu-int8": prelu((2, 3, 4, 5), (1, 1, 5)),
    "prelu-int8-same": prelu((2, 3, 4), (2, 3, 4)),
    "prelu-int8-one": prelu((2, 3, 4), (1,)),
    "prelu-int8-fed": prelu((2, 3, 4), (4,), constant=False),
    "prelu-int16": prelu((2, 3, 4, 5), (1, 1, 5), "INT16"),
    "prelu-float": prelu((2, 3, 4, 5), (1, 1, 5), "FLOAT32", "FLOAT32"),
    "prelu-refused-int16-alpha": prelu((2, 3), (3,), "INT16", "INT16"),
    "prelu-refused-int32": prelu((2, 3), (3,), "INT32", "INT32"),
}


def log_softmax(shape, scale=0.1, zero_point=3, output=(1 / 16, 127), kind="INT8"):
    return unary(
        "LOG_SOFTMAX", tensor(shape, kind, scale, zero_point), tensor(shape, kind, *output)
    )


CASES |= {
    "log_softmax-rows": log_softmax((5, 12)),
    "log_softmax-rank4": log_softmax((1, 3, 2, 5)),
    "log_softmax-one": log_softmax((3, 1)),
    "log_softmax-many": log_softmax((2, 900), 0.03),
    "log_softmax-small-scale": log_softmax((3, 40), 0.001),
    "log_softmax-large-scale": log_softmax((3, 40), 2.0),
    "log_softmax-refused-scale": log_softmax((2, 3), output=(1 / 8, 127)),
    "log_softmax-refused-zero-point": log_softmax((2, 3), output=(1 / 16, 0)),
    "log_softmax-refused-int16": log_softmax((2, 3), kind="INT16"),
    "log_softmax-float": log_softmax((4, 9), kind="FLOAT32"),
}
INPUTS = {
    name: ALL_INT8
    for name, model in CASES.items()
    if model.subgraphs[0].tensors[0].type == "INT8"
    and tuple(model.subgraphs[0].tensors[0].shape) == SHAPE
}
TABLE = Table(CASES, inputs=INPUTS, ulp=4)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
