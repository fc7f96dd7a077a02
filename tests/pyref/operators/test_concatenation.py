"""CONCATENATION against TFLM; field failure 29."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.models import tensor
from tests.pyref.operators.witness import Table


def concatenation(shapes, output, axis, *, kind="INT8", scales=None, zero_points=None, **options):
    scales = scales or [0.1] * (len(shapes) + 1)
    zero_points = zero_points or [0] * (len(shapes) + 1)
    tensors = [
        tensor(shape, kind, scale, zero_point)
        for shape, scale, zero_point in zip([*shapes, output], scales, zero_points, strict=True)
    ]
    return one_operator("CONCATENATION", tensors[:-1], tensors[-1:], {"axis": axis, **options})


PAIR = ([(1, 2, 3), (1, 2, 4)], (1, 2, 7))
TABLE = Table(
    {
        f"{kind.lower()}-last": concatenation(*PAIR, 2, kind=kind)
        for kind in ("INT8", "INT16", "INT32", "INT64", "BOOL", "FLOAT32", "UINT8")
    }
    | {
        "axis-minus-1": concatenation(*PAIR, -1),
        "axis-0": concatenation([(2, 3), (1, 3), (4, 3)], (7, 3), 0),
        "axis-1-of-4": concatenation([(2, 3, 2, 2), (2, 1, 2, 2)], (2, 4, 2, 2), -3),
        "ten": concatenation([(1, 2)] * 10, (1, 20), 1),
        "refused-eleven": concatenation([(1, 2)] * 11, (1, 22), 1),
        "refused-scales": concatenation(*PAIR, 2, scales=[0.1, 0.05, 0.1]),
        "refused-zero-points": concatenation(*PAIR, 2, zero_points=[-1, 0, -1]),
        "int16-scales-are-not-compared": concatenation(
            *PAIR, 2, kind="INT16", scales=[0.1, 0.05, 0.1]
        ),
        "refused-int16-zero-point": concatenation(*PAIR, 2, kind="INT16", zero_points=[0, 1, 0]),
        "refused-activation": concatenation(*PAIR, 2, fused_activation_function="RELU"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
