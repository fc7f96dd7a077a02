"""Operators of one input, element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.property.instance import Fed, Instance, filled, quantized, single

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.property.draw import Draw

    Strategy = Callable[[Draw], Instance]


def _float(code: str, **limits: float) -> Strategy:
    """float32 to float32."""

    def strategy(d: Draw) -> Instance:
        shape = d.shape(0, 5)
        x = filled(d, Fed(shape, "FLOAT32"), constant=10, special=not limits, **limits)
        return single(d, code, [x], [Fed(shape, "FLOAT32")], None)

    return strategy


ceil = _float("CEIL")
cos = _float("COS", low=-100, high=100)
exp = _float("EXP", low=-90, high=90)
floor = _float("FLOOR")
log = _float("LOG")
neg = _float("NEG")
round_ = _float("ROUND")
sin = _float("SIN", low=-100, high=100)
sqrt = _float("SQRT")
square = _float("SQUARE")


def absolute(d: Draw) -> Instance:
    """ABS: float32, int8, int16 with or without quantisation."""
    type_ = d.choice(("FLOAT32", "INT8", "INT16"))
    shape = d.shape(0, 5)
    if type_ == "INT16" and d.chance(30):
        return single(d, "ABS", [Fed(shape, type_)], [Fed(shape, type_)])
    # 2026-08 divides the scales in float32, later releases in double.
    y = quantized(d, shape, type_)
    x = quantized(d, shape, type_, scale=d.exact_ratio(y.largest_scale))
    return single(d, "ABS", [filled(d, x, constant=10, special=True)], [y])


def rsqrt(d: Draw) -> Instance:
    """RSQRT: float32, int8 whose values may lie below the zero point (refused when run)."""
    type_ = d.choice(("FLOAT32", "INT8"))
    shape = d.shape(0, 4)
    if type_ == "FLOAT32":
        x = filled(d, Fed(shape, type_), constant=10, special=True)
        return single(d, "RSQRT", [x], [Fed(shape, type_)])
    point = d.choice((-128, 0, -100))
    x = quantized(d, shape, type_, zero_point=point)
    if not d.chance(15):
        x = filled(d, x, constant=10, low=point)
    return single(d, "RSQRT", [x], [quantized(d, shape, type_, scale=_related(d, x))])


def _same_types(code: str, types: tuple[str, ...], *, wide: bool = False) -> Strategy:
    """One type in and out, each with quantisation of its own."""

    def strategy(d: Draw) -> Instance:
        type_ = d.choice(types)
        shape = d.shape(0 if wide else 1, 5 if wide else 4)
        x = quantized(d, shape, type_)
        y = quantized(d, shape, type_, scale=_related(d, x))
        return single(d, code, [filled(d, x, constant=10, special=True)], [y])

    return strategy


elu = _same_types("ELU", ("INT8", "FLOAT32"))


def relu(d: Draw) -> Instance:
    """RELU: 2026-08 divides the scales in float32, later releases in double: exact ratios."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    shape = d.shape(1, 4)
    y = quantized(d, shape, type_)
    x = quantized(d, shape, type_, scale=d.exact_ratio(y.largest_scale, -5, 3))
    return single(d, "RELU", [filled(d, x, constant=10, special=True)], [y])


def relu6(d: Draw) -> Instance:
    """RELU6: input and output share scale and zero point, and 6 must be in range."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    shape = d.shape(1, 4)
    scale = d.scale(-5, 2) if type_ == "INT8" else d.scale(-12, 1)
    point = d.choice((-128, 0, d.integer(-128, 30))) if type_ == "INT8" else 0
    x = quantized(d, shape, type_, scale=scale, zero_point=point)
    y = quantized(d, shape, type_, scale=scale, zero_point=point)
    return single(d, "RELU6", [filled(d, x, constant=10, special=True)], [y])


def hard_swish(d: Draw) -> Instance:
    """HARD_SWISH: the output's scale must not be far below the input's."""
    type_ = d.choice(("INT8", "FLOAT32"))
    shape = d.shape(1, 4)
    x = quantized(d, shape, type_, scale=d.scale(-9, 1))
    y = quantized(d, shape, type_, scale=d.near(x.largest_scale, 0, 4))
    return single(d, "HARD_SWISH", [filled(d, x, constant=10)], [y])


def leaky_relu(d: Draw) -> Instance:
    """LEAKY_RELU with slopes of either sign."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    shape = d.shape(1, 4)
    # 2026-08 divides the scales in float32, later releases in double: short numbers agree.
    y = quantized(d, shape, type_)
    x = quantized(d, shape, type_, scale=d.exact_ratio(y.largest_scale))
    alpha = d.choice((0.125, 0.25, 1.0, 0.0, -0.5, 1.5, d.integer(-256, 512) / 256))
    if type_ == "FLOAT32" and d.integer(0, 1):
        alpha = d.choice((0.1, 0.01, 0.3, 0.999, -0.2))
    return single(d, "LEAKY_RELU", [filled(d, x, constant=10, special=True)], [y], {"alpha": alpha})


def tanh(d: Draw) -> Instance:
    """TANH: output 1/128 for int8, 1/32768 for int16; the input's scale free or a power of 2."""
    return _squashed(d, "TANH", {"INT8": (1 / 128, 0), "INT16": (1 / 32768, 0)})


def logistic(d: Draw) -> Instance:
    """LOGISTIC: output 1/256 at -128 for int8, 1/32768 for int16."""
    return _squashed(d, "LOGISTIC", {"INT8": (1 / 256, -128), "INT16": (1 / 32768, 0)})


def _squashed(d: Draw, code: str, outputs: dict[str, tuple[float, int]]) -> Instance:
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    shape = d.shape(0, 5)
    if type_ == "FLOAT32":
        x = filled(d, Fed(shape, type_), constant=10, special=True)
        return single(d, code, [x], [Fed(shape, type_)])
    if type_ == "INT16":
        scale = d.choice((1 / 4096, 2.0 ** -d.integer(8, 15), d.scale(-15, -6)))
    else:
        scale = d.scale(-9, 2)
    x = filled(d, quantized(d, shape, type_, scale=scale), constant=10)
    wanted, point = outputs[type_]
    return single(d, code, [x], [quantized(d, shape, type_, scale=wanted, zero_point=point)])


def logical_not(d: Draw) -> Instance:
    """LOGICAL_NOT."""
    shape = d.shape(0, 5)
    return single(d, "LOGICAL_NOT", [Fed(shape, "BOOL")], [Fed(shape, "BOOL")])


def zeros_like(d: Draw) -> Instance:
    """ZEROS_LIKE: int64, int32, int8, float32."""
    type_ = d.choice(("INT8", "INT32", "INT64", "FLOAT32"))
    shape = d.shape(0, 5)
    return single(d, "ZEROS_LIKE", [quantized(d, shape, type_)], [quantized(d, shape, type_)], {})


def prelu(d: Draw) -> Instance:
    """PRELU: slopes broadcast against the input; int8 slopes for int16 too."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    out = d.shape(1, 4)
    kept = [n if d.integer(0, 1) else 1 for n in out]
    narrow = kept[d.integer(0, len(out) - 1) :]
    x = quantized(d, out, type_)
    slopes = "INT8" if type_ == "INT16" else type_
    alpha = filled(d, quantized(d, narrow, slopes, scale=d.scale(-9, -3)), constant=80)
    y = quantized(d, out, type_, scale=_related(d, x))
    return single(d, "PRELU", [x, alpha], [y])


def _related(d: Draw, x: Fed) -> float:
    """An output scale within reach of an input's."""
    return d.near(x.largest_scale, -3, 5)
