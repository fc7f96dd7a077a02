"""TRANSPOSE_CONV: micro/kernels/transpose_conv.cc, reference/integer_ops/transpose_conv.h.

Inputs are output_shape (never read), weights, input, bias. int8, int16 with int8 weights (bias
int64, or int16 that is widened), float32. Padding follows from the output's size.

CMSIS-NN ignores the fused activation of integer operators and dereferences the bias of an int16
one that has none. Its int8 kernel of the commit that TFLM 2026-08 pins (4ab83cc3) also computes
wrong sums where the padding is no multiple of the stride; here it is taken as fixed (99f736a6).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.exact_matmul import exact_dtype
from pyref.fixedpoint import reduce_multiplier
from pyref.operators import activation_range, convolution, padding
from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node

#: Bytes of products that are laid out before they are added up, if input or weights have as many.
BLOCK_BYTES = 128 * 1024

_WEIGHTS, _INPUT, _BIAS = 1, 2, 3
_LARGEST = {"INT8": 255, "INT16": 32768}


def prepare(node: Node) -> Eval:
    """TransposeConvPrepare and TransposeConvEval (or their CMSIS-NN versions)."""
    source, filters, output = node.input(_INPUT), node.input(_WEIGHTS), node.output()
    bias = node.optional_input(_BIAS)
    check = Checks(node, "transpose_conv.cc")
    cmsis_nn = node.kernels == "cmsis_nn"
    if cmsis_nn:
        check.equal(source.type, output.type, "input->type", "output->type")
        check.message(source.type in ("FLOAT32", "INT16", "INT8"), "Input data type not supported")
    check.message(
        source.type == filters.type or (source.type, filters.type) == ("INT16", "INT8"),
        "Hybrid models are not supported on TFLite Micro.",
    )
    convolution.same_rank_4(node, source, filters, output)
    if source.type in _LARGEST:
        _check_scales(node, check)
    count = len(node.operator.inputs)
    check.true(count in (3, 4), "has_bias || node->inputs->size == 3")
    check.equal(len(node.operator.outputs), 1, "node->outputs->size", "1")
    activation = node.options.fused_activation_function
    if source.type == "FLOAT32":
        if output.type != "FLOAT32":
            return _types_differ(node)
        return _real(node, _Window(node), activation)
    requantization = convolution.populate(
        node,
        source,
        filters,
        output,
        channels=filters.shape[0],
        activation=activation_range.NONE if cmsis_nn else activation,
        bias=bias,
    )
    if source.type != output.type:
        return _types_differ(node)
    if source.type not in _LARGEST:
        return FailsAtInvoke(node, f"Type {named(source.type)} not supported.")
    if source.type == "INT16":
        if bias is None and cmsis_nn:
            node.refuse("TRANSPOSE_CONV: CMSIS-NN dereferences the bias, and there is none")
        if bias is not None and bias.type not in ("INT16", "INT64"):
            node.refuse(f"TRANSPOSE_CONV: TFLM reads the {bias.type} bias as INT64")
    return _quantized(node, _Window(node), requantization)


def _types_differ(node: Node) -> Eval:
    """TransposeConvEval's check of what Prepare did not look at."""
    source, output = node.input(_INPUT), node.output()
    reason = f"({named(source.type)}, {named(output.type)})"
    return FailsAtInvoke(node, f"transpose_conv.cc input->type != output->type {reason}")


def _check_scales(node: Node, check: Checks) -> None:
    filters = node.input(_WEIGHTS)
    affine = "kTfLiteAffineQuantization"
    check.equal(int(filters.quantization is not None), 1, "filter->quantization.type", affine)
    assert filters.quantization is not None
    check.true(
        filters.quantization.scale.size in (1, filters.shape[0]),
        "affine_quantization->scale->size == 1 || affine_quantization->scale->size == "
        "filter->dims->data[kTransposeConvQuantizedDimension]",
    )


