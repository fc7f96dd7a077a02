"""EXPAND_DIMS, FILL, SHAPE, SQUEEZE and ZEROS_LIKE against TFLM."""

from __future__ import annotations

from fixtures.writer import one_operator
from tests.pyref.operators.tensors import constant, fed, plain, unary
from tests.pyref.operators.witness import Table


def expand(shape, axis, target, type_="INT8", axis_type="INT32"):
    inputs = [fed(shape, type_), constant(axis, axis_type)]
    return one_operator("EXPAND_DIMS", inputs, [fed(target, type_)], {})


def squeeze(shape, target, type_="INT8", to=None, **options):
    return one_operator("SQUEEZE", [fed(shape, type_)], [fed(target, to or type_)], options)


def fill(dims, shape, type_="INT32", dims_type="INT32", value=()):
    inputs = [constant(dims, dims_type), plain(value, type_)]
    return one_operator("FILL", inputs, [plain(shape, type_)], {})


def shape(sizes, count, to="INT32", type_="INT8"):
    return one_operator("SHAPE", [fed(sizes, type_)], [plain([count], to)], {"out_type": to})


TABLE = Table(
    {
        "expand-first": expand([2, 3], [0], [1, 2, 3]),
        "expand-last": expand([2, 3], [-1], [2, 3, 1]),
        "expand-middle": expand([2, 3], [1], [2, 1, 3], "FLOAT32"),
        "expand-scalar-axis": expand([2, 3], 1, [2, 1, 3], "INT16"),
        "refused-expand-axis": expand([2, 3], [3], [2, 3, 1]),
        "refused-expand-shape": expand([2, 3], [0], [2, 1, 3]),
        "refused-expand-rank": expand([2, 3], [0], [2, 3]),
        "refused-expand-int32": expand([2, 3], [0], [1, 2, 3], "INT32"),
        "refused-expand-axis-type": expand([2, 3], [0], [1, 2, 3], axis_type="INT64"),
        "refused-expand-axes": expand([2, 3], [[0], [1]], [1, 2, 3]),
        "squeeze-all": squeeze([1, 3, 1, 2], [3, 2]),
        "squeeze-some": squeeze([1, 3, 1, 2], [1, 3, 2], squeeze_dims=[-2]),
        "squeeze-int64": squeeze([1, 3], [3], "INT64", squeeze_dims=[0]),
        "squeeze-bool": squeeze([1, 3], [3], "BOOL"),
        "refused-squeeze-dim": squeeze([1, 3], [3], squeeze_dims=[1]),
        "refused-squeeze-range": squeeze([1, 3], [3], squeeze_dims=[2]),
        "refused-squeeze-bytes": squeeze([1, 3], [4]),
        "fill": fill([2, 3], [2, 3]),
        "fill-float": fill([4], [4], "FLOAT32", "INT64"),
        "fill-int8": fill([1, 2], [1, 2], "INT8", "INT8"),
        "refused-fill-int16": fill([2], [2], "INT16"),
        "refused-fill-dims": fill([2, 4], [2, 3]),
        "refused-fill-rank": fill([2], [2, 1]),
        "refused-fill-dims-type": fill([2], [2], dims_type="UINT8"),
        "refused-fill-value": fill([2], [2], value=[1]),
        "shape": shape([2, 3, 4], 3),
        "shape-float": shape([7], 1, type_="FLOAT32"),
        "refused-shape-int64": shape([2, 3], 2, "INT64"),
        **{f"zeros-{t}": unary("ZEROS_LIKE", t) for t in ("INT64", "INT32", "INT8", "FLOAT32")},
        "refused-zeros-int16": unary("ZEROS_LIKE", "INT16"),
        "refused-zeros-bool": unary("ZEROS_LIKE", "BOOL"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)
