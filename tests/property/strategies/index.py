"""Operators that look elements up, select, resize, or spread them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.property.instance import Fed, Instance, filled, given, quantized, single
from tests.property.strategies.shape import MANY, same

if TYPE_CHECKING:
    from tests.property.draw import Draw


def gather(d: Draw) -> Instance:
    """GATHER: any axis, batch dimensions of either sign, indices in range."""
    type_ = d.choice(("INT8", "FLOAT32"))
    shape = d.shape(1, 4, most=5)
    axis = d.integer(0, len(shape) - 1)
    batch = d.integer(0, axis) if d.chance(40) else 0
    inner = d.shape(0 if batch < len(shape) else 1, 2, most=4)
    positions = [*shape[:batch], *inner]
    x, y = same(d, shape, type_)
    y.shape = [*shape[:axis], *inner, *shape[axis + 1 :]]
    coords = filled(d, Fed(positions, "INT32"), constant=40, low=0, high=shape[axis] - 1)
    options = {"axis": axis - len(shape) if d.integer(0, 1) else axis}
    if d.chance(3):
        options["axis"] = d.choice((len(shape), -len(shape) - 1))
    options["batch_dims"] = batch
    if batch and len(positions) > batch and d.chance(30):
        options["batch_dims"] = batch - len(positions)
    return single(d, "GATHER", [x, coords], [y], options, breakable=False)


def gather_nd(d: Draw) -> Instance:
    """GATHER_ND: one index in a few cases out of range, which is refused when run."""
    type_ = d.choice(("INT8", "FLOAT32"))
    shape = d.shape(1, 5, most=5)
    depth, leading = d.integer(1, len(shape)), d.shape(0, 2, most=4)
    x, y = same(d, shape, type_)
    y.shape = [*leading, *shape[depth:]]
    indices = Fed([*leading, depth], "INT32")

    def draw() -> Any:
        parts = [d.values("INT32", leading, low=0, high=n - 1) for n in shape[:depth]]
        array = np.stack(parts, axis=-1).astype(np.int32)
        if d.chance(8):
            array.reshape(-1)[0] = d.choice((-1, shape[0], -100, 100))
        return array

    indices.value = draw
    return single(d, "GATHER_ND", [x, indices], [y], {}, breakable=False)


def embedding_lookup(d: Draw) -> Instance:
    """EMBEDDING_LOOKUP: float32, int8, int8 to float32; rows out of range are refused."""
    in_type, out_type = d.choice((("FLOAT32", "FLOAT32"), ("INT8", "FLOAT32"), ("INT8", "INT8")))
    shape, count = d.shape(2, 4, most=5), d.integer(1, 5)
    mixed = in_type != out_type
    value = quantized(d, shape, in_type, zero_point=0 if mixed else None)
    high = shape[0] - 1 if not d.chance(8) else shape[0]
    lookup = filled(d, Fed([count], "INT32"), constant=40, low=0, high=high)
    y = Fed([count, *shape[1:]], out_type)
    if out_type == "INT8":
        y.scale, y.zero_point = value.scale, value.zero_point
    inputs = [lookup, filled(d, value, constant=60)]
    return single(d, "EMBEDDING_LOOKUP", inputs, [y], None, breakable=False)


def select(d: Draw) -> Instance:
    """SELECT_V2: three shapes that broadcast."""
    type_ = d.choice(("INT8", "FLOAT32", "INT16"))
    out = d.shape(0, 4)
    shapes = []
    for _ in range(3):
        kept = [1 if d.chance(20) else n for n in out]
        shapes.append(kept[d.integer(0, len(out)) :] if d.chance(30) else kept)
    shapes[d.integer(0, 2)] = list(out)
    if out and d.chance(4):
        shapes[d.integer(0, 2)] = [n + 1 for n in out]
    condition, (x, y, z) = Fed(shapes[0], "BOOL"), same(d, shapes[1], type_, 3)
    y.shape, z.shape = shapes[2], out
    inputs = [filled(d, t, constant=20) for t in (condition, x, y)]
    return single(d, "SELECT_V2", inputs, [z], {}, breakable=False)


def _arg(code: str) -> Any:
    def strategy(d: Draw) -> Instance:
        type_ = d.choice(("INT8", "FLOAT32"))
        shape = d.shape(1, 4)
        axis = d.integer(0, len(shape) - 1)
        y = Fed([*shape[:axis], *shape[axis + 1 :]], "INT32")
        written = axis - len(shape) if d.integer(0, 1) else axis
        tensor = given(d, written if d.integer(0, 1) else [written], constant=70)
        x = filled(d, quantized(d, shape, type_), constant=10, special=True)
        return single(d, code, [x, tensor], [y], {"output_type": "INT32"})

    return strategy


arg_max = _arg("ARG_MAX")
arg_min = _arg("ARG_MIN")


def broadcast_to(d: Draw) -> Instance:
    """BROADCAST_TO: ranks to 5, int32 and int64 shapes."""
    type_ = d.choice((*MANY, "INT64", "BOOL", "UINT8"))
    out = d.shape(1, 5)
    kept = [1 if d.integer(0, 1) else n for n in out]
    if d.chance(4):
        kept = [n + 1 for n in kept]
    x, y = same(d, kept[d.integer(0, len(out)) :], type_)
    y.shape = out
    target = given(d, out, d.choice(("INT32", "INT64")), constant=96)
    return single(d, "BROADCAST_TO", [x, target], [y], {}, breakable=False)


def broadcast_args(d: Draw) -> Instance:
    """BROADCAST_ARGS: shapes as data."""
    type_ = d.choice(("INT32", "INT64"))
    a, b, out = d.broadcast(5)
    if not out:
        a, b, out = [1], [1], [1]
    a, b = a or [1], b or [1]
    inputs = [given(d, s, type_, constant=50) for s in (a, b)]
    y = Fed([max(len(a), len(b))], type_)
    return single(d, "BROADCAST_ARGS", inputs, [y], breakable=False)


def fill(d: Draw) -> Instance:
    """FILL: a constant shape, a scalar value."""
    type_ = d.choice(("FLOAT32", "INT32", "INT8"))
    out = d.shape(1, 5)
    dims = given(d, out, d.choice(("INT32", "INT64")), constant=96)
    value, y = same(d, [], type_)
    y.shape = out
    inputs = [dims, filled(d, value, constant=30)]
    return single(d, "FILL", inputs, [y], {}, breakable=False)


def _resize(code: str, types: tuple[str, ...]) -> Any:
    def strategy(d: Draw) -> Instance:
        type_ = d.choice(types)
        batch, depth = d.integer(1, 2), d.integer(1, 4)
        size = [d.integer(1, 7), d.integer(1, 7)]
        target = [d.integer(1, 10), d.integer(1, 10)]
        x, y = same(d, [batch, *size, depth], type_)
        y.shape = [batch, *target, depth]
        mode = d.integer(0, 2)
        options = {"align_corners": mode == 1, "half_pixel_centers": mode == 2}
        if d.chance(4):
            options = {"align_corners": True, "half_pixel_centers": True}
        inputs = [x, given(d, target, constant=97)]
        return single(d, code, inputs, [y], options, breakable=False)

    return strategy


resize_bilinear = _resize("RESIZE_BILINEAR", ("INT8", "FLOAT32"))
resize_nearest_neighbor = _resize("RESIZE_NEAREST_NEIGHBOR", ("INT8", "FLOAT32", "INT16"))


def depth_to_space(d: Draw) -> Instance:
    """DEPTH_TO_SPACE."""
    type_, block = d.choice(("INT8", "FLOAT32")), d.integer(1, 3)
    n, h, w, c = d.integer(1, 2), d.integer(1, 4), d.integer(1, 4), d.integer(1, 3)
    x, y = same(d, [n, h, w, c * block**2], type_)
    y.shape = [n, h * block, w * block, c]
    return single(d, "DEPTH_TO_SPACE", [x], [y], {"block_size": block})


def space_to_depth(d: Draw) -> Instance:
    """SPACE_TO_DEPTH."""
    type_, block = d.choice(("INT8", "FLOAT32")), d.integer(1, 3)
    n, h, w, c = d.integer(1, 2), d.integer(1, 4), d.integer(1, 4), d.integer(1, 3)
    x, y = same(d, [n, h * block, w * block, c], type_)
    y.shape = [n, h, w, c * block**2]
    return single(d, "SPACE_TO_DEPTH", [x], [y], {"block_size": block})


def space_to_batch_nd(d: Draw) -> Instance:
    """SPACE_TO_BATCH_ND: rank 3 (one block) or 4 (two), with paddings."""
    type_, spatial = d.choice(("INT8", "FLOAT32")), d.integer(1, 2)
    n, c = d.integer(1, 3), d.integer(1, 3)
    blocks = [d.integer(1, 3) for _ in range(spatial)]
    padded = d.chance(15)  # TFLM pads with a number that it never sets
    sizes, pads, out = [], [], []
    for block in blocks:
        cells = d.integer(1, 3)
        before, after = (d.integer(0, 2), d.integer(0, 2)) if padded else (0, 0)
        while cells * block - before - after < 1:
            cells += 1
        sizes.append(cells * block - before - after)
        pads.append([before, after])
        out.append(cells)
    x, y = same(d, [n, *sizes, c], type_)
    y.shape = [n * int(np.prod(blocks)), *out, c]
    inputs = [x, given(d, blocks, constant=70), given(d, pads, constant=70)]
    return single(d, "SPACE_TO_BATCH_ND", inputs, [y], {}, breakable=False)


def batch_to_space_nd(d: Draw) -> Instance:
    """BATCH_TO_SPACE_ND: rank 3 or 4, with crops."""
    type_, spatial = d.choice(("INT8", "FLOAT32")), d.integer(1, 2)
    n, c = d.integer(1, 3), d.integer(1, 3)
    blocks = [d.integer(1, 3) for _ in range(spatial)]
    sizes = [d.integer(1, 4) for _ in blocks]
    crops, out = [], []
    for size, block in zip(sizes, blocks, strict=True):
        before = d.integer(0, min(2, size * block - 1))
        after = d.integer(0, min(2, size * block - 1 - before))
        crops.append([before, after])
        out.append(size * block - before - after)
    x, y = same(d, [n * int(np.prod(blocks)), *sizes, c], type_)
    y.shape = [n, *out, c]
    inputs = [x, given(d, blocks, constant=70), given(d, crops, constant=70)]
    return single(d, "BATCH_TO_SPACE_ND", inputs, [y], {}, breakable=False)


def cumsum(d: Draw) -> Instance:
    """CUMSUM: exclusive, reverse, any axis; an axis out of range is refused when run."""
    type_ = d.choice(("INT8", "FLOAT32"))
    shape = d.shape(1, 4)
    axis = d.integer(0, len(shape) - 1) - (len(shape) if d.integer(0, 1) else 0)
    axis = len(shape) if d.chance(4) else axis
    x = filled(d, quantized(d, shape, type_), constant=10)
    scale = d.near(x.largest_scale, -2, 5)
    y = quantized(d, shape, type_, scale=scale)
    options = {"exclusive": bool(d.integer(0, 1)), "reverse": bool(d.integer(0, 1))}
    return single(d, "CUMSUM", [x, given(d, [axis], constant=60)], [y], options)


def dynamic_update_slice(d: Draw) -> Instance:
    """DYNAMIC_UPDATE_SLICE: starts of any value, which TFLM clamps."""
    type_ = d.choice(MANY)
    shape = d.shape(1, 5)
    update_shape = [d.integer(1, n) for n in shape]
    x, update, y = same(d, shape, type_, 3)
    update.shape, y.shape = update_shape, shape
    starts = Fed([len(shape)], d.choice(("INT32", "INT64")))
    inputs = [x, filled(d, update, constant=30), filled(d, starts, constant=30, low=-3, high=9)]
    return single(d, "DYNAMIC_UPDATE_SLICE", inputs, [y], {}, breakable=False)
