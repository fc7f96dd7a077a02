"""Convolutions, pooling and fully connected layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.property.instance import Fed, Instance, filled, given, quantized, single
from tests.property.strategies.binary import activation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.property.draw import Draw

    Strategy = Callable[[Draw], Instance]

#: Input, weights, and the bias types that go with them (None: no bias).
KINDS: tuple[tuple[str, str, tuple[str | None, ...]], ...] = (
    ("INT8", "INT8", ("INT32", None)),
    ("INT8", "INT4", ("INT32", None)),
    ("INT16", "INT8", ("INT64", "INT32", None)),
    ("FLOAT32", "FLOAT32", ("FLOAT32", None)),
)


def out_size(size: int, kernel: int, stride: int, dilation: int, padding: str) -> int:
    """ComputeOutSize of padding.h."""
    effective = (kernel - 1) * dilation + 1
    if padding == "SAME":
        return (size + stride - 1) // stride
    return (size + stride - effective) // stride


#: Clamps that hide how large a sum was, and so by how much its rounding may differ.
NARROW = ("RELU6", "RELU_N1_TO_1")


def weights(
    d: Draw,
    shape: Sequence[int],
    type_: str,
    channels: int,
    axis: int,
    *,
    per_tensor: int = 30,
    exact: bool = False,
) -> Fed:
    """A filter, mostly constant, with one scale a channel or one in all."""
    tensor = Fed(list(shape), type_)
    if type_ != "FLOAT32":
        one = d.chance(per_tensor)
        base = d.scale(-10, -3)
        scales = [base if i == 0 else d.near(base, -3, 3) for i in range(1 if one else channels)]
        if not one and d.chance(4):
            scales[d.integer(0, channels - 1)] = 0.0
        if not one and d.chance(2):
            scales.append(base)  # one too many
        if not one and d.chance(2):
            axis = d.integer(0, len(shape) - 1)
        tensor.scale, tensor.zero_point, tensor.quantized_dimension = scales, 0, axis
    constant = 100 if type_ == "INT4" else 85
    return filled(d, tensor, constant=constant, exact=exact)


def bias(
    d: Draw, type_: str | None, channels: int, x: Fed, w: Fed, *, exact: bool = False
) -> list[Fed | None]:
    """The bias input as a list: present, given as absent (-1), or not there."""
    if type_ is None:
        return [None] if d.integer(0, 1) else []
    tensor = Fed([channels], type_)
    if type_ == "FLOAT32":
        return [filled(d, tensor, constant=85, exact=exact)]
    tensor.scale = [x.largest_scale * float(s) for s in np.atleast_1d(w.scale or 1.0)]
    if type_ == "INT16":
        return [filled(d, tensor, constant=85)]
    limit = 2 ** (36 if type_ == "INT64" else d.choice((12, 20, 28)))
    return [filled(d, tensor, constant=85, low=-limit, high=limit)]


def output(d: Draw, shape: Sequence[int], x: Fed, w: Fed) -> Fed:
    """An output whose multipliers are mostly below one."""
    if x.type == "FLOAT32":
        return Fed(list(shape), "FLOAT32")
    product = x.largest_scale * w.largest_scale
    product = product or 1.0
    low, high = (-2, 1) if d.chance(10) else (1, 12)
    return quantized(d, shape, str(x.type), scale=d.near(product, low, high))


def _window(d: Draw, *, dilation: int = 3) -> tuple[dict[str, Any], list[int], list[int]]:
    """Options, kernel and input size (height and width) with an output that is not empty."""
    padding = d.choice(("SAME", "VALID"))
    large = d.chance(6)
    kernel = [d.integer(1, 7 if large else 4), d.integer(1, 4)]
    stride = [d.integer(1, 5 if large else 3), d.integer(1, 3)]
    dilations = [d.integer(1, dilation) if d.chance(25) else 1 for _ in range(2)]
    size = [
        d.integer(1 if padding == "SAME" else (k - 1) * n + 1, 28 if large else 9)
        for k, n in zip(kernel, dilations, strict=True)
    ]
    options = {
        "padding": padding,
        "stride_h": stride[0],
        "stride_w": stride[1],
        "fused_activation_function": activation(d),
        "dilation_h_factor": dilations[0],
        "dilation_w_factor": dilations[1],
    }
    return options, kernel, size


def _result(options: dict[str, Any], kernel: list[int], size: list[int]) -> list[int]:
    names = (("stride_h", "dilation_h_factor"), ("stride_w", "dilation_w_factor"))
    return [
        out_size(n, k, options[s], options.get(f, 1), options["padding"])
        for n, k, (s, f) in zip(size, kernel, names, strict=True)
    ]


def _depth(d: Draw) -> int:
    """Channels: few, or enough for sums that single precision cannot hold exactly."""
    return d.choice((33, 64, 130, 300)) if d.chance(6) else d.integer(1, 5)


def conv(d: Draw) -> Instance:
    """CONV_2D: groups, per-channel scales, int4 weights, no bias."""
    in_type, w_type, biases = d.choice(KINDS)
    options, kernel, size = _window(d)
    groups = d.integer(2, 3) if d.chance(20) else 1
    depth, channels = _depth(d), groups * d.integer(1, 5 if groups == 1 else 2)
    batch = d.integer(1, 2)
    exact = options["fused_activation_function"] in NARROW
    x = quantized(d, [batch, *size, depth * groups], in_type, scale=d.scale(-9, 1))
    x = filled(d, x, constant=5, exact=exact)
    w = weights(d, [channels, *kernel, depth], w_type, channels, 0, exact=exact)
    chosen = d.choice(biases)
    if in_type == "INT16" and chosen is None and d.integer(0, 1):
        options["quantized_bias_type"] = d.choice(("INT64", "INT32"))
    y = output(d, [batch, *_result(options, kernel, size), channels], x, w)
    return single(d, "CONV_2D", [x, w, *bias(d, chosen, channels, x, w, exact=exact)], [y], options)


def depthwise_conv(d: Draw) -> Instance:
    """DEPTHWISE_CONV_2D: multipliers of one to three."""
    in_type, w_type, biases = d.choice(KINDS)
    options, kernel, size = _window(d)
    depth, multiplier = _depth(d), d.integer(1, 3)
    batch, channels = d.integer(1, 2), depth * multiplier
    options["depth_multiplier"] = multiplier
    exact = options["fused_activation_function"] in NARROW
    x = quantized(d, [batch, *size, depth], in_type, scale=d.scale(-9, 1))
    x = filled(d, x, constant=5, exact=exact)
    w = weights(d, [1, *kernel, channels], w_type, channels, 3, exact=exact)
    y = output(d, [batch, *_result(options, kernel, size), channels], x, w)
    if in_type == "INT16":
        biases = ("INT64", None)  # an int32 one is read as int64, beyond its end
    b = bias(d, d.choice(biases), channels, x, w, exact=exact)
    if b == [None] and not d.chance(3):
        b = []  # TFLM's process ends on a third input of -1
    inputs = [x, w, *b]
    return single(d, "DEPTHWISE_CONV_2D", inputs, [y], options, breakable=in_type != "INT16")


def transpose_conv(d: Draw) -> Instance:
    """TRANSPOSE_CONV: the output's size is what SAME or VALID could have come from."""
    in_type = d.choice(("INT8", "INT16", "FLOAT32"))
    padding = d.choice(("SAME", "VALID"))
    kernel, stride = [d.integer(1, 4) for _ in "hw"], [d.integer(1, 3) for _ in "hw"]
    size, batch = [d.integer(1, 5) for _ in "hw"], d.integer(1, 2)
    depth, channels = _depth(d), d.integer(1, 4)
    out = [
        (n - 1) * s + (d.integer(1, s) if padding == "SAME" else k + d.integer(0, s - 1))
        for n, s, k in zip(size, stride, kernel, strict=True)
    ]
    function = activation(d)
    exact = function in NARROW
    x = quantized(d, [batch, *size, depth], in_type, scale=d.scale(-9, 1))
    x = filled(d, x, constant=5, exact=exact)
    w_type = "INT8" if in_type == "INT16" else in_type
    w = weights(d, [channels, *kernel, depth], w_type, channels, 0, exact=exact)
    types = {"INT8": ("INT32", None), "INT16": ("INT64", "INT16", None)}.get(
        in_type, ("FLOAT32", None)
    )
    b = bias(d, d.choice(types), channels, x, w, exact=exact)
    shape = [batch, *out, channels]
    options = {
        "padding": padding,
        "stride_h": stride[0],
        "stride_w": stride[1],
        "fused_activation_function": function,
    }
    inputs = [given(d, shape), w, x, *b]
    y = output(d, shape, x, w)
    return single(d, "TRANSPOSE_CONV", inputs, [y], options, breakable=False)


