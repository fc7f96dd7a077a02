"""Small models, at least one for each operator that TFLM registers, for the arena's tests.

`CASES` maps a readable name to a function that builds the model; figures.json holds what TFLM
itself does with each of them on a Cortex-M7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from flatbuffers import flexbuffers

from fixtures.writer import Model, Operator, SubGraph, Tensor, build, one_operator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def q(shape: Sequence[int], kind: str = "INT8", scale: Any = 0.5, zero: Any = 0) -> Tensor:
    """A quantised tensor of the arena."""
    return Tensor(list(shape), type=kind, scale=scale, zero_point=zero)


def f(shape: Sequence[int]) -> Tensor:
    """A float tensor of the arena."""
    return Tensor(list(shape), type="FLOAT32")


def raw(shape: Sequence[int], kind: str) -> Tensor:
    """A tensor without quantisation."""
    return Tensor(list(shape), type=kind, scale=None)


def const(
    shape: Sequence[int], dtype: Any = np.int8, scale: Any = 0.5, fill: int = 1, **more: Any
) -> Tensor:
    """A constant."""
    data = np.full(shape, fill, dtype)
    return Tensor(data=data, scale=scale, **more)


def ints(*values: int) -> Tensor:
    """A constant int32 vector without quantisation."""
    return Tensor(data=np.array(values, np.int32), scale=None)


def flex(**options: Any) -> bytes:
    """Custom options as a flexbuffer map."""
    return bytes(flexbuffers.Dumps(options))


def one(
    code: str,
    inputs: Sequence[Tensor | None],
    outputs: Sequence[Tensor],
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Callable[[], bytes]:
    """A model of one builtin operator."""
    return lambda: build(one_operator(code, inputs, outputs, options, **more))


def custom(
    name: str, inputs: Sequence[Tensor | None], outputs: Sequence[Tensor], options: bytes
) -> Callable[[], bytes]:
    """A model of one custom operator."""
    return one("CUSTOM", inputs, outputs, custom_code=name, custom_options=options)


CASES: dict[str, Callable[[], bytes]] = {}


def _elementwise() -> None:
    for op in ("ABS", "RSQRT"):
        CASES[f"{op}-int8"] = one(op, [q([2, 3])], [q([2, 3])])
        CASES[f"{op}-float"] = one(op, [f([2, 3])], [f([2, 3])])
    for op in ("SIN", "COS", "LOG", "SQRT", "SQUARE", "CEIL", "FLOOR", "ROUND", "EXP", "NEG"):
        CASES[f"{op}-float"] = one(op, [f([5])], [f([5])])
    for op in ("RELU", "RELU6", "LOGISTIC", "TANH", "HARD_SWISH", "ELU"):
        scale = {"LOGISTIC": (1 / 256, -128), "TANH": (1 / 128, 0)}.get(op, (0.5, 0))
        CASES[f"{op}-int8"] = one(op, [q([3, 5])], [q([3, 5], scale=scale[0], zero=scale[1])])
        CASES[f"{op}-float"] = one(op, [f([3, 5])], [f([3, 5])])
    CASES["TANH-int16"] = one("TANH", [q([6], "INT16", 2**-12)], [q([6], "INT16", 2**-15)])
    CASES["LOGISTIC-int16"] = one("LOGISTIC", [q([6], "INT16", 2**-12)], [q([6], "INT16", 2**-15)])
    CASES["LEAKY_RELU-int8"] = one("LEAKY_RELU", [q([7])], [q([7])], {"alpha": 0.1})
    CASES["PRELU-int8"] = one("PRELU", [q([1, 2, 2, 3]), const([1, 1, 3])], [q([1, 2, 2, 3])])
    CASES["PRELU-float"] = one(
        "PRELU", [f([1, 2, 2, 3]), const([1, 1, 3], np.float32, None)], [f([1, 2, 2, 3])]
    )
    for op in ("ADD", "SUB", "MUL", "DIV", "SQUARED_DIFFERENCE"):
        options = {} if op != "SQUARED_DIFFERENCE" else None
        CASES[f"{op}-int8"] = one(op, [q([2, 5]), q([2, 5], scale=0.25)], [q([2, 5])], options)
        CASES[f"{op}-broadcast"] = one(op, [q([2, 5]), q([1, 1])], [q([2, 5])], options)
        CASES[f"{op}-float"] = one(op, [f([2, 5]), f([2, 5])], [f([2, 5])], options)
    for op in ("ADD", "SUB", "MUL"):
        CASES[f"{op}-int16"] = one(
            op, [q([2, 5], "INT16"), q([2, 5], "INT16")], [q([2, 5], "INT16")], {}
        )
    for op in ("MAXIMUM", "MINIMUM"):
        CASES[f"{op}-int8"] = one(op, [q([2, 5]), q([2, 5])], [q([2, 5])], {})
        CASES[f"{op}-float"] = one(op, [f([2, 5]), f([2, 5])], [f([2, 5])], {})
    for op in ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"):
        CASES[f"{op}-int8"] = one(op, [q([3]), q([3])], [raw([3], "BOOL")])
        CASES[f"{op}-float"] = one(op, [f([3]), f([3])], [raw([3], "BOOL")])
    for op in ("LOGICAL_AND", "LOGICAL_OR"):
        CASES[op] = one(op, [raw([3], "BOOL"), raw([3], "BOOL")], [raw([3], "BOOL")])
    CASES["LOGICAL_NOT"] = one("LOGICAL_NOT", [raw([3], "BOOL")], [raw([3], "BOOL")])
    for op in ("FLOOR_DIV", "FLOOR_MOD"):
        CASES[op] = one(op, [f([4]), f([4])], [f([4])])
    CASES["SELECT_V2-int8"] = one("SELECT_V2", [raw([4], "BOOL"), q([4]), q([4])], [q([4])])
    CASES["ZEROS_LIKE"] = one("ZEROS_LIKE", [f([4])], [f([4])])
    CASES["ADD_N-int8"] = one("ADD_N", [q([4]), q([4]), q([4])], [q([4])])
    CASES["ADD_N-float"] = one("ADD_N", [f([4]), f([4])], [f([4])])
    CASES["CUMSUM-int8"] = one("CUMSUM", [q([2, 3]), ints(1)], [q([2, 3])], {})
    CASES["CUMSUM-float"] = one("CUMSUM", [f([2, 3]), ints(1)], [f([2, 3])], {})
    CASES["CAST"] = one("CAST", [q([6])], [f([6])], {})
    CASES["DEQUANTIZE-int8"] = one("DEQUANTIZE", [q([6])], [f([6])])
    CASES["QUANTIZE-float"] = one("QUANTIZE", [f([6])], [q([6])])
    CASES["QUANTIZE-int16_to_int8"] = one("QUANTIZE", [q([6], "INT16")], [q([6])])


def _shape_operators() -> None:
    CASES["RESHAPE-int8"] = one(
        "RESHAPE", [q([2, 6]), ints(3, 4)], [q([3, 4])], {"new_shape": [3, 4]}
    )
    CASES["RESHAPE-one_input"] = one("RESHAPE", [q([2, 6])], [q([12])], {"new_shape": [12]})
    CASES["SQUEEZE"] = one("SQUEEZE", [q([1, 3, 1])], [q([3])], {"squeeze_dims": [0, 2]})
    CASES["EXPAND_DIMS"] = one("EXPAND_DIMS", [q([3]), ints(0)], [q([1, 3])], {})
    CASES["SHAPE"] = one("SHAPE", [q([3, 4])], [raw([2], "INT32")], {"out_type": "INT32"})
    CASES["TRANSPOSE"] = one("TRANSPOSE", [q([2, 3]), ints(1, 0)], [q([3, 2])], {})
    CASES["PACK"] = one("PACK", [q([3]), q([3])], [q([2, 3])], {"values_count": 2, "axis": 0})
    CASES["UNPACK"] = one("UNPACK", [q([2, 3])], [q([3]), q([3])], {"num": 2, "axis": 0})
    CASES["SPLIT"] = one("SPLIT", [ints(1), q([2, 4])], [q([2, 2]), q([2, 2])], {"num_splits": 2})
    CASES["SPLIT_V"] = one(
        "SPLIT_V", [q([2, 5]), ints(2, 3), ints(1)], [q([2, 2]), q([2, 3])], {"num_splits": 2}
    )
    CASES["SLICE"] = one("SLICE", [q([2, 5]), ints(0, 1), ints(2, 3)], [q([2, 3])], {})
    CASES["STRIDED_SLICE"] = one(
        "STRIDED_SLICE", [q([2, 5]), ints(0, 1), ints(2, 4), ints(1, 1)], [q([2, 3])], {}
    )
    CASES["REVERSE_V2"] = one("REVERSE_V2", [q([2, 5]), ints(1)], [q([2, 5])], {})
    CASES["FILL"] = one("FILL", [ints(2, 3), raw([], "FLOAT32")], [f([2, 3])], {})
    CASES["BROADCAST_TO"] = one("BROADCAST_TO", [f([1, 3]), ints(2, 3)], [f([2, 3])], {})
    CASES["BROADCAST_ARGS"] = one(
        "BROADCAST_ARGS", [raw([2], "INT32"), raw([2], "INT32")], [raw([2], "INT32")]
    )
    CASES["DEPTH_TO_SPACE"] = one(
        "DEPTH_TO_SPACE", [q([1, 2, 2, 4])], [q([1, 4, 4, 1])], {"block_size": 2}
    )
    CASES["SPACE_TO_DEPTH"] = one(
        "SPACE_TO_DEPTH", [q([1, 4, 4, 1])], [q([1, 2, 2, 4])], {"block_size": 2}
    )
    crops = Tensor(data=np.zeros((2, 2), np.int32), scale=None)
    CASES["SPACE_TO_BATCH_ND"] = one(
        "SPACE_TO_BATCH_ND", [q([1, 4, 4, 1]), ints(2, 2), crops], [q([4, 2, 2, 1])], {}
    )
    CASES["BATCH_TO_SPACE_ND"] = one(
        "BATCH_TO_SPACE_ND", [q([4, 2, 2, 1]), ints(2, 2), crops], [q([1, 4, 4, 1])], {}
    )
    pads = Tensor(data=np.array([[0, 0], [1, 1], [1, 1], [0, 0]], np.int32), scale=None)
    CASES["PAD"] = one("PAD", [q([1, 2, 2, 3]), pads], [q([1, 4, 4, 3])], {})
    CASES["PADV2"] = one("PADV2", [q([1, 2, 2, 3]), pads, const([1])], [q([1, 4, 4, 3])], {})
    CASES["MIRROR_PAD"] = one(
        "MIRROR_PAD", [q([1, 2, 2, 3]), pads], [q([1, 4, 4, 3])], {"mode": "REFLECT"}
    )
    CASES["CONCATENATION-int8"] = one(
        "CONCATENATION", [q([2, 2]), q([2, 3]), q([2, 1])], [q([2, 6])], {"axis": 1}
    )
    CASES["CONCATENATION-float"] = one(
        "CONCATENATION", [f([2, 2]), f([2, 3])], [f([2, 5])], {"axis": 1}
    )
    CASES["GATHER"] = one("GATHER", [q([4, 3]), raw([2], "INT32")], [q([2, 3])], {"axis": 0})
    CASES["GATHER-axis1"] = one(
        "GATHER", [q([2, 4, 3]), raw([2, 2], "INT32")], [q([2, 2, 2, 3])], {"axis": 1}
    )
    CASES["GATHER-batch_dims"] = one(
        "GATHER",
        [q([2, 4, 3]), raw([2, 2], "INT32")],
        [q([2, 2, 3])],
        {"axis": 1, "batch_dims": 1},
    )
    CASES["GATHER_ND"] = one("GATHER_ND", [q([4, 3]), raw([2, 1], "INT32")], [q([2, 3])], {})
    CASES["EMBEDDING_LOOKUP"] = one(
        "EMBEDDING_LOOKUP", [raw([3], "INT32"), const([5, 4], np.float32, None)], [f([3, 4])]
    )
    for op in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"):
        CASES[f"{op}-int8"] = one(op, [q([1, 2, 2, 3]), ints(4, 4)], [q([1, 4, 4, 3])], {})
    CASES["DYNAMIC_UPDATE_SLICE"] = one(
        "DYNAMIC_UPDATE_SLICE", [q([4, 3]), q([2, 3]), ints(0, 0)], [q([4, 3])]
    )
    for op in ("ARG_MAX", "ARG_MIN"):
        CASES[op] = one(op, [q([2, 5]), ints(1)], [raw([2], "INT32")], {"output_type": "INT32"})


def _reductions() -> None:
    for op in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"):
        CASES[f"{op}-int8"] = one(
            op, [q([1, 4, 5, 3]), ints(1, 2)], [q([1, 3], scale=0.25)], {"keep_dims": False}
        )
        CASES[f"{op}-float"] = one(
            op, [f([1, 4, 5, 3]), ints(1, 2)], [f([1, 1, 1, 3])], {"keep_dims": True}
        )
    for op in ("MEAN", "SUM"):
        CASES[f"{op}-int16"] = one(
            op, [q([2, 7], "INT16"), ints(1)], [q([2, 1], "INT16")], {"keep_dims": True}
        )
    CASES["REDUCE_ALL"] = one(
        "REDUCE_ALL", [raw([2, 3], "BOOL"), ints(1)], [raw([2], "BOOL")], {"keep_dims": False}
    )
    for op in ("SOFTMAX", "LOG_SOFTMAX"):
        options = {"beta": 1.0} if op == "SOFTMAX" else {}
        out = (1 / 256, -128) if op == "SOFTMAX" else (16 / 256, 127)
        CASES[f"{op}-int8"] = one(op, [q([2, 7])], [q([2, 7], scale=out[0], zero=out[1])], options)
        CASES[f"{op}-float"] = one(op, [f([2, 7])], [f([2, 7])], options)
    CASES["SOFTMAX-int16"] = one(
        "SOFTMAX", [q([2, 7], "INT16")], [q([2, 7], "INT16", 1 / 32768)], {"beta": 1.0}
    )
    CASES["SOFTMAX-int8_to_int16"] = one(
        "SOFTMAX", [q([2, 7])], [q([2, 7], "INT16", 1 / 65536, -32768)], {"beta": 1.0}
    )
    CASES["L2_NORMALIZATION-int8"] = one(
        "L2_NORMALIZATION", [q([2, 7])], [q([2, 7], scale=1 / 128)], {}
    )
    CASES["L2_NORMALIZATION-float"] = one("L2_NORMALIZATION", [f([2, 7])], [f([2, 7])], {})
    pool = {"padding": "VALID", "stride_w": 2, "stride_h": 2, "filter_width": 2, "filter_height": 2}
    CASES["L2_POOL_2D"] = one("L2_POOL_2D", [f([1, 4, 4, 3])], [f([1, 2, 2, 3])], pool)
    for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
        CASES[f"{op}-int8"] = one(op, [q([1, 4, 4, 5])], [q([1, 2, 2, 5])], pool)
        CASES[f"{op}-int16"] = one(op, [q([1, 4, 4, 5], "INT16")], [q([1, 2, 2, 5], "INT16")], pool)
        CASES[f"{op}-float"] = one(op, [f([1, 4, 4, 5])], [f([1, 2, 2, 5])], pool)


def conv_case(
    shape: Sequence[int],
    kernel: Sequence[int],
    out: Sequence[int],
    *,
    kind: str = "int8",
    bias: bool = True,
    stride: int = 1,
    dilation: int = 1,
    padding: str = "SAME",
    depthwise: bool = False,
    per_tensor: bool = False,
) -> Callable[[], bytes]:
    """A convolution; `kernel` is OHWI, or 1HWO for a depthwise one."""
    channels = kernel[3] if depthwise else kernel[0]
    axis = 3 if depthwise else 0
    scales = 0.1 if per_tensor else [0.1] * channels
    zeros = 0 if per_tensor else [0] * channels
    inputs: list[Tensor | None]
    if kind == "float":
        inputs = [f(shape), const(kernel, np.float32, None), const([channels], np.float32, None)]
        output = f(out)
    else:
        act = "INT16" if kind.startswith("int16") else "INT8"
        bias_type = np.int64 if kind == "int16" else np.int32
        weights = const(kernel, np.int8, scales, zero_point=zeros, quantized_dimension=axis)
        if kind == "int4":
            weights.type = "INT4"
        inputs = [
            q(shape, act, 0.5),
            weights,
            const([channels], bias_type, scales, zero_point=zeros),
        ]
        output = q(out, act, 0.25)
    if not bias:
        inputs = inputs[:2]
    options = {
        "padding": padding,
        "stride_w": stride,
        "stride_h": stride,
        "dilation_w_factor": dilation,
        "dilation_h_factor": dilation,
    }
    if depthwise:
        options["depth_multiplier"] = channels // shape[3]
        return one("DEPTHWISE_CONV_2D", inputs, [output], options)
    return one("CONV_2D", inputs, [output], options)


def _convolutions() -> None:
    for kind in ("int8", "int16", "int16_bias32", "int4", "float"):
        CASES[f"CONV_2D-3x3-{kind}"] = conv_case(
            [1, 5, 5, 3], [4, 3, 3, 3], [1, 5, 5, 4], kind=kind
        )
        CASES[f"DEPTHWISE_CONV_2D-3x3-{kind}"] = conv_case(
            [1, 5, 5, 4], [1, 3, 3, 4], [1, 5, 5, 4], kind=kind, depthwise=True
        )
    CASES["CONV_2D-1x1-int8"] = conv_case([1, 5, 5, 3], [4, 1, 1, 3], [1, 5, 5, 4])
    CASES["CONV_2D-1x1-in4"] = conv_case([1, 5, 5, 4], [4, 1, 1, 4], [1, 5, 5, 4])
    CASES["CONV_2D-1x1-stride2"] = conv_case(
        [1, 5, 5, 4], [4, 1, 1, 4], [1, 3, 3, 4], stride=2, padding="VALID"
    )
    CASES["CONV_2D-1x1-grouped"] = conv_case([1, 5, 5, 4], [4, 1, 1, 2], [1, 5, 5, 4])
    CASES["CONV_2D-3x3-grouped"] = conv_case([1, 5, 5, 4], [4, 3, 3, 2], [1, 5, 5, 4])
    CASES["CONV_2D-1xn"] = conv_case([1, 1, 9, 4], [4, 1, 3, 4], [1, 1, 9, 4])
    CASES["CONV_2D-stride2-same"] = conv_case([1, 6, 6, 5], [7, 3, 3, 5], [1, 3, 3, 7], stride=2)
    CASES["CONV_2D-dilation2"] = conv_case([1, 7, 7, 2], [3, 3, 3, 2], [1, 7, 7, 3], dilation=2)
    CASES["CONV_2D-valid"] = conv_case(
        [1, 7, 7, 1], [3, 5, 5, 1], [1, 3, 3, 3], padding="VALID", per_tensor=True
    )
    CASES["CONV_2D-no_bias"] = conv_case([1, 5, 5, 3], [4, 3, 3, 3], [1, 5, 5, 4], bias=False)
    CASES["CONV_2D-batch2"] = conv_case([2, 5, 5, 3], [4, 3, 3, 3], [2, 5, 5, 4])
    dw = {
        "5x5": ([1, 6, 6, 3], [1, 5, 5, 3], [1, 6, 6, 3], {}),
        "3x3-pad2-dilation2": ([1, 6, 6, 3], [1, 3, 3, 3], [1, 6, 6, 3], {"dilation": 2}),
        "3x3-valid": ([1, 6, 6, 3], [1, 3, 3, 3], [1, 4, 4, 3], {"padding": "VALID"}),
        "3x1": ([1, 6, 6, 4], [1, 3, 1, 4], [1, 6, 6, 4], {}),
        "multiplier2": ([1, 6, 6, 3], [1, 3, 3, 6], [1, 6, 6, 6], {}),
        "one_channel": ([1, 6, 6, 1], [1, 3, 3, 8], [1, 6, 6, 8], {}),
        "one_to_one": ([1, 6, 6, 1], [1, 5, 5, 1], [1, 6, 6, 1], {}),
        "batch2": ([2, 6, 6, 3], [1, 5, 5, 3], [2, 6, 6, 3], {}),
        "int4-5x5": ([1, 6, 6, 4], [1, 5, 5, 4], [1, 6, 6, 4], {"kind": "int4"}),
        "stride2": ([1, 6, 6, 3], [1, 5, 5, 3], [1, 3, 3, 3], {"stride": 2}),
    }
    for name, (shape, kernel, out, more) in dw.items():
        CASES[f"DEPTHWISE_CONV_2D-{name}"] = conv_case(
            shape,
            kernel,
            out,
            depthwise=True,
            **more,  # type: ignore[arg-type]
        )


def fc_case(
    shape: Sequence[int],
    weights: Sequence[int],
    out: Sequence[int],
    *,
    kind: str = "int8",
    per_channel: bool = False,
    bias: bool = True,
) -> Callable[[], bytes]:
    """A fully connected layer."""
    units = weights[0]
    scales = [0.1] * units if per_channel else 0.1
    zeros = [0] * units if per_channel else 0
    inputs: list[Tensor | None]
    if kind == "float":
        inputs = [f(shape), const(weights, np.float32, None), const([units], np.float32, None)]
        output = f(out)
    else:
        act = "INT16" if kind == "int16" else "INT8"
        w = const(weights, np.int8, scales, zero_point=zeros)
        if kind == "int4":
            w.type = "INT4"
        bias_type = np.int64 if kind == "int16" else np.int32
        bias_scales = [0.05] * units if per_channel else 0.05
        inputs = [q(shape, act), w, const([units], bias_type, bias_scales, zero_point=zeros)]
        output = q(out, act)
    if not bias:
        inputs[2] = None
    return one("FULLY_CONNECTED", inputs, [output], {"keep_num_dims": len(out) > 2})


def _fully_connected() -> None:
    for kind in ("int8", "int16", "int4", "float"):
        CASES[f"FULLY_CONNECTED-{kind}"] = fc_case([1, 10], [3, 10], [1, 3], kind=kind)
    CASES["FULLY_CONNECTED-per_channel"] = fc_case([1, 8], [3, 8], [1, 3], per_channel=True)
    CASES["FULLY_CONNECTED-per_channel-int16"] = fc_case(
        [1, 8], [3, 8], [1, 3], kind="int16", per_channel=True
    )
    CASES["FULLY_CONNECTED-rank3-depth8"] = fc_case([1, 2, 8], [3, 8], [1, 2, 3])
    CASES["FULLY_CONNECTED-rank3-depth8-per_channel"] = fc_case(
        [1, 2, 8], [3, 8], [1, 2, 3], per_channel=True
    )
    CASES["FULLY_CONNECTED-rank3-depth7"] = fc_case([1, 2, 7], [3, 7], [1, 2, 3])
    CASES["FULLY_CONNECTED-no_bias"] = fc_case([2, 8], [3, 8], [2, 3], bias=False)


def batch_matmul_case(kind: str, *, adj_x: bool, adj_y: bool, rank: int = 3) -> Callable[[], bytes]:
    """BATCH_MATMUL of 3x4 by 4x5 in batches of two."""
    batch = [2] * (rank - 2)
    a = [*batch, 4, 3] if adj_x else [*batch, 3, 4]
    b = [*batch, 5, 4] if adj_y else [*batch, 4, 5]
    make = f if kind == "FLOAT32" else lambda s: q(s, kind)
    return one(
        "BATCH_MATMUL",
        [make(a), make(b)],
        [make([*batch, 3, 5])],
        {"adj_x": adj_x, "adj_y": adj_y},
    )


def _batch_matmul() -> None:
    for kind in ("INT8", "INT16", "FLOAT32"):
        for adj_x in (False, True):
            for adj_y in (False, True):
                CASES[f"BATCH_MATMUL-{kind.lower()}-adj{adj_x:d}{adj_y:d}"] = batch_matmul_case(
                    kind, adj_x=adj_x, adj_y=adj_y
                )
    CASES["BATCH_MATMUL-rank4"] = batch_matmul_case("INT8", adj_x=False, adj_y=False, rank=4)


def transpose_conv_case(
    shape: Sequence[int],
    kernel: Sequence[int],
    out: Sequence[int],
    *,
    stride: tuple[int, int] = (2, 2),
    kind: str = "int8",
    bias: bool = True,
    padding: str = "SAME",
) -> Callable[[], bytes]:
    """TRANSPOSE_CONV; kernel OHWI."""
    channels = kernel[0]
    inputs: list[Tensor | None]
    if kind == "float":
        inputs = [
            ints(*out),
            const(kernel, np.float32, None),
            f(shape),
            const([channels], np.float32, None),
        ]
        output = f(out)
    else:
        act = "INT8" if kind == "int8" else "INT16"
        bias_type = {"int8": np.int32, "int16": np.int64, "int16_bias16": np.int16}[kind]
        scales, zeros = [0.1] * channels, [0] * channels
        inputs = [
            ints(*out),
            const(kernel, np.int8, scales, zero_point=zeros),
            q(shape, act),
            const([channels], bias_type, scales, zero_point=zeros),
        ]
        output = q(out, act)
    if not bias:
        inputs = inputs[:3]
    options = {"padding": padding, "stride_w": stride[1], "stride_h": stride[0]}
    return one("TRANSPOSE_CONV", inputs, [output], options)


def _transpose_conv() -> None:
    CASES["TRANSPOSE_CONV-4x4-in8"] = transpose_conv_case([1, 4, 4, 8], [4, 4, 4, 8], [1, 8, 8, 4])
    CASES["TRANSPOSE_CONV-4x4-in17"] = transpose_conv_case(
        [1, 4, 4, 17], [4, 4, 4, 17], [1, 8, 8, 4]
    )
    CASES["TRANSPOSE_CONV-3x3"] = transpose_conv_case([1, 4, 4, 8], [4, 3, 3, 8], [1, 8, 8, 4])
    CASES["TRANSPOSE_CONV-5x5-stride3"] = transpose_conv_case(
        [1, 4, 4, 20], [4, 5, 5, 20], [1, 12, 12, 4], stride=(3, 3)
    )
    CASES["TRANSPOSE_CONV-4x1-stride12"] = transpose_conv_case(
        [1, 1, 9, 4], [4, 1, 1, 4], [1, 1, 17, 4], stride=(1, 2), padding="VALID"
    )
    CASES["TRANSPOSE_CONV-no_bias"] = transpose_conv_case(
        [1, 4, 4, 8], [4, 4, 4, 8], [1, 8, 8, 4], bias=False
    )
    for kind in ("float", "int16", "int16_bias16"):
        CASES[f"TRANSPOSE_CONV-{kind}"] = transpose_conv_case(
            [1, 4, 4, 8], [4, 4, 4, 8], [1, 8, 8, 4], kind=kind
        )


def svdf_case(kind: str, state: str = "INT16") -> Callable[[], bytes]:
    """SVDF of 4 units, rank 2, memory 3."""
    filters, units, features, memory = 8, 4, 5, 3
    if kind == "float":
        variable = Tensor([1, memory * filters], type="FLOAT32", is_variable=True)
        inputs = [
            f([1, features]),
            const([filters, features], np.float32, None),
            const([filters, memory], np.float32, None),
            const([units], np.float32, None),
            variable,
        ]
        output = f([1, units])
    else:
        time = np.int16 if state == "INT16" else np.int8
        variable = Tensor(
            [1, memory * filters], type=state, scale=1.0, zero_point=0, is_variable=True
        )
        inputs = [
            q([1, features]),
            const([filters, features]),
            const([filters, memory], time, 0.25),
            const([units], np.int32, 0.25),
            variable,
        ]
        output = q([1, units])
    return one("SVDF", inputs, [output], {"rank": 2, "fused_activation_function": "RELU"})


def lstm_case(kind: str, *, time_major: bool = False) -> Callable[[], bytes]:
    """UNIDIRECTIONAL_SEQUENCE_LSTM: 3 steps of 5 features into 4 units, batch 2."""
    batch, steps, features, units = 2, 3, 5, 4
    shape = [steps, batch, features] if time_major else [batch, steps, features]
    out = [steps, batch, units] if time_major else [batch, steps, units]
    inputs: list[Tensor | None] = [None] * 24
    if kind == "float":
        act: Callable[[Sequence[int]], Tensor] = f
        weight: Callable[[Sequence[int]], Tensor] = lambda s: const(s, np.float32, None)  # noqa: E731
        bias = lambda: const([units], np.float32, None)  # noqa: E731
        hidden = Tensor([batch, units], type="FLOAT32", is_variable=True)
        cell = Tensor([batch, units], type="FLOAT32", is_variable=True)
    else:
        act_type = "INT8" if kind == "int8" else "INT16"
        bias_type = np.int32 if kind == "int8" else np.int64
        act = lambda s: q(s, act_type, 1 / 128)  # noqa: E731
        weight = lambda s: const(s, np.int8, 1 / 64)  # noqa: E731
        bias = lambda: const([units], bias_type, 1 / 8192)  # noqa: E731
        hidden = Tensor(
            [batch, units], type=act_type, scale=1 / 128, zero_point=0, is_variable=True
        )
        cell = Tensor([batch, units], type="INT16", scale=2**-11, zero_point=0, is_variable=True)
    inputs[0] = act(shape)
    for i in range(1, 5):
        inputs[i] = weight([units, features])
    for i in range(5, 9):
        inputs[i] = weight([units, units])
    for i in range(12, 16):
        inputs[i] = bias()
    inputs[18], inputs[19] = hidden, cell
    options = {"fused_activation_function": "TANH", "time_major": time_major, "cell_clip": 10.0}
    return one("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [act(out)], options)


def _recurrent() -> None:
    CASES["SVDF-int8"] = svdf_case("int8")
    CASES["SVDF-int8-state8"] = svdf_case("int8", "INT8")
    CASES["SVDF-float"] = svdf_case("float")
    for kind in ("int8", "int16", "float"):
        CASES[f"LSTM-{kind}"] = lstm_case(kind)
    CASES["LSTM-int8-time_major"] = lstm_case("int8", time_major=True)


def _signal() -> None:
    i16 = lambda *s: raw(s, "INT16")  # noqa: E731
    CASES["SignalDelay"] = custom("SignalDelay", [i16(2, 5)], [i16(2, 5)], flex(delay_length=3))
    CASES["SignalEnergy"] = custom(
        "SignalEnergy", [i16(8)], [raw([4], "UINT32")], flex(end_index=3, start_index=0)
    )
    CASES["SignalFftAutoScale"] = custom(
        "SignalFftAutoScale", [i16(8)], [i16(8), raw([], "INT32")], b""
    )
    banks = [raw([5], "UINT32"), const([3], np.int16, None), const([3], np.int16, None)]
    banks += [const([3], np.int16, None) for _ in range(3)]
    CASES["SignalFilterBank"] = custom(
        "SignalFilterBank", banks, [raw([2], "UINT64")], flex(num_channels=2)
    )
    CASES["SignalFilterBankLog"] = custom(
        "SignalFilterBankLog",
        [raw([4], "UINT32")],
        [i16(4)],
        flex(input_correction_bits=3, output_scale=1600),
    )
    CASES["SignalFilterBankSquareRoot"] = custom(
        "SignalFilterBankSquareRoot",
        [raw([4], "UINT64"), raw([], "INT32")],
        [raw([4], "UINT32")],
        b"",
    )
    CASES["SignalFilterBankSpectralSubtraction"] = custom(
        "SignalFilterBankSpectralSubtraction",
        [raw([7], "UINT32")],
        [raw([7], "UINT32"), raw([7], "UINT32")],
        flex(
            alternate_one_minus_smoothing=1000,
            alternate_smoothing=200,
            clamping=True,
            min_signal_remaining=300,
            num_channels=7,
            one_minus_smoothing=4,
            smoothing=5,
            smoothing_bits=10,
            spectral_subtraction_bits=14,
        ),
    )
    CASES["SignalFramer"] = custom(
        "SignalFramer",
        [i16(2, 4)],
        [i16(2, 2, 5), raw([], "BOOL")],
        flex(frame_size=5, frame_step=2, prefill=False),
    )
    for name, kind, number in (
        ("int16", "INT16", 7),
        ("int32", "INT32", 2),
        ("float", "FLOAT32", 0),
    ):
        CASES[f"SignalRfft-{name}"] = custom(
            "SignalRfft", [raw([12], kind)], [raw([18], kind)], flex(T=number, fft_length=16)
        )
        CASES[f"SignalIrfft-{name}"] = custom(
            "SignalIrfft", [raw([18], kind)], [raw([16], kind)], flex(T=number, fft_length=16)
        )
    for name, kind, number in (("int16", "INT16", 7), ("float", "FLOAT32", 0)):
        CASES[f"SignalOverlapAdd-{name}"] = custom(
            "SignalOverlapAdd",
            [raw([3, 2, 5], kind)],
            [raw([3, 4], kind)],
            flex(T=number, frame_step=2),
        )
    CASES["SignalPCAN"] = custom(
        "SignalPCAN",
        [raw([4], "UINT32"), raw([4], "UINT32"), const([125], np.int16, None)],
        [raw([4], "UINT32")],
        flex(snr_shift=6),
    )
    CASES["SignalStacker"] = custom(
        "SignalStacker",
        [i16(3)],
        [i16(12), raw([], "BOOL")],
        flex(num_channels=3, stacker_left_context=2, stacker_right_context=1, stacker_step=1),
    )
    CASES["SignalWindow"] = custom(
        "SignalWindow", [i16(8), const([8], np.int16, None)], [i16(8)], flex(shift=12)
    )
    CASES["CIRCULAR_BUFFER"] = custom(
        "CIRCULAR_BUFFER", [q([1, 1, 2, 3])], [q([1, 4, 2, 3])], flex(cycles_max=2)
    )


def _others() -> None:
    options = flex(
        max_detections=3,
        max_classes_per_detection=1,
        detections_per_class=1,
        use_regular_nms=False,
        nms_score_threshold=0.0,
        nms_iou_threshold=0.5,
        num_classes=2,
        y_scale=10.0,
        x_scale=10.0,
        h_scale=5.0,
        w_scale=5.0,
    )
    CASES["TFLite_Detection_PostProcess"] = custom(
        "TFLite_Detection_PostProcess",
        [f([1, 6, 4]), f([1, 6, 3]), const([6, 4], np.float32, None)],
        [f([1, 3, 4]), f([1, 3]), f([1, 3]), f([1])],
        options,
    )
    for name, kind in (("lut", 0), ("huffman", 1), ("prune", 2)):
        header = np.zeros(32, np.uint8)
        header[:2] = kind, 1
        header[4] = 1
        CASES[f"TFLM_DECODE-{name}"] = custom(
            "TFLM_DECODE",
            [const([8], np.uint8, None), Tensor(data=header, scale=None)],
            [q([8])],
            b"",
        )
    header = np.zeros(32, np.uint8)
    header[:2] = 2, 1
    header[4] = 1
    CASES["TFLM_DECODE-prune-zero_points"] = custom(
        "TFLM_DECODE",
        [const([8], np.uint8, None), Tensor(data=header, scale=None)],
        [q([2, 4], scale=[0.5, 0.5], zero=[1, 2])],
        b"",
    )
    CASES["variables"] = _variables
    CASES["call_once"] = _call_once
    CASES["if"] = _if
    CASES["if-pre_2_4"] = _if_old
    CASES["while"] = _while
    CASES["chain"] = _chain
    CASES["chain-branches"] = _branches


def _handle(name: str) -> Operator:
    return Operator("VAR_HANDLE", [], [0], {"container": "", "shared_name": name})


def _variables() -> bytes:
    tensors = [raw([1], "RESOURCE"), q([2, 3], zero=5), raw([1], "RESOURCE"), q([4]), q([2, 3])]
    operators = [
        _handle("a"),
        Operator("VAR_HANDLE", [], [2], {"container": "", "shared_name": "b"}),
        Operator("ASSIGN_VARIABLE", [0, 1], [], {}),
        Operator("ASSIGN_VARIABLE", [2, 3], [], {}),
        Operator("READ_VARIABLE", [0], [4], {}),
    ]
    return build(Model([SubGraph(tensors, operators, inputs=[1, 3], outputs=[4])]))


def _call_once() -> bytes:
    main = SubGraph(
        [raw([1], "RESOURCE"), q([2, 3]), q([2, 3]), q([2, 3])],
        [
            Operator("CALL_ONCE", [], [], {"init_subgraph_index": 1}),
            _handle("a"),
            Operator("READ_VARIABLE", [0], [2], {}),
            Operator("ADD", [1, 2], [3], {}),
            Operator("ASSIGN_VARIABLE", [0, 3], [], {}),
        ],
        inputs=[1],
        outputs=[3],
    )
    init = SubGraph(
        [raw([1], "RESOURCE"), const([2, 3])],
        [_handle("a"), Operator("ASSIGN_VARIABLE", [0, 1], [], {})],
        inputs=[],
        outputs=[],
        name="init",
    )
    return build(Model([main, init]))


def _branches_of_if(code: Operator) -> bytes:
    main = SubGraph(
        [raw([1], "BOOL"), q([1, 4, 4, 3]), q([1, 4, 4, 3])],
        [code],
        inputs=[0, 1],
        outputs=[2],
    )
    weights = const([3, 3, 3, 3], np.int8, [0.1] * 3, zero_point=[0] * 3)
    then = SubGraph(
        [q([1, 4, 4, 3]), weights, const([3], np.int32, 0.05), q([1, 4, 4, 3])],
        [Operator("CONV_2D", [0, 1, 2], [3], {"stride_w": 1, "stride_h": 1})],
        inputs=[0],
        outputs=[3],
        name="then",
    )
    other = SubGraph([q([1, 4, 4, 3])], [], inputs=[0], outputs=[0], name="else")
    return build(Model([main, then, other]))


def _if() -> bytes:
    return _branches_of_if(
        Operator("IF", [0, 1], [2], {"then_subgraph_index": 1, "else_subgraph_index": 2})
    )


def _if_old() -> bytes:
    """IF by deprecated_builtin_code alone, with branches that need no scratch."""
    main = SubGraph(
        [raw([1], "BOOL"), q([8]), q([8])],
        [
            Operator(
                "IF",
                [0, 1],
                [2],
                {"then_subgraph_index": 1, "else_subgraph_index": 2},
                opcode_index=0,
            )
        ],
        inputs=[0, 1],
        outputs=[2],
    )
    branch = lambda: SubGraph(  # noqa: E731
        [q([8]), q([8])], [Operator("RELU", [0], [1], opcode_index=1)], inputs=[0], outputs=[1]
    )
    from fixtures.writer import OperatorCode

    codes = [OperatorCode(0, deprecated_code=118), OperatorCode("RELU")]
    return build(Model([main, branch(), branch()], operator_codes=codes))


def _while() -> bytes:
    main = SubGraph(
        [raw([1], "INT32"), q([4]), raw([1], "INT32"), q([4])],
        [
            Operator(
                "WHILE",
                [0, 1],
                [2, 3],
                {"cond_subgraph_index": 1, "body_subgraph_index": 2},
            )
        ],
        inputs=[0, 1],
        outputs=[2, 3],
    )
    cond = SubGraph(
        [raw([1], "INT32"), q([4]), ints(3), raw([1], "BOOL")],
        [Operator("LESS", [0, 2], [3], {})],
        inputs=[0, 1],
        outputs=[3],
        name="cond",
    )
    body = SubGraph(
        [raw([1], "INT32"), q([4]), ints(1), raw([1], "INT32"), q([4])],
        [Operator("ADD", [0, 2], [3], {}), Operator("ADD", [1, 1], [4], {})],
        inputs=[0, 1],
        outputs=[3, 4],
        name="body",
    )
    return build(Model([main, cond, body]))


def _chain() -> bytes:
    """Four equal buffers in a row."""
    tensors = [q([64]) for _ in range(4)]
    operators = [Operator("RELU", [i], [i + 1]) for i in range(3)]
    return build(Model([SubGraph(tensors, operators, inputs=[0], outputs=[3])]))


def _branches() -> bytes:
    """Branches of several sizes, an unused output, scratch in between."""
    weights = const([6, 3, 3, 5], np.int8, [0.1] * 6, zero_point=[0] * 6)
    tensors = [
        ints(3),
        q([1, 8, 8, 10]),
        q([1, 8, 8, 5]),
        q([1, 8, 8, 5]),
        weights,
        const([6], np.int32, 0.05),
        q([1, 8, 8, 6]),
        q([1, 4, 4, 6]),
        ints(1, 2),
        q([1, 6]),
    ]
    operators = [
        Operator("SPLIT", [0, 1], [2, 3], {"num_splits": 2}),
        Operator("CONV_2D", [2, 4, 5], [6], {"stride_w": 1, "stride_h": 1}),
        Operator(
            "AVERAGE_POOL_2D",
            [6],
            [7],
            {
                "padding": "VALID",
                "stride_w": 2,
                "stride_h": 2,
                "filter_width": 2,
                "filter_height": 2,
            },
        ),
        Operator("MEAN", [7, 8], [9], {"keep_dims": False}),
    ]
    return build(Model([SubGraph(tensors, operators, inputs=[1], outputs=[9])]))


for _add in (
    _elementwise,
    _shape_operators,
    _reductions,
    _convolutions,
    _fully_connected,
    _batch_matmul,
    _transpose_conv,
    _recurrent,
    _signal,
    _others,
):
    _add()
