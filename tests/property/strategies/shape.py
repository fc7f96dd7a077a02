"""Operators that move elements about: reshapes, slices, joins, pads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.property.instance import Fed, Instance, filled, given, quantized, single

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.property.draw import Draw

    Strategy = Callable[[Draw], Instance]

MANY = ("INT8", "FLOAT32", "INT16", "INT32")


def same(d: Draw, shape: Sequence[int], type_: str, count: int = 2) -> list[Fed]:
    """Tensors of one type, scale and zero point; the first of `shape`, others to be shaped."""
    first = quantized(d, shape, type_)
    more = [
        Fed([], type_, scale=first.scale, zero_point=first.zero_point) for _ in range(count - 1)
    ]
    return [first, *more]


def split_product(d: Draw, number: int) -> list[int]:
    """A shape of `number` elements."""
    shape: list[int] = []
    while number > 1 and len(shape) < 4:
        part = d.choice([k for k in range(1, number + 1) if number % k == 0])
        shape.append(part)
        number //= part
    return [*shape, number] if number > 1 or not shape else shape


def reshape(d: Draw) -> Instance:
    """RESHAPE: target from an input or from the options, with or without -1."""
    type_ = d.choice((*MANY, "INT64", "BOOL", "UINT8"))
    shape = d.shape(0, 5)
    x, y = same(d, shape, type_)
    out = split_product(d, int(np.prod(shape, dtype=np.int64)))
    y.shape = out
    target = list(out)
    if target and d.chance(40):
        target[d.integer(0, len(target) - 1)] = -1
    if d.chance(2):
        target += [-1, -1]
    how = d.integer(0, 2)
    if how == 0:
        return single(d, "RESHAPE", [x, given(d, target)], [y], {})
    if how == 1:
        return single(d, "RESHAPE", [x], [y], {"new_shape": target}, breakable=False)
    options = {"new_shape": target} if target else {}
    return single(d, "RESHAPE", [x, given(d, target, constant=50)], [y], options)


def squeeze(d: Draw) -> Instance:
    """SQUEEZE: named axes (also negative) or every one."""
    type_ = d.choice(MANY)
    shape = [1 if d.integer(0, 1) else n for n in d.shape(1, 5)]
    ones = [i for i, n in enumerate(shape) if n == 1]
    axes = d.subset(ones)
    gone = axes or ones
    x, y = same(d, shape, type_)
    y.shape = [n for i, n in enumerate(shape) if i not in gone]
    if d.chance(3):
        axes = [d.integer(-len(shape) - 1, len(shape))]
    dims = [a - len(shape) if d.chance(30) else a for a in axes]
    return single(d, "SQUEEZE", [x], [y], {"squeeze_dims": dims} if dims else {})


def expand_dims(d: Draw) -> Instance:
    """EXPAND_DIMS: a constant axis of either sign."""
    type_ = d.choice(("INT8", "FLOAT32", "INT16"))
    shape = d.shape(0, 4)
    axis = d.integer(0, len(shape))
    x, y = same(d, shape, type_)
    y.shape = [*shape[:axis], 1, *shape[axis:]]
    written = axis - len(shape) - 1 if d.integer(0, 1) else axis
    kind = "INT64" if d.chance(4) else "INT32"
    tensor = given(d, written if d.integer(0, 1) else [written], kind, constant=95)
    return single(d, "EXPAND_DIMS", [x, tensor], [y], {}, breakable=False)


def transpose(d: Draw) -> Instance:
    """TRANSPOSE: ranks to 5."""
    type_ = d.choice(("INT8", "FLOAT32", "INT16"))
    shape = d.shape(1, 5)
    order = d.shuffled(range(len(shape)))
    x, y = same(d, shape, type_)
    y.shape = [shape[i] for i in order]
    if d.chance(3):
        order[0] = d.choice((-1, len(shape)))
    return single(d, "TRANSPOSE", [x, given(d, order, constant=97)], [y], {}, breakable=False)


def concatenation(d: Draw) -> Instance:
    """CONCATENATION of one to ten tensors along any axis."""
    type_ = d.choice((*MANY, "INT64", "BOOL"))
    shape = d.shape(1, 4, most=5)
    axis, count = d.integer(0, len(shape) - 1), d.integer(1, 10 if d.chance(10) else 4)
    *inputs, y = same(d, shape, type_, count + 1)
    for t in inputs:
        t.shape = [d.integer(1, 4) if i == axis else n for i, n in enumerate(shape)]
    y.shape = list(shape)
    y.shape[axis] = sum(int(t.shape[axis]) for t in inputs if t.shape is not None)
    written = axis - len(shape) if d.integer(0, 1) else axis
    options = {"axis": written}
    if d.chance(3):
        options["fused_activation_function"] = 1
    tensors: list[Fed | None] = [filled(d, t, constant=20) for t in inputs]
    return single(d, "CONCATENATION", tensors, [y], options, breakable=len(inputs) > 1)


def pack(d: Draw) -> Instance:
    """PACK along any axis."""
    type_ = d.choice((*MANY, "INT64"))
    shape = d.shape(0, 3)
    axis, count = d.integer(0, len(shape)), d.integer(1, 4)
    *inputs, y = same(d, shape, type_, count + 1)
    for t in inputs:
        t.shape = list(shape)
    y.shape = [*shape[:axis], count, *shape[axis:]]
    written = axis - len(shape) - 1 if d.integer(0, 1) else axis
    tensors: list[Fed | None] = [filled(d, t, constant=20) for t in inputs]
    options = {"axis": written, "values_count": count}
    return single(d, "PACK", tensors, [y], options, breakable=False)


def unpack(d: Draw) -> Instance:
    """UNPACK along any axis."""
    type_ = d.choice(MANY)
    shape = d.shape(1, 4, most=5)
    axis = d.integer(0, len(shape) - 1)
    x, *outputs = same(d, shape, type_, shape[axis] + 1)
    for t in outputs:
        t.shape = [*shape[:axis], *shape[axis + 1 :]]
    written = axis - len(shape) if d.integer(0, 1) else axis
    options = {"axis": written, "num": shape[axis]}
    return single(d, "UNPACK", [x], outputs, options, breakable=False)


def split(d: Draw) -> Instance:
    """SPLIT into equal parts."""
    type_ = d.choice(MANY)
    shape = d.shape(1, 4, most=4)
    axis, count = d.integer(0, len(shape) - 1), d.integer(1, 4)
    x, *outputs = same(d, shape, type_, count + 1)
    x.shape = [n * count if i == axis else n for i, n in enumerate(shape)]
    for t in outputs:
        t.shape = list(shape)
    written = axis - len(shape) if d.integer(0, 1) else axis
    if d.chance(3):
        written = d.choice((len(shape), -len(shape) - 1))
    tensor = given(d, written if d.integer(0, 1) else [written], constant=97)
    return single(d, "SPLIT", [tensor, x], outputs, {"num_splits": count}, breakable=False)


def split_v(d: Draw) -> Instance:
    """SPLIT_V: parts of any size."""
    type_ = d.choice(MANY)
    shape = d.shape(1, 4, most=5)
    axis, count = d.integer(0, len(shape) - 1), d.integer(1, 4)
    x, *outputs = same(d, shape, type_, count + 1)
    sizes = [d.integer(1, 4) for _ in outputs]
    x.shape = [sum(sizes) if i == axis else n for i, n in enumerate(shape)]
    for t, size in zip(outputs, sizes, strict=True):
        t.shape = [size if i == axis else n for i, n in enumerate(shape)]
    written = axis - len(shape) if d.integer(0, 1) else axis
    if d.chance(30):
        sizes[d.integer(0, count - 1)] = -1
    tensor = given(d, written if d.integer(0, 1) else [written], constant=97)
    inputs = [x, given(d, sizes, constant=80), tensor]
    return single(d, "SPLIT_V", inputs, outputs, {"num_splits": count}, breakable=False)


def slice_(d: Draw) -> Instance:
    """SLICE: sizes may be -1 (to the end)."""
    type_ = d.choice((*MANY, "BOOL"))
    shape = d.shape(1, 5)
    begin = [d.integer(0, n - 1) for n in shape]
    size = [d.integer(1, n - b) for n, b in zip(shape, begin, strict=True)]
    x, y = same(d, shape, type_)
    y.shape = list(size)
    for i, n in enumerate(shape):
        if d.chance(20):
            size[i], y.shape[i] = -1, n - begin[i]
    kind, fixed = d.choice(("INT32", "INT64")), 100 if d.integer(0, 1) else 0
    inputs = [x, given(d, begin, kind, constant=fixed), given(d, size, kind, constant=fixed)]
    return single(d, "SLICE", inputs, [y], {}, breakable=False)


def strided_slice(d: Draw) -> Instance:
    """STRIDED_SLICE: masks, negative strides and indices; the shape is what TFLM computes."""
    type_ = d.choice((*MANY, "BOOL"))
    shape = d.shape(1, 4)
    masks = {"begin_mask": 0, "end_mask": 0, "shrink_axis_mask": 0}
    begin, end, stride, out = [], [], [], []
    wild = d.chance(25)
    for i, n in enumerate(shape):
        if wild:
            first, last = d.integer(-n - 2, n + 2), d.integer(-n - 2, n + 2)
            step = d.choice((1, 2, -1, -2, 0 if d.chance(5) else 3))
            begin.append(first)
            end.append(last)
            stride.append(step)
            out.append(len(range(*slice(first, last, step or 1).indices(n))))
            continue
        step = d.choice((1, 1, 2, -1, -2, 3))
        low, high = d.integer(0, n - 1), d.integer(0, n - 1)
        low, high = min(low, high), max(low, high)
        first, last = (low, high + 1) if step > 0 else (high, low - 1)
        mask_begin, mask_end = d.chance(20), d.chance(20)
        if d.chance(15):
            masks["shrink_axis_mask"] |= 1 << i
            last, step = first + 1, 1
        else:
            start = (0 if step > 0 else n - 1) if mask_begin else first
            stop = (n if step > 0 else -1) if mask_end else last
            out.append(max(0, -(-(stop - start) // step)))
        masks["begin_mask"] |= mask_begin << i
        masks["end_mask"] |= mask_end << i
        if d.chance(30):
            first -= n
        if (d.chance(30) and last > 0) or last == -1:
            last -= n
        begin.append(first)
        end.append(last)
        stride.append(step)
    if 0 in out:
        out = [max(1, n) for n in out]  # no tensor without elements: TFLM refuses the shape
    if masks["begin_mask"] & masks["shrink_axis_mask"]:
        masks["begin_mask"] &= ~masks["shrink_axis_mask"]
    x, y = same(d, shape, type_)
    y.shape = out
    if d.chance(4):  # TFLM sets these to 0
        masks[d.choice(("ellipsis_mask", "new_axis_mask"))] = d.integer(1, 3)
    inputs = [x, given(d, begin), given(d, end), given(d, stride, constant=97)]
    return single(d, "STRIDED_SLICE", inputs, [y], masks, breakable=False)


def _paddings(d: Draw, shape: Sequence[int], most: Sequence[int]) -> list[list[int]]:
    return [[d.integer(0, m), d.integer(0, m)] for m in most[: len(shape)]]


def pad(d: Draw) -> Instance:
    """PAD and, with a value, PADV2's form of it."""
    return _pad(d, "PAD", with_value=d.chance(15))


