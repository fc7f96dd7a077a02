"""CONV_2D: micro/kernels/conv.cc, conv_common.cc; reference/integer_ops/conv.h, reference/conv.h.

int8 with int8 or int4 weights, int16 with int8 weights, float32; per channel and per tensor,
dilated, grouped. The filter's zero point is never read. int16 ignores its zero points, and an
int16 convolution with an int64 bias, or none, rounds otherwise than one with an int32 bias.

Windows become rows of a matrix (in blocks, so that memory stays small), the products are exact
in floating point, and one pass turns them into output values.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import compiled
from pyref.exact_matmul import ExactWeights
from pyref.fixedpoint import reduce_multiplier
from pyref.operators import activation_range, convolution, padding
from pyref.operators.checks import Checks, FailsAtInvoke, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

#: Bytes of windows that are laid out as a matrix at a time, if the largest tensor has as many:
#: they stay in the second-level cache.
BLOCK_BYTES = 128 * 1024

_WEIGHTS = {"FLOAT32": ("FLOAT32",), "INT16": ("INT8",), "INT8": ("INT8", "INT4")}
_LARGEST = {"INT8": 128, "INT16": 32768}


def prepare(node: Node) -> Eval:
    """ConvPrepare and ConvEval of conv_common.cc and conv.cc (or their CMSIS-NN versions)."""
    cmsis_nn = node.kernels == "cmsis_nn"
    check = Checks(node, "conv.cc" if cmsis_nn else "conv_common.cc")
    source, filters, output = node.input(0), node.input(1), node.output()
    bias = node.optional_input(2)
    check.equal(source.type, output.type, "input->type", "output->type")
    check.message(
        filters.type in _WEIGHTS.get(source.type, ()),
        "Hybrid models are not supported on TFLite Micro.",
    )
    convolution.same_rank_4(node, source, filters, output)
    if source.type != "FLOAT32":
        _check_scales(check, filters)
    has_bias = len(node.operator.inputs) == 3
    check.true(has_bias or len(node.operator.inputs) == 2, "has_bias || node->inputs->size == 2")
    check.equal(len(node.operator.outputs), 1, "node->outputs->size", "1")
    window = _Window(node)
    if source.type == "FLOAT32":
        convolution.check_bias(node, bias, "FLOAT32", window.channels)
        return _real(node, window)
    requantization = convolution.populate(
        node,
        source,
        filters,
        output,
        channels=window.channels,
        activation=node.options.fused_activation_function,
    )
    if source.type == "INT8":
        convolution.check_bias(node, bias, "INT32", window.channels)
        return _quantized(node, window, requantization, int32_accumulator=True)
    if bias is not None and bias.type not in ("INT32", "INT64"):
        return FailsAtInvoke(node, f"Bias type {named(bias.type)} not supported.")
    int32_accumulator = convolution.needs_int32_accumulator(node, bias)
    if cmsis_nn:
        check.equal(source.zero_point, 0, "input->params.zero_point", "0")
        check.equal(output.zero_point, 0, "output->params.zero_point", "0")
        # cmsis_nn/conv.cc: a missing bias counts as an int32 one.
        int32_accumulator = int32_accumulator or bias is None
    return _quantized(node, window, requantization, int32_accumulator=int32_accumulator)


def _check_scales(check: Checks, filters: Tensor) -> None:
    check.equal(
        int(filters.quantization is not None),
        1,
        "filter->quantization.type",
        "kTfLiteAffineQuantization",
    )
    assert filters.quantization is not None
    check.true(
        filters.quantization.scale.size in (1, filters.shape[0]),
        "affine_quantization->scale->size == 1 || affine_quantization->scale->size == "
        "filter->dims->data[kConvQuantizedDimension]",
    )


class _Window:
    """Geometry of one convolution, and the products of its windows with a matrix."""

    def __init__(self, node: Node) -> None:
        source, filters, output = node.input(0), node.input(1), node.output()
        options = node.options
        self.stride = (options.stride_h, options.stride_w)
        self.dilation = (options.dilation_h_factor, options.dilation_w_factor)
        self.channels, *kernel, self.depth = filters.shape
        self.kernel = (kernel[0], kernel[1])
        self.pad = padding.leading(
            options.padding,
            self.stride,
            self.dilation,
            (source.shape[1], source.shape[2]),
            self.kernel,
        )
        self.terms = kernel[0] * kernel[1] * self.depth
        self.shape = output.shape
        self.rows = output.shape[1] * output.shape[2]
        self.groups = source.shape[3] // self.depth if self.depth else 0
        fits = (
            self.groups > 0
            and source.shape[3] % self.depth == 0
            and self.channels % self.groups == 0
            and output.shape[3] == self.channels
            and output.shape[0] == source.shape[0]
        )
        if not fits:
            node.refuse(
                f"CONV_2D: input {list(source.shape)}, filter {list(filters.shape)} and output "
                f"{list(output.shape)} do not fit together; TFLM would go beyond its tensors"
            )
        self.pointwise = (
            self.kernel == self.stride == (1, 1)
            and self.pad == (0, 0)
            and source.shape[1:3] == output.shape[1:3]
            and self.groups == 1
        )

    def blocks(
        self,
        x: Array,
        products: Sequence[Callable[[Array], Array]],
        *,
        dtype: type[Any],
        pad_value: int,
        finish: Callable[[Array, Array], None],
        out: Array,
    ) -> None:
        """Multiplies all windows of `x`, block by block, and lets `finish` write `out`.

        Args:
            x: [batches, height, width, channels].
            products: for each group, rows [n, terms] to sums [n, channels of the group].
            dtype: of the rows.
            pad_value: of `x` outside the image.
            finish: takes sums [n, channels] and where they belong.
            out: [batches * rows, channels].
        """
        block_bytes = min(BLOCK_BYTES, max(x.nbytes, out.nbytes, self.terms * self.channels))
        block = max(block_bytes // (self.terms * np.dtype(dtype).itemsize), 4)
        if self.pointwise:
            flat = x.reshape(-1, self.depth)
            for first in range(0, len(flat), block):
                rows = slice(first, first + block)
                finish(products[0](flat[rows].astype(dtype)), out[rows])
            return
        for batch, image in enumerate(x):
            parts = [image] if self.groups == 1 else np.split(image, self.groups, axis=2)
            parts = [np.ascontiguousarray(part) for part in parts]
            for first in range(0, self.rows, block):
                count = min(block, self.rows - first)
                columns = np.empty((count, self.terms), dtype)
                sums = []
                for part, product in zip(parts, products, strict=True):
                    self._lay_out(part, pad_value, first, columns)
                    sums.append(product(columns))
                start = batch * self.rows + first
                together = sums[0] if self.groups == 1 else np.concatenate(sums, axis=1)
                finish(together, out[start : start + count])

    def _lay_out(self, image: Array, pad_value: int, first: int, columns: Array) -> None:
        compiled.im2col(
            image,
            pad_value,
            self.kernel,
            self.stride,
            self.dilation,
            self.pad,
            self.shape[2],
            first,
            columns,
        )


def _quantized(
    node: Node,
    window: _Window,
    requantization: convolution.Requantization,
    *,
    int32_accumulator: bool,
) -> Eval:
    source, filters, output = node.input(0), node.input(1), node.output()
    bias = node.optional_input(2)
    zero_point = source.zero_point if source.type == "INT8" else 0
    to_zero_point = requantization.zero_point if source.type == "INT8" else 0
    largest = max(_LARGEST[source.type], abs(zero_point))
    bias_dtype = np.int32 if int32_accumulator else np.int64
    requantize = compiled.requantize if int32_accumulator else compiled.requantize_int64
    multiplier = requantization.multiplier
    if not int32_accumulator:
        multiplier = reduce_multiplier(multiplier)

    def pack(w: Array, b: Array | None) -> tuple[list[ExactWeights], Any]:
        flat = w.reshape(window.channels, window.terms)
        groups = [ExactWeights(part, largest) for part in np.split(flat, window.groups)]
        # What the zero point adds to every sum goes into the bias.
        sums = flat.sum(axis=1, dtype=np.int64)
        offsets = convolution.bias_values(b, bias_dtype, window.channels) - zero_point * sums
        return groups, offsets

    fixed = None
    if filters.data is not None and (bias is None or bias.data is not None):
        fixed = pack(filters.data, None if bias is None else bias.data)
    dtype = output.dtype

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        groups, offsets = fixed or pack(inputs[1], inputs[2] if bias is not None else None)

        def finish(sums: Array, out: Array) -> None:
            requantize(
                sums,
                offsets,
                multiplier,
                requantization.shift,
                to_zero_point,
                requantization.low,
                requantization.high,
                out,
            )

        out = np.empty((window.shape[0] * window.rows, window.channels), dtype)
        wide = max((g.dtype for g in groups), key=lambda d: np.dtype(d).itemsize)
        window.blocks(
            inputs[0],
            [partial(_multiply, group.matrix()) for group in groups],
            dtype=wide,
            pad_value=zero_point,
            finish=finish,
            out=out,
        )
        return [out.reshape(window.shape)]

    return evaluate


def _real(node: Node, window: _Window) -> Eval:
    """float32: sums in BLAS's order, not TFLM's, so the last bits may differ."""
    bias = node.optional_input(2)
    low, high = activation_range.real(node.options.fused_activation_function)

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        flat = inputs[1].reshape(window.channels, window.terms)
        b = np.float32(0) if bias is None else convolution.real_bias(inputs[2], window.channels)

        def finish(sums: Array, out: Array) -> None:
            np.add(sums, b, out=out)
            np.clip(out, low, high, out=out)

        out = np.empty((window.shape[0] * window.rows, window.channels), np.float32)
        products = [partial(_multiply, part.T) for part in np.split(flat, window.groups)]
        window.blocks(inputs[0], products, dtype=np.float32, pad_value=0, finish=finish, out=out)
        return [out.reshape(window.shape)]

    return evaluate


def _multiply(matrix: Array, rows: Array) -> Array:
    product: Array = rows @ matrix
    return product