def _pool(code: str, types: tuple[str, ...]) -> Strategy:
    def strategy(d: Draw) -> Instance:
        type_ = d.choice(types)
        options, kernel, size = _window(d, dilation=1)
        options = {k: v for k, v in options.items() if "dilation" not in k}
        options |= {"filter_height": kernel[0], "filter_width": kernel[1]}
        batch, depth = d.integer(1, 2), d.integer(1, 5)
        x = quantized(d, [batch, *size, depth], type_)
        out = [batch, *_result(options, kernel, size), depth]
        y = Fed(out, type_, scale=x.scale, zero_point=x.zero_point)
        exact = options["fused_activation_function"] in NARROW and code == "AVERAGE_POOL_2D"
        special = code == "MAX_POOL_2D"
        x = filled(d, x, constant=10, exact=exact, special=special)
        return single(d, code, [x], [y], options)

    return strategy


average_pool = _pool("AVERAGE_POOL_2D", ("INT8", "INT16", "FLOAT32"))
max_pool = _pool("MAX_POOL_2D", ("INT8", "INT16", "FLOAT32"))
l2_pool = _pool("L2_POOL_2D", ("FLOAT32",))


def fully_connected(d: Draw) -> Instance:
    """FULLY_CONNECTED: input of any rank, per-tensor or per-channel, int4 weights, no bias."""
    in_type, w_type, biases = d.choice(KINDS)
    batch, depth, units = d.integer(1, 4), d.integer(1, 9), d.integer(1, 6)
    if d.chance(8):
        depth, units = d.choice((64, 257, 1030, 2100)), d.choice((1, 3, 16, 40))
    leading = d.choice(([batch], [1, batch], [batch, 1, 1]))
    function = activation(d)
    exact = function in NARROW
    x = quantized(d, [*leading, depth], in_type, scale=d.scale(-9, 1))
    x = filled(d, x, constant=5, exact=exact)
    # TFLM takes one scale for all where weights are int4.
    one = 100 if w_type == "INT4" else 50
    w = weights(d, [units, depth], w_type, units, 0, per_tensor=one, exact=exact)
    keep = bool(d.integer(0, 1))
    y = output(d, [*leading, units] if keep else [batch, units], x, w)
    options: dict[str, Any] = {
        "fused_activation_function": function,
        "keep_num_dims": keep,
    }
    chosen = d.choice(biases)
    if in_type == "INT16" and chosen is None and d.integer(0, 1):
        options["quantized_bias_type"] = d.choice(("INT64", "INT32"))
    return single(
        d, "FULLY_CONNECTED", [x, w, *bias(d, chosen, units, x, w, exact=exact)], [y], options
    )


def batch_matmul(d: Draw) -> Instance:
    """BATCH_MATMUL: ranks 2 to 5, batches that broadcast, either side transposed."""
    type_ = d.choice(("INT8", "INT16", "FLOAT32"))
    rows, depth, columns = d.integer(1, 5), d.integer(1, 6), d.integer(1, 5)
    depth = d.choice((64, 1030)) if d.chance(5) else depth
    left, right, out = d.broadcast(3)
    most = max(len(left), len(right))
    adj_x, adj_y = bool(d.integer(0, 1)), bool(d.integer(0, 1))
    a_shape = [*left, depth, rows] if adj_x else [*left, rows, depth]
    b_shape = [*right, columns, depth] if adj_y else [*right, depth, columns]
    a = filled(d, quantized(d, a_shape, type_, scale=d.scale(-9, 1)), constant=15)
    b = filled(d, quantized(d, b_shape, type_, scale=d.scale(-9, -2)), constant=40)
    y = output(d, [*out[:most], rows, columns], a, b)
    options = {"adj_x": adj_x, "adj_y": adj_y}
    return single(d, "BATCH_MATMUL", [a, b], [y], options)
