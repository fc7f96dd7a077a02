"""SVDF: micro/kernels/svdf.cc, svdf_common.cc. int8 with int8 or int16 state, and float32.

The state is the operator's fifth input, a variable tensor, updated in place. An int8 state
wraps: the clamped feature plus the state's zero point is stored in one byte.

CMSIS-NN's int8 state knows no zero point, and wraps instead of saturating: it clamps the feature
to int16 and stores its low byte (arm_svdf_s8.c, arm_nn_vec_mat_mult_t_s8.c).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.exact_matmul import ExactWeights
from pyref.fixedpoint import quantize_multiplier
from pyref.operators import scales
from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pyref.node import Array, Eval, Node

_FEATURE, _TIME, _BIAS, _STATE = 1, 2, 3, 4


def prepare(node: Node) -> Eval:
    """PrepareSvdf and EvalSvdf."""
    check = Checks(node, "svdf.cc" if node.kernels == "cmsis_nn" else "svdf_common.cc")
    source, feature, time = node.input(0), node.input(_FEATURE), node.input(_TIME)
    state, bias = node.input(_STATE), node.optional_input(_BIAS)
    _check_shapes(node, check)
    if source.type == "FLOAT32":
        for name, tensor in (("weights_feature", feature), ("weights_time", time)):
            check.equal(tensor.type, "FLOAT32", f"{name}->type", "kTfLiteFloat32")
        check.equal(state.type, "FLOAT32", "activation_state->type", "kTfLiteFloat32")
        if bias is not None:
            check.equal(bias.type, "FLOAT32", "bias->type", "kTfLiteFloat32")
        check.types(node.output().type, "FLOAT32", "output->type", "kTfLiteFloat32")
        return _real(node)
    check.equal(feature.type, "INT8", "weights_feature->type", "kTfLiteInt8")
    for name, tensor in (("weights_time", time), ("activation_state", state)):
        check.true(
            tensor.type in ("INT8", "INT16"),
            f"({name}->type == kTfLiteInt16) || ({name}->type == kTfLiteInt8)",
        )
    if bias is not None:
        check.equal(bias.type, "INT32", "bias->type", "kTfLiteInt32")
    check.types(node.output().type, "INT8", "output->type", "kTfLiteInt8")
    if bias is None:
        node.refuse("SVDF: TFLM reads the scale of a bias that is absent")
    near = abs(np.float64(bias.scale) - np.float64(state.scale * time.scale)) < 1e-5
    check.true(
        near,
        "std::abs(static_cast<double>(bias->params.scale) - static_cast<double>("
        "activation_state->params.scale * weights_time->params.scale)) < 1e-5",
    )
    if time.type != state.type:
        node.refuse(f"SVDF: TFLM reads the {state.type} state as {time.type}")
    return _quantized(node)


def _check_shapes(node: Node, check: Checks) -> None:
    source, feature, time = node.input(0), node.input(_FEATURE), node.input(_TIME)
    state, bias, output = node.input(_STATE), node.optional_input(_BIAS), node.output()
    rank = node.options.rank
    for tensor in (source, feature, time, state):
        if len(tensor.shape) < 2:
            node.refuse(f"SVDF: tensor {tensor.index} has shape {list(tensor.shape)}")
    if rank <= 0:
        node.refuse(f"SVDF: rank {rank}; TFLM divides by it")
    filters, memory = feature.shape[0], time.shape[1]
    check.equal(filters % rank, 0, "num_filters % rank", "0")
    units = filters // rank
    check.true(
        source.type in ("FLOAT32", "INT8"),
        "input->type == kTfLiteFloat32 || input->type == kTfLiteInt8",
    )
    check.equal(len(source.shape), 2, "NumDimensions(input)", "2")
    check.equal(len(node.operator.outputs), 1, "node->outputs->size", "1")
    check.equal(len(output.shape), 2, "NumDimensions(output)", "2")
    check.equal(output.shape[0], source.shape[0], "output->dims->data[0]", "batch_size")
    check.equal(output.shape[1], units, "output->dims->data[1]", "num_units")
    check.equal(len(feature.shape), 2, "NumDimensions(weights_feature)", "2")
    check.equal(feature.shape[1], source.shape[1], "weights_feature->dims->data[1]", "input_size")
    check.equal(len(time.shape), 2, "NumDimensions(weights_time)", "2")
    check.equal(time.shape[0], filters, "weights_time->dims->data[0]", "num_filters")
    if bias is not None:
        check.equal(bias.shape[0], units, "bias->dims->data[0]", "num_units")
    check.equal(len(state.shape), 2, "NumDimensions(activation_state)", "2")
    check.equal(state.shape[0], source.shape[0], "activation_state->dims->data[0]", "batch_size")
    check.equal(
        state.shape[1],
        memory * filters,
        "activation_state->dims->data[1]",
        "memory_size * num_filters",
    )
    check.equal(int(state.is_variable), 1, "activation_state->is_variable", "true")
    check.equal(len(node.operator.inputs), 5, "node->inputs->size", "5")


def _push(state: NDArray[Any], feature: NDArray[Any], memory: int) -> None:
    """Moves the whole state one place to the left, then writes the newest column."""
    flat = state.reshape(-1)
    flat[:-1] = flat[1:].copy()
    state.reshape(-1, memory)[:, -1] = feature.reshape(-1)


def _quantized(node: Node) -> Eval:
    source, feature, time = node.input(0), node.input(_FEATURE), node.input(_TIME)
    state, output = node.input(_STATE), node.output()
    with np.errstate(all="ignore"):
        first = np.float32(source.scale * feature.scale) / state.scale
        second = np.float32(state.scale * time.scale) / output.scale
    scales.finite(node, first, second)
    feature_multiplier = quantize_multiplier(float(first))
    output_multiplier = quantize_multiplier(float(second))
    batches, filters, memory = source.shape[0], feature.shape[0], time.shape[1]
    units, dtype = output.shape[1], state.dtype
    to_zero_point, from_zero_point = output.zero_point, source.zero_point
    state_zero_point, clamp = state.zero_point, dtype

    def pack(w: Array) -> ExactWeights:
        return ExactWeights(w, 255)

    fixed = None if feature.data is None else pack(feature.data)
    if node.kernels == "cmsis_nn":
        state_zero_point, clamp = 0, np.dtype(np.int16)
    limits, rescale = np.iinfo(clamp), compiled.rescale

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, w_feature, w_time, bias, values = inputs
        weights = fixed or pack(w_feature)
        features = weights.multiply(x.astype(weights.dtype) - weights.dtype(from_zero_point))
        newest = np.empty(features.size, np.int32)
        rescale(features.reshape(-1), 0, *feature_multiplier, 0, limits.min, limits.max, newest)
        _push(values, (newest + state_zero_point).astype(dtype), memory)
        history = values.reshape(batches, filters, memory).astype(np.int64) - state_zero_point
        sums = (history * w_time.astype(np.int64)).sum(axis=2)
        total = sums.reshape(batches, units, -1).sum(axis=2) + bias
        out = np.empty(total.size, np.int8)
        rescale(total.reshape(-1), 0, *output_multiplier, to_zero_point, -128, 127, out)
        return [out.reshape(batches, units)]

    return evaluate


def _real(node: Node) -> Eval:
    """float32; sums in numpy's order. Only NONE, RELU, RELU6, RELU_N1_TO_1 and TANH activate."""
    source, feature, time = node.input(0), node.input(_FEATURE), node.input(_TIME)
    batches, filters, memory = source.shape[0], feature.shape[0], time.shape[1]
    units = node.output().shape[1]
    activation = node.options.fused_activation_function
    if node.optional_input(_BIAS) is None:
        node.refuse("SVDF: TFLM reads a bias that is absent")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        x, w_feature, w_time, bias, values = inputs
        _push(values, x @ w_feature.T, memory)
        sums = (values.reshape(batches, filters, memory) * w_time).sum(axis=2)
        total = sums.reshape(batches, units, -1).sum(axis=2) + bias
        return [_activate(activation, total)]

    return evaluate


def _activate(activation: int, x: Array) -> Array:
    """ActivationValFloat of micro/kernels/activation_utils.h."""
    zero, one, six = np.float32(0), np.float32(1), np.float32(6)
    functions: dict[int, Callable[[], Array]] = {
        0: lambda: x,
        1: lambda: np.maximum(zero, x),
        2: lambda: np.maximum(-one, np.minimum(x, one)),
        3: lambda: np.maximum(zero, np.minimum(x, six)),
        4: lambda: np.tanh(x.astype(np.float64)).astype(np.float32),
        5: lambda: np.signbit(x).astype(np.float32),
    }
    return functions.get(activation, lambda: np.zeros_like(x))()
