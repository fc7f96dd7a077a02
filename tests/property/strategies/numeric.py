"""Casts, quantisation, reductions, normalisations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.property.instance import Fed, Instance, filled, given, quantized, single

if TYPE_CHECKING:
    from tests.property.draw import Draw

CAST_TO = ("INT8", "INT16", "INT32", "FLOAT32", "UINT32")
CAST_FROM = (*CAST_TO, "BOOL")


def cast(d: Draw) -> Instance:
    """CAST: floats only within the target's range, since beyond C leaves it open."""
    old, new = d.choice(CAST_FROM), d.choice(CAST_TO)
    shape = d.shape(0, 5)
    limits: dict[str, Any] = {}
    if old == "FLOAT32" and new != "FLOAT32":
        info = np.iinfo(new.lower())
        limits = {"low": max(float(info.min), -2.0e9), "high": min(float(info.max), 2.0e9)}
    x = filled(d, Fed(shape, old), constant=10, **limits)
    return single(d, "CAST", [x], [Fed(shape, new)], {}, breakable=False)


#: Conversions that QUANTIZE's Prepare or Eval accepts.
QUANTIZE = (
    ("FLOAT32", "INT8"),
    ("FLOAT32", "INT16"),
    ("INT8", "INT8"),
    ("INT8", "UINT8"),
    ("INT8", "INT16"),
    ("INT8", "INT32"),
    ("INT16", "INT8"),
    ("INT16", "INT16"),
    ("INT16", "INT32"),
    ("INT32", "INT8"),
    ("INT32", "INT16"),
    ("UINT8", "INT8"),
)


def quantize(d: Draw) -> Instance:
    """QUANTIZE: from float32 and between integer types."""
    old, new = d.choice(QUANTIZE)
    if d.chance(4):
        old, new = d.choice((("INT32", "INT32"), ("UINT8", "INT16"), ("FLOAT32", "UINT8")))
    shape = d.shape(0, 5)
    scale = d.scale(-10, 1)
    x = Fed(shape, old)
    if old != "FLOAT32":
        points = {"INT8": "INT8", "UINT8": "UINT8"}
        x.scale = scale
        x.zero_point = d.zero_point(points[old]) if old in points else 0
    limit = {"low": -(2**24), "high": 2**24} if old == "INT32" else {}
    x = filled(d, x, constant=10, **limit)
    y = Fed(shape, new, scale=d.near(scale, -4, 6), zero_point=0)
    if new in {"INT8", "UINT8"} or (new == "INT16" and d.chance(30)):
        y.zero_point = d.zero_point(new) if new != "INT16" else d.integer(-1000, 1000)
    return single(d, "QUANTIZE", [x], [y], {})


def dequantize(d: Draw) -> Instance:
    """DEQUANTIZE: int8, int16, uint8."""
    type_, shape = d.choice(("INT8", "INT16", "UINT8")), d.shape(0, 5)
    x = filled(d, quantized(d, shape, type_, scale=d.scale(-30, 20)), constant=10)
    return single(d, "DEQUANTIZE", [x], [Fed(shape, "FLOAT32")], {})


def _reduced(d: Draw, shape: list[int]) -> tuple[Fed, list[int], bool]:
    """An axis tensor, the shape that is left, and keep_dims."""
    axes = d.subset(range(len(shape)))
    if not axes:
        axes = [d.integer(0, len(shape) - 1)]
    keep = bool(d.integer(0, 1))
    if keep:
        out = [1 if i in axes else n for i, n in enumerate(shape)]
    else:
        out = [n for i, n in enumerate(shape) if i not in axes]
    written = [a - len(shape) if d.chance(30) else a for a in d.shuffled(axes)]
    if d.chance(5):
        written.append(written[0])
    if d.chance(2):
        written[0] = d.choice((len(shape), -len(shape) - 1))
    scalar = len(written) == 1 and d.chance(30)
    return given(d, written[0] if scalar else written, constant=80), out, keep


def mean(d: Draw) -> Instance:
    """MEAN."""
    return _mean_or_sum(d, "MEAN")


def sum_(d: Draw) -> Instance:
    """SUM."""
    return _mean_or_sum(d, "SUM")


def _mean_or_sum(d: Draw, code: str) -> Instance:
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    shape = d.shape(1, 4)
    axes, out, keep = _reduced(d, shape)
    x = filled(d, quantized(d, shape, type_), constant=10)
    base = x.largest_scale
    y = quantized(d, out, type_, scale=d.near(base, -2, 7 if code == "SUM" else 3))
    if d.chance(25):
        y.scale, y.zero_point = x.scale, x.zero_point
    return single(d, code, [x, axes], [y], {"keep_dims": keep}, breakable=False)


def _reduce(code: str, types: tuple[str, ...]) -> Any:
    def strategy(d: Draw) -> Instance:
        type_ = d.choice(types)
        shape = d.shape(1, 4)
        axes, out, keep = _reduced(d, shape)
        x = filled(d, quantized(d, shape, type_), constant=10, special=True)
        y = Fed(out, type_, scale=x.scale, zero_point=x.zero_point)
        if type_ == "INT8" and d.chance(5):
            y.scale = d.near(x.largest_scale)
        return single(d, code, [x, axes], [y], {"keep_dims": keep}, breakable=False)

    return strategy


reduce_max = _reduce("REDUCE_MAX", ("INT8", "FLOAT32"))
reduce_min = _reduce("REDUCE_MIN", ("INT8", "FLOAT32"))
reduce_all = _reduce("REDUCE_ALL", ("BOOL",))


def softmax(d: Draw) -> Instance:
    """SOFTMAX: int8 to int8 or int16, int16, float32; any beta."""
    old, new = d.choice(
        (("INT8", "INT8"), ("INT8", "INT16"), ("INT16", "INT16"), ("FLOAT32", "FLOAT32"))
    )
    shape = [d.integer(1, 3), d.choice((100, 300))] if d.chance(5) else d.shape(1, 4, most=12)
    x = filled(d, quantized(d, shape, old, scale=d.scale(-9, 1)), constant=10)
    scales = {"INT8INT8": (1 / 256, -128), "INT8INT16": (1 / 65536, -32768)}
    scale, point = scales.get(old + new, (1 / 32768, 0))
    y = quantized(d, shape, new, scale=scale, zero_point=point)
    beta = d.choice((1.0, 0.5, 2.0, d.integer(1, 400) / 100))
    return single(d, "SOFTMAX", [x], [y], {"beta": beta})


def log_softmax(d: Draw) -> Instance:
    """LOG_SOFTMAX: int8 (output 16/256 at 127) and float32."""
    type_, shape = d.choice(("INT8", "FLOAT32")), d.shape(1, 4, most=12)
    x = filled(d, quantized(d, shape, type_, scale=d.scale(-9, 0)), constant=10)
    y = quantized(d, shape, type_, scale=16 / 256, zero_point=127)
    return single(d, "LOG_SOFTMAX", [x], [y], {})


def l2_normalization(d: Draw) -> Instance:
    """L2_NORMALIZATION: int8 (output 1/128) and float32."""
    type_, shape = d.choice(("INT8", "FLOAT32")), d.shape(1, 4, most=12)
    x = filled(d, quantized(d, shape, type_), constant=10)
    y = quantized(d, shape, type_, scale=1 / 128, zero_point=0)
    activation = 1 if d.chance(4) else 0
    return single(d, "L2_NORMALIZATION", [x], [y], {"fused_activation_function": activation})
