"""ABS, SIN, COS, LOG, SQRT, RSQRT, SQUARE, LOGICAL_NOT: micro/kernels/elementwise.cc.

TFLM's Prepare means to refuse unsupported types, but its test names a typedef instead of the
predicate and is always true; so types are refused by Eval, and RSQRT takes int16, too.

The factors of ABS and RSQRT are computed in float32, as in TFLM 2026-08; later releases compute
them in double, which can turn an exact half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import multiply_by_quantized_multiplier, saturate
from pyref.fixedpoint_math import inverse_square_root
from pyref.operators.checks import Checks, FailsAtInvoke, same_size
from pyref.operators.factor import factor
from pyref.operators.float_functions import through_double
from pyref.operators.lookup import INT8_VALUES, by_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node


def prepare_abs(node: Node) -> Eval:
    """|x| of float32, int8 (quantised) and int16 (quantised, or plain where unquantised)."""
    source, output = _tensors(node)
    if source.type == "FLOAT32":
        return _apply(node, np.abs)
    if source.type == "INT16" and source.quantization is None:
        return _apply(node, np.abs)  # |-32768| wraps to -32768, as in C
    if source.type not in ("INT8", "INT16"):
        return FailsAtInvoke(node, f"Current data type {source.type} is not supported.")
    input_zero, output_zero = _quantized(node, source, output)
    needs_rescale = source.scale != output.scale
    multiplier, shift = factor(node, np.float32(source.scale), np.float32(output.scale))

    def function(x: Array) -> Array:
        value: Array = np.abs(x.astype(np.int64) - input_zero)
        if needs_rescale:
            value = multiply_by_quantized_multiplier(value, multiplier, shift)
        return saturate(value + output_zero, source.dtype)

    return _integer(node, function)


def prepare_rsqrt(node: Node) -> Eval:
    """1 / sqrt(x) of float32, int8 and int16.

    An int16 input without quantisation leaves TFLM's parameters unset; they are 0 here.
    """
    source, output = _tensors(node)
    if source.type == "FLOAT32":
        return _apply(node, _rsqrt_float)
    if source.type not in ("INT8", "INT16"):
        return FailsAtInvoke(node, f"Current data type {source.type} is not supported.")
    input_zero = output_zero = multiplier = shift = 0
    if source.type == "INT8" or source.quantization is not None:
        input_zero, output_zero = _quantized(node, source, output)
        root = np.sqrt(np.maximum(np.float32(source.scale), np.float32(0)))
        multiplier, shift = factor(node, 1.0, float(root * np.float32(output.scale)))
    most = np.iinfo(source.dtype).max

    def function(x: Array) -> Array:
        value = x.astype(np.int64) - input_zero
        inverse, inverse_shift = inverse_square_root(np.maximum(value, 1))
        data = multiply_by_quantized_multiplier(np.ones_like(value), inverse, inverse_shift + 20)
        result = multiply_by_quantized_multiplier(data, multiplier, shift - 20) + output_zero
        return saturate(np.where(value == 0, most, result), source.dtype)

    evaluate = _integer(node, function)

    def checked(inputs: Sequence[Any]) -> Sequence[Array]:
        if inputs[0].size and int(inputs[0].min()) < input_zero:
            node.refuse("elementwise.cc Rsqrt is only defined for positive values", phase="invoke")
        return evaluate(inputs)

    return checked


def prepare_sin(node: Node) -> Eval:
    """sin(x) of float32."""
    return _float(node, through_double(np.sin))


def prepare_cos(node: Node) -> Eval:
    """cos(x) of float32."""
    return _float(node, through_double(np.cos))


def prepare_log(node: Node) -> Eval:
    """Natural logarithm of float32."""
    return _float(node, through_double(np.log))


def prepare_sqrt(node: Node) -> Eval:
    """Square root of float32."""
    return _float(node, _sqrt_float)


def prepare_square(node: Node) -> Eval:
    """x * x of float32."""
    return _float(node, np.square)


def prepare_logical_not(node: Node) -> Eval:
    """Not x, of bool."""
    source, _ = _tensors(node)
    if source.type != "BOOL":
        return _wrong_type(node, source, "BOOL")
    return _apply(node, np.logical_not)


def _tensors(node: Node) -> tuple[Tensor, Tensor]:
    checks = Checks(node, "elementwise.cc")
    checks.counts(1, 1)
    source, output = node.input(0), node.output()
    checks.types(source.type, output.type, "input->type", "output->type")
    same_size(node, source, output)
    return source, output


def _quantized(node: Node, source: Tensor, output: Tensor) -> tuple[int, int]:
    checks = Checks(node, "elementwise.cc")
    for name, tensor in (("input", source), ("output", output)):
        checks.equal(
            int(tensor.quantization is not None),
            1,
            f"{name}->quantization.type",
            "kTfLiteAffineQuantization",
        )
    if source.type == "INT16":
        checks.equal(source.zero_point, 0, "op_data->input_offset", "0")
        checks.equal(output.zero_point, 0, "op_data->output_offset", "0")
    return source.zero_point, output.zero_point


def _float(node: Node, function: Callable[[Array], Array]) -> Eval:
    source, _ = _tensors(node)
    if source.type != "FLOAT32":
        return _wrong_type(node, source, "FLOAT32")
    return _apply(node, function)


def _wrong_type(node: Node, source: Tensor, wanted: str) -> Eval:
    text = f"elementwise.cc input->type != expected_type ({source.type} != {wanted})"
    return FailsAtInvoke(node, text)


def _apply(node: Node, function: Callable[[Array], Array]) -> Eval:
    shape = node.output().shape

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [function(inputs[0]).reshape(shape)]

    return evaluate


def _integer(node: Node, function: Callable[[Array], Array]) -> Eval:
    if node.input(0).type == "INT8":
        return by_table(function(INT8_VALUES.astype(np.int8)), node.output().shape)
    return _apply(node, function)


def _sqrt_float(x: Array) -> Array:
    with np.errstate(invalid="ignore"):
        result: Array = np.sqrt(x)
    return result


def _rsqrt_float(x: Array) -> Array:
    with np.errstate(all="ignore"):
        result: Array = np.float32(1) / np.sqrt(x)
    return result
