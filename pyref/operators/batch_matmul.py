"""BATCH_MATMUL: micro/kernels/batch_matmul.cc, batch_matmul_common.cc.

int8, int16 (added up in 64 bits) and float32, rank 2 to 5 (CMSIS-NN: to 4), batch dimensions
broadcast. TFLM rewrites the output's dimensions to the computed ones; here the stored shape of
the same size stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.fixedpoint import quantize_multiplier, reduce_multiplier
from pyref.operators import scales
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

_TYPES = ("FLOAT32", "INT8", "INT16")


def prepare(node: Node) -> Eval:
    """BatchMatMulPrepare and BatchMatMulEval (or their CMSIS-NN versions)."""
    cmsis_nn = node.kernels == "cmsis_nn"
    check = Checks(node, "batch_matmul.cc")
    left, right, output = node.input(0), node.input(1), node.output()
    if cmsis_nn:
        check.types(left.type, right.type, "lhs_input->type", "rhs_input->type")
        check.equal(left.type, output.type, "lhs_input->type", "output->type")
        check.message(left.type in _TYPES, "Input data type not supported")
    else:
        check.counts(2, 1)
        for name, tensor in (("lhs_data", left), ("rhs_data", right)):
            accepted = (f"{name}->type == kTfLite{t}" for t in ("Float32", "Int8", "Int16"))
            check.true(tensor.type in _TYPES, " || ".join(accepted))
        check.true(left.type == right.type, "lhs_data->type == rhs_data->type")
        check.true(left.type == output.type, "lhs_data->type == output->type")
    for name, tensor in (("lhs", left), ("rhs", right)):
        most = 4 if cmsis_nn else 5
        check.true(len(tensor.shape) >= 2, f"{name}_rank >= 2")
        check.true(len(tensor.shape) <= most, f"{name}_rank <= {most}")
    multiplier = (0, 0)
    if not cmsis_nn and left.type != "FLOAT32":
        multiplier = _multiplier(node, check)
    _check_shapes(node, check)
    if cmsis_nn and left.type != "FLOAT32":
        multiplier = _multiplier(node, check)
    swap = (bool(node.options.adj_x), bool(node.options.adj_y))
    if left.type == "FLOAT32":
        return _real(output.shape, swap)
    return _quantized(node, multiplier, swap)


def _check_shapes(node: Node, check: Checks) -> None:
    left, right, output = node.input(0), node.input(1), node.output()
    rank = max(len(left.shape), len(right.shape))
    a, b = ((1,) * (rank - len(t.shape)) + t.shape for t in (left, right))
    for i in range(rank - 2):
        if a[i] not in (b[i], 1):
            check.equal(b[i], 1, "rhs_dim", "1")
    terms = a[-2 if node.options.adj_x else -1]
    others = b[-1 if node.options.adj_y else -2]
    check.equal(terms, others, "accum_dim_lhs", "accum_dim_rhs")
    common = Checks(node, "batch_matmul_common.cc")
    common.true(rank <= len(output.shape), "output_rank <= NumDimensions(output)")
    rows = a[-1 if node.options.adj_x else -2]
    columns = b[-2 if node.options.adj_y else -1]
    batches = np.broadcast_shapes(a[:-2], b[:-2])
    # TFLM keeps leading dimensions of a longer output shape out of the count.
    size = int(np.prod(batches, dtype=np.int64)) * rows * columns
    common.equal(output.size, size, "orig_size", "NumElements(output)")


def _multiplier(node: Node, check: Checks) -> tuple[int, int]:
    left, right, output = node.input(0), node.input(1), node.output()
    with np.errstate(all="ignore"):
        product = np.float64(np.float32(left.scale * right.scale))
        real = product / np.float64(output.scale)
    Checks(node, "kernel_util.cc").true(product >= 0, "input_product_scale >= 0")
    scales.finite(node, real)
    if left.type == "INT16":
        names = (("lhs_data", left), ("rhs_data", right), ("output", output))
        if node.kernels == "cmsis_nn":
            names = (("lhs_input", left), ("rhs_input", right), ("output", output))
        for name, tensor in names:
            check.equal(tensor.zero_point, 0, f"{name}->params.zero_point", "0")
    return quantize_multiplier(float(real))


def _operand(x: Array, tensor: Tensor, dtype: type[Any], *, swap: bool) -> Array:
    values = x.astype(dtype)
    if tensor.zero_point:
        values -= dtype(tensor.zero_point)
    return values.swapaxes(-1, -2) if swap else values


def _quantized(node: Node, multiplier: tuple[int, int], swap: tuple[bool, bool]) -> Eval:
    left, right, output = node.input(0), node.input(1), node.output()
    narrow = left.type == "INT8"
    terms = left.shape[-2 if swap[0] else -1]
    # Values less their zero points reach 255; a float32 sum is exact up to 2**24.
    dtype: type[Any] = np.float32 if narrow and terms * 255 * 255 <= 2**24 else np.float64
    columns, shape, to_dtype = output.shape[-1], output.shape, output.dtype
    factor = np.full(columns, multiplier[0], np.int64)
    if not narrow:
        factor = reduce_multiplier(factor)
    shift, no_bias = np.full(columns, multiplier[1], np.int64), np.zeros(columns, np.int64)
    requantize = compiled.requantize if narrow else compiled.requantize_int64
    limits, zero_point = np.iinfo(output.dtype), output.zero_point

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x = _operand(inputs[0], left, dtype, swap=swap[0])
        y = _operand(inputs[1], right, dtype, swap=swap[1])
        sums = np.matmul(x, y).reshape(-1, columns)
        out = np.empty(sums.shape, to_dtype)
        requantize(sums, no_bias, factor, shift, zero_point, limits.min, limits.max, out)
        return [out.reshape(shape)]

    return evaluate


def _real(shape: tuple[int, ...], swap: tuple[bool, bool]) -> Eval:
    """float32: sums in BLAS's order."""

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, y = (v.swapaxes(-1, -2) if s else v for v, s in zip(inputs, swap, strict=True))
        return [np.matmul(x, y).reshape(shape)]

    return evaluate
