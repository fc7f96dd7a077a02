"""AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D against TFLM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.pyref.operators.models import tensor, unary
from tests.pyref.operators.witness import Table

if TYPE_CHECKING:
    from fixtures.writer import Model


def pool(
    op: str,
    *,
    size: tuple[int, int, int, int] = (1, 7, 6, 3),
    kernel: tuple[int, int] = (2, 2),
    stride: tuple[int, int] = (2, 2),
    padding: str = "SAME",
    kind: str = "INT8",
    activation: str = "NONE",
    output: dict[str, Any] | None = None,
) -> Model:
    out = [
        -(-n // s) if padding == "SAME" else (n + s - k) // s
        for n, k, s in zip(size[1:3], kernel, stride, strict=True)
    ]
    shape = (size[0], *out, size[3])
    quantization: dict[str, Any] = {"scale": 0.05, "zero_point": -10}
    return unary(
        op,
        tensor(size, kind, **quantization),
        tensor(shape, kind, **(quantization | (output or {}))),
        {
            "padding": padding,
            "stride_h": stride[0],
            "stride_w": stride[1],
            "filter_height": kernel[0],
            "filter_width": kernel[1],
            "fused_activation_function": activation,
        },
    )


SHAPES: dict[str, dict[str, Any]] = {
    "2x2-same": {},
    "2x2-valid": {"padding": "VALID"},
    "3x3-stride1-same": {"kernel": (3, 3), "stride": (1, 1)},
    "5x3-stride-3x2-same": {"kernel": (5, 3), "stride": (3, 2), "size": (2, 11, 9, 5)},
    "whole-image": {"kernel": (7, 6), "stride": (7, 6), "padding": "VALID"},
    "larger-than-image": {"kernel": (9, 8), "stride": (1, 1), "size": (1, 4, 3, 2)},
    "one-channel": {"size": (3, 5, 5, 1)},
    "relu": {"activation": "RELU"},
    "relu6": {"activation": "RELU6"},
    "relu-n1-to-1": {"activation": "RELU_N1_TO_1"},
}
TABLE = Table(
    {
        f"{op.lower()}-{kind.lower()}-{name}": pool(op, kind=kind, **case)
        for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D")
        for kind in ("INT8", "INT16", "FLOAT32")
        for name, case in SHAPES.items()
    }
    | {
        "refused-scales": pool("MAX_POOL_2D", output={"scale": 0.0501}),
        "scales-nearly-equal": pool("AVERAGE_POOL_2D", output={"scale": 0.0500005}),
        "refused-zero-points": pool("AVERAGE_POOL_2D", output={"zero_point": -9}),
        "refused-uint8": pool("MAX_POOL_2D", kind="UINT8", output={}),
        "refused-int32": pool("AVERAGE_POOL_2D", kind="INT32"),
    }
)
L2 = Table(
    {name: pool("L2_POOL_2D", kind="FLOAT32", **case) for name, case in SHAPES.items()}
    | {"refused-int8": pool("L2_POOL_2D")},
    ulp=4,
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@L2.parametrize
def test_l2_like_tflm(case):
    L2.check(case)
