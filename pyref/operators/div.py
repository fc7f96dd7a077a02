"""DIV: micro/kernels/div.cc, reference/div.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import (
    INT32_MAX,
    INT32_MIN,
    divide_toward_zero,
    saturating_rounding_doubling_high_mul,
    wrap_int32,
)
from pyref.fixedpoint_math import count_leading_zeros, get_reciprocal
from pyref.operators import activation_range
from pyref.operators.broadcast import elementwise
from pyref.operators.checks import Checks, FailsAtInvoke, named
from pyref.operators.factor import factor
from pyref.operators.lookup import INT8_VALUES, index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """x / y with a fused activation, broadcast; float32, int32, int8.

    float32 without an activation still clamps to the finite range, so that 1/0 is the largest
    finite value. int32 division by zero traps on x86-64 and gives 0 on a Cortex-M7: refused
    here. An int8 divisor equal to its zero point is asserted against in debug builds only and
    gives what the Newton iteration leaves.

    Small int8 quotients shift by more than 31 bits, which C leaves undefined and TFLM does
    even in sound models. x86-64 takes the shift's low 5 bits, so that a quotient near 0 can come
    out as the smallest or largest value; a Cortex-M7 gives -1 or 1. Here it is x86-64's.
    The int8 factor is divided in float32, as in TFLM 2026-08; later releases divide in double,
    which can turn an exact half.
    """
    checks = Checks(node, "div.cc")
    x, y, output = node.input(0), node.input(1), node.output()
    checks.types(x.type, y.type, "input1->type", "input2->type")
    checks.types(x.type, output.type, "input1->type", "output->type")
    activation = node.options.fused_activation_function
    if output.type == "INT32":
        for name, tensor in (("input1", x), ("input2", y)):
            checks.equal(
                int(tensor.quantization is not None),
                0,
                f"{name}->quantization.type",
                "kTfLiteNoQuantization",
            )
        return _int32(node, activation)
    if output.type == "INT8":
        return elementwise(node, _int8(node, activation))
    if output.type != "FLOAT32":
        return FailsAtInvoke(
            node,
            f"DIV only supports FLOAT32, INT32, quantized INT8 now, got type {named(output.type)}.",
        )
    low, high = activation_range.real(activation)

    def divide(a: Array, b: Array) -> Array:
        with np.errstate(all="ignore"):
            clamped: Array = np.clip(a / b, low, high)  # keeps the sign of a zero, as TFLM
            return clamped

    return elementwise(node, divide)


def _int32(node: Node, activation: int) -> Eval:
    ranges = {1: (0, INT32_MAX), 2: (-1, 1), 3: (0, 6)}
    low, high = ranges.get(activation, (INT32_MIN, INT32_MAX))

    def divide(a: Array, b: Array) -> Array:
        return np.clip(divide_toward_zero(a, b), low, high).astype(np.int32)

    evaluate = elementwise(node, divide)

    def checked(inputs: Sequence[Any]) -> Sequence[Array]:
        if not inputs[1].all():
            node.refuse("DIV: integer division by zero, undefined in TFLM", phase="invoke")
        return evaluate(inputs)

    return checked


def _int8(node: Node, activation: int) -> Callable[[Array, Array], Array]:
    """DivElementwise: a Q31 reciprocal of each divisor, tabulated."""
    x, y, output = node.input(0), node.input(1), node.output()
    low, high = activation_range.quantized(node, activation, output)
    multiplier, shift = factor(
        node, np.float32(x.scale), np.float32(y.scale) * np.float32(output.scale)
    )
    divisors = INT8_VALUES - y.zero_point
    signs = np.where(divisors < 0, -1, 1)
    inverses, bits = get_reciprocal(np.abs(divisors), 31)
    shifts = shift - bits
    numerators = INT8_VALUES - x.zero_point

    def divide(a: Array, b: Array) -> Array:
        j = index(b)
        numerator = numerators[index(a)] * signs[j]
        headroom = HEADROOM[numerator]
        quotient = saturating_rounding_doubling_high_mul(numerator << headroom, inverses[j])
        product = saturating_rounding_doubling_high_mul(quotient, multiplier)
        scaled = _divide_by_pot(product, headroom - shifts[j])
        return np.clip(wrap_int32(scaled + output.zero_point), low, high).astype(np.int8)

    return divide


def _divide_by_pot(x: Array, exponent: Array) -> Array:
    """RoundingDivideByPOT with x86-64's shifts: 64-bit ones by 6 bits, 32-bit ones by 5."""
    mask = wrap_int32((np.int64(1) << (exponent & 63)) - 1)
    threshold = (mask >> 1) + (x < 0)
    result: Array = (x >> (exponent & 31)) + ((x & mask) > threshold)
    return result


def _headroom() -> Array:
    """common.h CountLeadingSignBits of int32; index k of 1024 stands for k or k - 1024."""
    x = np.concatenate([np.arange(512), np.arange(-512, 0)])
    return count_leading_zeros(np.where(x < 0, ~x, x)) - 1


HEADROOM = _headroom()