class _Window:
    """Geometry of one transposed convolution, and its sums."""

    def __init__(self, node: Node) -> None:
        source, filters, output = node.input(_INPUT), node.input(_WEIGHTS), node.output()
        options = node.options
        self.stride = (options.stride_h, options.stride_w)
        self.kernel = (filters.shape[1], filters.shape[2])
        self.pad = padding.leading(
            options.padding,
            self.stride,
            (1, 1),
            (output.shape[1], output.shape[2]),
            self.kernel,
        )
        self.shape = output.shape
        self.channels = filters.shape[0]
        fits = (
            source.shape[0] == output.shape[0]
            and source.shape[3] == filters.shape[3]
            and output.shape[3] == self.channels
        )
        if not fits:
            node.refuse(
                f"TRANSPOSE_CONV: input {list(source.shape)}, filter {list(filters.shape)} and "
                f"output {list(output.shape)} do not fit together; TFLM would go beyond its "
                "tensors"
            )

    def sums(self, x: Array, zero_point: int, weights: Array, dtype: type[Any]) -> Array:
        """What every input pixel adds to the output, summed up.

        One row of the kernel and one block of input pixels at a time, so that neither the
        converted weights nor the products take much memory.

        Args:
            x: [batches, height, width, depth].
            zero_point: of `x`.
            weights: [channels, kernel height, kernel width, depth].
            dtype: in which the sums are exact (or float32).
        """
        sums = np.zeros(self.shape, dtype)
        width, terms = max(x.shape[2], 1), self.kernel[1] * self.channels
        block_bytes = min(BLOCK_BYTES, max(x.nbytes, weights.nbytes))
        block = max(block_bytes // max(terms * sums.itemsize, 1), 4)
        rows, columns = max(block // width, 1), min(block, width)
        for ky in range(self.kernel[0]):
            row = weights[:, ky].transpose(2, 1, 0).reshape(-1, terms)
            matrix = np.ascontiguousarray(row, dtype)
            for image, total in zip(x, sums, strict=True):
                for y, x0 in product(range(0, len(image), rows), range(0, width, columns)):
                    pixels = image[y : y + rows, x0 : x0 + columns].astype(dtype)
                    if zero_point:
                        pixels -= matrix.dtype.type(zero_point)
                    products = (pixels.reshape(-1, pixels.shape[2]) @ matrix).reshape(
                        *pixels.shape[:2], 1, self.kernel[1], self.channels
                    )
                    pad = (self.pad[0] - ky, self.pad[1] - x0 * self.stride[1])
                    compiled.scatter(products, y, self.stride, pad, total)
        return sums


def _quantized(node: Node, window: _Window, requantization: convolution.Requantization) -> Eval:
    source, filters, output = node.input(_INPUT), node.input(_WEIGHTS), node.output()
    bias = node.optional_input(_BIAS)
    narrow = source.type == "INT8"
    zero_point = source.zero_point if narrow else 0
    to_zero_point = requantization.zero_point if narrow else 0
    requantize = compiled.requantize if narrow else compiled.requantize_int64
    multiplier = requantization.multiplier
    bias_dtype: type[Any] = np.int32
    if not narrow:
        multiplier = reduce_multiplier(multiplier)
        bias_dtype = np.int16 if bias is not None and bias.type == "INT16" else np.int64
    channels, dtype, largest = window.channels, output.dtype, _LARGEST[source.type]

    def exact(w: Array) -> type[Any]:
        return exact_dtype(w.reshape(channels, -1), largest)

    fixed = None if filters.data is None else exact(filters.data)
    offsets = None
    if bias is None or bias.data is not None:
        constant = None if bias is None else bias.data
        offsets = convolution.bias_values(constant, bias_dtype, channels)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        weights = inputs[_WEIGHTS]
        added = offsets
        if added is None:
            added = convolution.bias_values(inputs[_BIAS], bias_dtype, channels)
        sums = window.sums(inputs[_INPUT], zero_point, weights, fixed or exact(weights))
        out = np.empty(window.shape, dtype)
        requantize(
            sums.reshape(-1, channels),
            added,
            multiplier,
            requantization.shift,
            to_zero_point,
            requantization.low,
            requantization.high,
            out.reshape(-1, channels),
        )
        return [out]

    return evaluate


def _real(node: Node, window: _Window, activation: int) -> Eval:
    """float32: products are summed over the input channels first, unlike TFLM's order."""
    bias = node.optional_input(_BIAS)
    low, high = activation_range.real(activation)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        out = window.sums(inputs[_INPUT], 0, inputs[_WEIGHTS], np.float32)
        if bias is not None:
            out += inputs[_BIAS].reshape(-1)
        return [np.clip(out, low, high, out=out)]

    return evaluate
