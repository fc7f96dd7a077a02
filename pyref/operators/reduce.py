"""MEAN, SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_ALL: micro/kernels/reduce.cc, reduce_common.cc.

MEAN and SUM of int8, int16 and float32; maximum and minimum of int8 and float32; REDUCE_ALL of
bool. An int8 mean is not the rounded mean: 1/n goes into the multiplier, which is rounded down,
and the sum is then rounded twice. An axis out of range fails in float32, and gives zeros in
integers: TFLM drops the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.fixedpoint import (
    multiply_by_quantized_multiplier,
    quantize_multiplier,
    saturate,
    wrap_int32,
)
from pyref.operators import scales
from pyref.operators.checks import Checks, FailsAtInvoke

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

    Reduction = Callable[[Array], Array]


def prepare_mean(node: Node) -> Eval:
    """PrepareMeanOrSum and EvalMean."""
    _check_axis(node)
    source = node.input(0)
    if source.type in ("INT8", "INT16"):
        return _quantized(node, mean=True)
    if source.type != "FLOAT32":
        reason = "Currently, only float32, int8 or int16 input type is supported."
        return FailsAtInvoke(node, f"reduce_common.cc {reason}")
    rest = "tflite::micro::GetTensorData<float>(output)"
    return _reduce(node, _mean, _call("Mean", "float", rest))


def prepare_sum(node: Node) -> Eval:
    """PrepareMeanOrSum and EvalSum."""
    _check_axis(node)
    source = node.input(0)
    if source.type != node.output().type:
        return _types_differ(node)
    if source.type in ("INT8", "INT16"):
        return _quantized(node, mean=False)
    if source.type != "FLOAT32":
        return FailsAtInvoke(node, "Only float32, int8, and int16 types are supported.")
    add = "0.f, [](const float current, const float in) -> float { return in + current; }"
    return _reduce(node, _sum, _call("ReduceGeneric<float>", "float", add))


def prepare_max(node: Node) -> Eval:
    """PrepareMinMax and EvalMax: NaN is never larger, and nothing is below the lowest float."""
    return _extreme(node, np.fmax, np.max, float(np.finfo(np.float32).min))


def prepare_min(node: Node) -> Eval:
    """PrepareMinMax and EvalMin."""
    return _extreme(node, np.fmin, np.min, float(np.finfo(np.float32).max))


def prepare_all(node: Node) -> Eval:
    """PrepareAll and EvalAll."""
    source = node.input(0)
    Checks(node, "reduce_common.cc").types(source.type, "BOOL", "input->type", "kTfLiteBool")
    _check_axis(node)
    if source.type != node.output().type:
        return _types_differ(node)
    both = "true, [](const bool current, const bool in) -> bool { return in && current; }"
    call = _call("ReduceGeneric<bool>", "bool", both)
    return _reduce(node, lambda rows: np.asarray(rows.all(axis=0)), call)


def _check_axis(node: Node) -> None:
    """PrepareSimple."""
    check = Checks(node, "reduce_common.cc")
    check.equal(len(node.operator.inputs), 2, "node->inputs->size", "2")
    check.equal(len(node.operator.outputs), 1, "node->outputs->size", "1")
    check.types(node.input(1).type, "INT32", "axis->type", "kTfLiteInt32")


def _types_differ(node: Node) -> Eval:
    a, b = node.input(0).type, node.output().type
    return FailsAtInvoke(node, f"reduce_common.cc input->type != output->type ({a} != {b})")


def _extreme(node: Node, real: Any, integer: Any, initial: float) -> Eval:
    _check_axis(node)
    source, output = node.input(0), node.output()
    if source.type != output.type:
        return _types_differ(node)
    compare = "reducer.initialValue(), reducer.compare()"
    if source.type == "FLOAT32":

        def extreme(rows: Array) -> Array:
            return _first_zero(rows, real.reduce(rows, axis=0, initial=np.float32(initial)))

        return _reduce(node, extreme, _call("ReduceGeneric<float>", "float", compare))
    if source.type != "INT8":
        return FailsAtInvoke(node, "Only float32 and int8 types are supported.")
    if source.scale != output.scale:  # TFLM prints doubles with %d, so no values here
        return FailsAtInvoke(
            node,
            "reduce_common.cc static_cast<double>(op_data->input_scale) != "
            "static_cast<double>(op_data->output_scale)",
        )
    if source.zero_point != output.zero_point:
        values = f"({source.zero_point} != {output.zero_point})"
        return FailsAtInvoke(
            node, f"reduce_common.cc op_data->input_zp != op_data->output_zp {values}"
        )
    call = _call("ReduceGeneric<int8_t>", "int8_t", compare)
    return _reduce(node, lambda rows: integer(rows, axis=0), call)


def _first_zero(rows: Array, result: Array) -> Array:
    """Of zeros of both signs the one that TFLM meets first: no other is smaller or larger."""
    zero = result == 0
    if zero.any():
        columns = rows[:, zero]
        first = (columns == 0).argmax(axis=0)
        result[zero] = columns[first, np.arange(columns.shape[1])]
    return result


def _axes(node: Node, source: Tensor, axis: Array) -> tuple[int, ...] | None:
    """`ResolveAxis` of reference/reduce.h: without duplicates; None where one is out of range."""
    rank = len(source.shape)
    resolved = [int(a) + rank if a < 0 else int(a) for a in axis.reshape(-1)] if rank else []
    if any(not 0 <= a < rank for a in resolved):
        return None
    axes = tuple(sorted(set(resolved)))
    kept = [n for i, n in enumerate(source.shape) if i not in axes]
    if int(np.prod(kept, dtype=np.int64)) != node.output().size:
        node.refuse(
            f"{node.operator.op}: {list(source.shape)} reduced along {list(axes)} does not "
            f"fill {list(node.output().shape)}; TFLM would go beyond its tensors"
        )
    return axes


def _rows(x: Array, axes: tuple[int, ...]) -> Array:
    """[reduced, kept], in the order in which TFLM meets the values of each output."""
    kept = [i for i in range(x.ndim) if i not in axes]
    moved = x.transpose(*axes, *kept)
    size = int(np.prod([x.shape[i] for i in kept], dtype=np.int64))
    return np.ascontiguousarray(moved.reshape(-1, size))


def _call(function: str, c_type: str, rest: str) -> str:
    """The call that is false for an axis out of range, as TF_LITE_ENSURE prints it."""
    data = f"tflite::micro::GetTensorData<{c_type}>"
    return (
        f"reference_ops::{function}( {data}(input), input->dims->data, input->dims->size, "
        f"{data}(output), output->dims->data, output->dims->size, "
        "tflite::micro::GetTensorData<int>(axis), num_axis, params->keep_dims, input_iter, "
        f"resolved_axis, {rest})"
    )


def _reduce(node: Node, reduction: Reduction, call: str) -> Eval:
    source, output = node.input(0), node.output()
    axis = node.input(1)
    fixed = None if axis.data is None else _axes(node, source, axis.data)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        axes = fixed if fixed is not None else _axes(node, source, inputs[1])
        if axes is None:
            node.refuse(f"reduce_common.cc {call} was not true.", phase="invoke")
        return [np.asarray(reduction(_rows(inputs[0], axes))).reshape(output.shape)]

    return evaluate


def _sum(rows: Array) -> Array:
    """Row after row, as TFLM adds; numpy would add a single column pairwise."""
    if rows.shape[1] == 1:
        last: Array = np.cumsum(rows, axis=0, dtype=np.float32)[-1]
        return last
    total: Array = np.add.reduce(rows, axis=0)
    return total


def _mean(rows: Array) -> Array:
    mean: Array = _sum(rows) / np.float32(rows.shape[0])
    return mean


def _quantized(node: Node, *, mean: bool) -> Eval:
    """QuantizedMeanOrSum of reference/reduce.h."""
    source, output = node.input(0), node.output()
    if source.type != output.type:
        node.refuse(
            f"{node.operator.op}: {source.type} input with {output.type} output; TFLM would "
            "misread it"
        )
    with np.errstate(all="ignore"):
        real = np.float64(source.scale) / np.float64(output.scale)
    scales.finite(node, real)
    multiplier, shift = quantize_multiplier(float(real))
    axis = node.input(1)
    fixed = None if axis.data is None else _axes(node, source, axis.data)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        axes = fixed if fixed is not None else _axes(node, source, inputs[1])
        if axes is None or inputs[0].size == 0:
            return [np.zeros(output.shape, output.dtype)]
        sums = inputs[0].sum(axis=axes, dtype=np.int32).astype(np.int64)
        count = inputs[0].size // output.size
        m, s = _with_count(multiplier, shift, count) if mean else (multiplier, shift)
        centred = wrap_int32(sums - source.zero_point * count)
        scaled = multiply_by_quantized_multiplier(centred, m, s) + output.zero_point
        return [saturate(scaled, output.dtype).reshape(output.shape)]

    return evaluate


def _with_count(multiplier: int, shift: int, count: int) -> tuple[int, int]:
    """1/count folded into a multiplier, rounded down."""
    up = min(count.bit_length() - 1, 32, 31 + shift)
    return (multiplier << up) // count, shift - up