def padv2(d: Draw) -> Instance:
    """PADV2: a constant or fed value."""
    return _pad(d, "PADV2", with_value=not d.chance(10))


def _pad(d: Draw, code: str, *, with_value: bool) -> Instance:
    type_ = d.choice(MANY)
    shape = d.shape(1, 4, most=5)
    pads = _paddings(d, shape, [3] * 4)
    x, y, value = same(d, shape, type_, 3)
    y.shape = [n + a + b for n, (a, b) in zip(shape, pads, strict=True)]
    value.shape = ([2] if d.chance(3) else [1]) if d.integer(0, 1) else []
    kind = "INT64" if d.chance(4) else "INT32"
    inputs: list[Fed | None] = [x, given(d, pads, kind, constant=97)]
    if with_value:
        inputs.append(filled(d, value, constant=70))
    return single(d, code, inputs, [y], {}, breakable=False)


def mirror_pad(d: Draw) -> Instance:
    """MIRROR_PAD: both modes, int32 and int64 paddings."""
    type_ = d.choice(("INT8", "FLOAT32"))
    shape, mode = d.shape(1, 4, most=5), d.choice(("REFLECT", "SYMMETRIC"))
    pads = _paddings(d, shape, [n - (mode == "REFLECT") for n in shape])
    x, y = same(d, shape, type_)
    y.shape = [n + a + b for n, (a, b) in zip(shape, pads, strict=True)]
    kind = d.choice(("INT32", "INT64"))
    inputs = [x, given(d, pads, kind, constant=70)]
    return single(d, "MIRROR_PAD", inputs, [y], {"mode": mode}, breakable=False)


def reverse(d: Draw) -> Instance:
    """REVERSE_V2: axes side by side; others are refused when run."""
    type_ = d.choice((*MANY, "INT64", "BOOL", "UINT8"))
    shape = d.shape(1, 5)
    low = d.integer(0, len(shape) - 1)
    axes = list(range(low, d.integer(low, len(shape) - 1) + 1))
    if d.chance(10):
        axes = d.subset(range(len(shape))) or [0]
    axes = [a - len(shape) if d.chance(30) else a for a in d.shuffled(axes)]
    x, y = same(d, shape, type_)
    y.shape = list(shape)
    return single(d, "REVERSE_V2", [x, given(d, axes, constant=60)], [y], {}, breakable=False)


def shape_of(d: Draw) -> Instance:
    """SHAPE."""
    shape = d.shape(0, 5)
    x = quantized(d, shape, d.choice((*MANY, "BOOL")))
    kind = "INT64" if d.chance(5) else "INT32"
    y = Fed([len(shape)], kind)
    return single(d, "SHAPE", [x], [y], {"out_type": kind}, breakable=False)
