"""Operators of two inputs that broadcast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.property.instance import Fed, Instance, filled, quantized, single

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.property.draw import Draw

    Strategy = Callable[[Draw], Instance]

ACTIVATIONS = ("NONE", "RELU", "RELU6", "RELU_N1_TO_1")


def activation(d: Draw) -> str:
    """A fused activation; those that TFLM takes for none are rare."""
    if d.chance(3):
        return d.choice(("TANH", "SIGN_BIT"))
    return d.choice(ACTIVATIONS)


def _scales(d: Draw) -> tuple[float, float, float]:
    """Two inputs' scales and an output's that keeps the multipliers below one."""
    first = d.scale(-10, 2)
    second = d.near(first, -6, 6)
    return first, second, d.near(max(first, second), -4, 5)


def _exact_scales(d: Draw) -> tuple[float, float, float]:
    """The same for SUB, which 2026-08 computes in float32 and later releases in double."""
    out = d.scale(-10, 2)
    larger = out * (1 + d.integer(0, 63) / 64) * 2.0 ** -d.integer(0, 5)
    smaller = larger * (1 - d.integer(0, 16) / 32) * 2.0 ** -d.integer(0, 6)
    first, second = (larger, smaller) if d.integer(0, 1) else (smaller, larger)
    return first, second, out


def _sum(code: str) -> Strategy:
    def strategy(d: Draw) -> Instance:
        type_ = d.choice(("INT8", "INT16", "FLOAT32", "INT32"))
        a, b, out = d.broadcast()
        s, t, u = _scales(d) if code == "ADD" else _exact_scales(d)
        options: dict[str, Any] = {"fused_activation_function": activation(d)}
        if type_ == "INT16" and d.chance(30):
            options["pot_scale_int16"] = bool(d.integer(0, 1))
        inputs = [
            filled(d, quantized(d, a, type_, scale=s), constant=15, special=True),
            filled(d, quantized(d, b, type_, scale=t), constant=30, special=True),
        ]
        return single(d, code, inputs, [quantized(d, out, type_, scale=u)], options)

    return strategy


add = _sum("ADD")
sub = _sum("SUB")


def mul(d: Draw) -> Instance:
    """MUL: any scales whose product is not far above the output's."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32", "INT32"))
    a, b, out = d.broadcast()
    s, t = d.scale(-10, 2), d.scale(-10, 2)
    inputs = [
        filled(d, quantized(d, a, type_, scale=s), constant=15, special=True),
        filled(d, quantized(d, b, type_, scale=t), constant=30, special=True),
    ]
    y = quantized(d, out, type_, scale=d.near(s * t, -1, 12))
    return single(d, "MUL", inputs, [y], {"fused_activation_function": activation(d)})


def div(d: Draw) -> Instance:
    """DIV without a zero divisor, which stops TFLM's process for integers.

    An int8 quotient below half a unit makes TFLM shift by more than 31 bits, which C leaves
    undefined, so numerators are kept large, divisors small, and the output's scale small enough.
    """
    type_ = d.choice(("INT8", "FLOAT32", "INT32"))
    a, b, out = d.broadcast()
    least: int | None = d.choice((1, 5, 60))
    most: int | None = d.integer(1, 16)
    if type_ != "INT8":
        # The lowest int32 divided by -1 stops the process too.
        least, most = (0, None) if type_ == "INT32" else (None, None)
    # Short scales: 2026-08 divides them in float32, later releases in double.
    t, u = ((1 + d.integer(0, 31) / 32) * 2.0 ** -d.integer(0, 7) for _ in range(2))
    power = math.ceil(math.log2((most or 1) / (least or 1))) + d.integer(1, 6)
    s = t * u * (1 + d.integer(0, 63) / 64) * 2.0**power
    x, y = quantized(d, a, type_, scale=s), quantized(d, b, type_, scale=t)
    result = quantized(d, out, type_, scale=u)
    inputs = [_apart(d, x, least, None), _apart(d, y, 1, most)]
    options = {"fused_activation_function": activation(d)}
    return single(d, "DIV", inputs, [result], options, breakable=type_ == "FLOAT32")


def _apart(d: Draw, tensor: Fed, least: int | None, most: int | None) -> Fed:
    """Contents whose distance from the zero point is `least` to `most`."""
    shape, type_ = list(tensor.shape or ()), str(tensor.type)
    point = tensor.first_zero_point if type_ == "INT8" else 0

    def draw() -> Any:
        array = d.values(type_, shape)
        if type_ == "FLOAT32":
            return array if least is None else np.where(array == 0, np.float32(1), array)
        info = np.iinfo(array.dtype)
        away = array.astype(np.int64) - point
        sign = np.where(away < 0, -1, 1)
        size = np.clip(np.abs(away), least, most)
        result = point + sign * size
        outside = (result < info.min) | (result > info.max)
        result = np.where(outside, point - sign * size, result)
        return np.clip(result, info.min + (type_ == "INT32"), info.max).astype(array.dtype)

    if d.chance(25):
        tensor.data = np.asarray(draw())
    else:
        tensor.value = lambda: np.asarray(draw())
    return tensor


def _plain(code: str, types: tuple[str, ...], out_type: str | None = None) -> Strategy:
    """Inputs of one type, quantised where it is; the output of the same or another type."""

    def strategy(d: Draw) -> Instance:
        type_ = d.choice(types)
        a, b, out = d.broadcast()
        s, t = (d.scale(-10, -1), d.scale(-10, -1)) if out_type else (d.scale(),) * 2
        x = filled(d, quantized(d, a, type_, scale=s), constant=15, special=True)
        y = filled(d, quantized(d, b, type_, scale=t), constant=30, special=True)
        if out_type is None:
            y = Fed(**{**vars(y), "zero_point": x.zero_point})
        result = quantized(d, out, out_type or type_, scale=s)
        result.zero_point = x.zero_point
        return single(d, code, [x, y], [result], {} if code in _TABLES else None)

    return strategy


#: Operators with an options table of their own.
_TABLES = frozenset(
    ("MAXIMUM", "MINIMUM", "EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")
)
_ORDERED = ("INT8", "FLOAT32", "INT32", "INT64")

maximum = _plain("MAXIMUM", ("INT8", "INT16", "FLOAT32", "INT32", "INT64"))
minimum = _plain("MINIMUM", ("INT8", "INT16", "FLOAT32", "INT32", "INT64"))
equal = _plain("EQUAL", (*_ORDERED, "BOOL"), "BOOL")
not_equal = _plain("NOT_EQUAL", (*_ORDERED, "BOOL"), "BOOL")
greater = _plain("GREATER", _ORDERED, "BOOL")
greater_equal = _plain("GREATER_EQUAL", _ORDERED, "BOOL")
less = _plain("LESS", _ORDERED, "BOOL")
less_equal = _plain("LESS_EQUAL", _ORDERED, "BOOL")


def _logical(code: str) -> Strategy:
    def strategy(d: Draw) -> Instance:
        a, b, out = d.broadcast()
        return single(d, code, [Fed(a, "BOOL"), Fed(b, "BOOL")], [Fed(out, "BOOL")], {})

    return strategy


logical_and = _logical("LOGICAL_AND")
logical_or = _logical("LOGICAL_OR")


def squared_difference(d: Draw) -> Instance:
    """SQUARED_DIFFERENCE: float32, int32, int8, int16."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32", "INT32"))
    a, b, out = d.broadcast()
    s = d.scale(-8, 1)
    t = d.near(s, -4, 4)
    u = d.near(max(s, t) ** 2, -2, 8)
    limits = {"low": -20000, "high": 20000} if type_ == "INT32" else {}
    inputs = [
        filled(d, quantized(d, a, type_, scale=s), constant=15, **limits),
        filled(d, quantized(d, b, type_, scale=t), constant=30, **limits),
    ]
    y = quantized(d, out, type_, scale=u)
    return single(d, "SQUARED_DIFFERENCE", inputs, [y])


def _float_pair(code: str) -> Strategy:
    """float32 division: a zero divisor is refused (FLOOR_DIV) or gives NaN (FLOOR_MOD)."""

    def strategy(d: Draw) -> Instance:
        a, b, out = d.broadcast()
        x = filled(d, Fed(a, "FLOAT32"), constant=15)
        y = Fed(b, "FLOAT32")

        def divisor() -> Any:
            array = d.values("FLOAT32", b)
            return array if d.chance(10) else np.where(array == 0, np.float32(3), array)

        y.value = divisor
        return single(d, code, [x, y], [Fed(out, "FLOAT32")])

    return strategy


floor_div = _float_pair("FLOOR_DIV")
floor_mod = _float_pair("FLOOR_MOD")


def add_n(d: Draw) -> Instance:
    """ADD_N of two to six tensors of one shape, scale and zero point."""
    type_ = d.choice(("INT8", "FLOAT32"))
    shape = d.shape(1, 5)
    x = quantized(d, shape, type_)
    scale = x.scale
    inputs: list[Fed | None] = [
        filled(d, Fed(shape, type_, scale=scale, zero_point=x.zero_point), constant=20)
        for _ in range(d.integer(2, 6))
    ]
    y = quantized(d, shape, type_, scale=d.near(x.largest_scale, -3, 5))
    return single(d, "ADD_N", inputs, [y], {})
