"""Models that TFLM should refuse: one thing of a sound operator changed.

Only changes that cannot make TFLM read or write beyond its tensors: an element never gets
smaller than it was, shapes stay, and no input that is required goes missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.model import DTYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.property.draw import Draw
    from tests.property.instance import Fed

#: Types a tensor is changed to, of those that the Python package can be fed.
TYPES = ("INT8", "INT16", "INT32", "FLOAT32", "INT64", "BOOL", "UINT8", "UINT32", "FLOAT64")


#: Operators for which one input more is an operand, or one that may be absent.
OPTIONAL_INPUTS = frozenset(
    ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "RESHAPE", "CONCATENATION", "ADD_N")
)
#: Operators whose output's shape TFLM checks: it may be another one here, if larger.
CHECKS_SHAPE = frozenset(
    (
        "BROADCAST_TO",
        "CEIL",
        "CUMSUM",
        "EXP",
        "EXPAND_DIMS",
        "FILL",
        "LOG_SOFTMAX",
        "PAD",
        "PADV2",
        "RESHAPE",
        "ROUND",
        "SELECT_V2",
        "SQUEEZE",
        "STRIDED_SLICE",
        "SVDF",
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
    )
)
#: Operators whose inputs' shapes TFLM checks against each other and the output's.
CHECKS_INPUTS = frozenset(
    ("ADD_N", "BATCH_MATMUL", "CIRCULAR_BUFFER", "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM")
)
#: Operators that go by the type of what they move or reduce, and take indices as INT32 or INT64.
GO_BY_DATA = frozenset(
    (
        "BATCH_TO_SPACE_ND",
        "BROADCAST_TO",
        "CIRCULAR_BUFFER",
        "DYNAMIC_UPDATE_SLICE",
        "EXPAND_DIMS",
        "FILL",
        "GATHER",
        "GATHER_ND",
        "MEAN",
        "MIRROR_PAD",
        "PACK",
        "PAD",
        "PADV2",
        "REDUCE_ALL",
        "REDUCE_MAX",
        "REDUCE_MIN",
        "RESIZE_BILINEAR",
        "RESIZE_NEAREST_NEIGHBOR",
        "REVERSE_V2",
        "SELECT_V2",
        "SignalDelay",
        "SignalOverlapAdd",
        "SignalRfft",
        "SLICE",
        "SPACE_TO_BATCH_ND",
        "SPLIT",
        "SPLIT_V",
        "STRIDED_SLICE",
        "SUM",
        "TRANSPOSE",
        "UNPACK",
    )
)
#: Operators that do not survive options that are all zero (as TFLM leaves absent ones), or write
#: nothing with a window of no size.
NEEDS_OPTIONS = frozenset(
    (
        "AVERAGE_POOL_2D",
        "MAX_POOL_2D",
        "L2_POOL_2D",
        "DEPTHWISE_CONV_2D",
        "CONCATENATION",
        "SOFTMAX",
    )
)
#: Operators that look whether tensors are quantised; others divide by a scale of zero.
CHECKS_QUANTIZATION = frozenset(("CONV_2D", "DEPTHWISE_CONV_2D", "ABS", "RSQRT", "QUANTIZE"))


def mutate(
    d: Draw,
    code: str,
    inputs: list[Fed | None],
    outputs: list[Fed],
    options: Mapping[str, Any] | None,
    *,
    only_shape: bool = False,
) -> tuple[str, Mapping[str, Any] | None]:
    """Changes one thing in `inputs` or `outputs`.

    Returns:
        What was changed, and the options.
    """
    kind = d.choice(
        ("types", "type", "scale", "zero_point", "unquantized", "extra", "options", "shape")
    )
    if only_shape:
        kind = "shape"
        if code in GO_BY_DATA and outputs[0].type not in {"INT32", "INT64"} and d.chance(70):
            return _retype(d, inputs, outputs, str(outputs[0].type)), options
    if kind == "shape" and code in CHECKS_INPUTS:
        return _grow_input(d, inputs), options
    if kind == "shape" and code in CHECKS_SHAPE and outputs:
        shape = [int(n) for n in outputs[0].dimensions or ()]
        grown = d.integer(0, len(shape))
        shape = [*shape, 1] if grown == len(shape) else shape
        shape[min(grown, len(shape) - 1)] += 1
        outputs[0] = replace(outputs[0], shape=shape)
        return "the output is larger", options
    if kind == "extra" and code in OPTIONAL_INPUTS:
        kind = "type"
    if only_shape:
        return "nothing", options
    present = [t for t in inputs if t is not None]
    every = [*present, *outputs]
    if kind == "types":
        old = str(d.choice(every).type)
        size = 0 if all(t.type == old for t in every) else DTYPES[old].itemsize
        return _retype(d, inputs, outputs, old, size), options
    index = d.integer(0, len(every) - 1)
    tensor = every[index]
    if kind == "type":
        size = DTYPES[str(tensor.type)].itemsize
        # A kernel that goes by an input's type writes elements of that size to the output.
        most = size if any(o.type == tensor.type for o in outputs) and index < len(present) else 8
        larger = [t for t in TYPES if size <= DTYPES[t].itemsize <= most and t != tensor.type]
        if not larger:
            return "nothing", options
        new = d.choice(larger)
        _put(inputs, outputs, tensor, retyped(tensor, new))
        return f"tensor {index} became {new}", options
    if kind == "extra":
        inputs.append(replace(present[-1]) if present else None)
        return "an input too many", options
    if kind == "options" and options and code not in NEEDS_OPTIONS:
        return "options are missing", None
    if tensor.scale is None:
        _put(inputs, outputs, tensor, replace(tensor, scale=0.5, zero_point=0))
        return f"tensor {index} is quantized", options
    if kind == "unquantized" and code in CHECKS_QUANTIZATION:
        _put(inputs, outputs, tensor, replace(tensor, scale=None))
        return f"tensor {index} is not quantized", options
    if kind == "zero_point":
        point = tensor.first_zero_point + (1 if d.integer(0, 1) else -1)
        low, high = (0, 255) if tensor.type == "UINT8" else (-128, 127)
        _put(inputs, outputs, tensor, replace(tensor, zero_point=min(max(point, low), high)))
        return f"tensor {index} has another zero point", options
    scales = np.atleast_1d(tensor.scale).astype(np.float32) * np.float32(2)
    _put(inputs, outputs, tensor, replace(tensor, scale=[float(s) for s in scales]))
    return f"tensor {index} has another scale", options


def _retype(d: Draw, inputs: list[Fed | None], outputs: list[Fed], old: str, size: int = 0) -> str:
    new = d.choice([t for t in TYPES if t != old and DTYPES[t].itemsize >= size])
    for tensors in (inputs, outputs):
        for i, t in enumerate(tensors):
            if t is not None and t.type == old:
                tensors[i] = retyped(t, new)
    return f"every {old} became {new}"


def _grow_input(d: Draw, inputs: list[Fed | None]) -> str:
    """One dimension of one input gets larger; a constant's contents are repeated."""
    places = [i for i, t in enumerate(inputs) if t is not None and t.dimensions]
    place = d.choice(places)
    tensor = inputs[place]
    assert tensor is not None
    shape = [int(n) for n in tensor.dimensions or ()]
    shape[d.integer(0, len(shape) - 1)] += 1
    data = tensor.data
    if isinstance(data, np.ndarray):
        data = np.resize(data, shape)
    inputs[place] = replace(tensor, shape=shape, data=data, value=None)
    return f"input {place} is larger"


def retyped(tensor: Fed, new: str) -> Fed:
    """The same tensor with another element type, contents converted."""
    dtype = DTYPES[new]

    def convert(array: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.asarray(np.nan_to_num(np.asarray(array)), dtype)

    if new in {"INT8", "UINT8", "INT16"} and tensor.scale is None:
        tensor = replace(tensor, scale=0.5, zero_point=0)
    if tensor.data is not None:
        return replace(tensor, type=new, data=convert(tensor.data))
    old = tensor.value
    return replace(tensor, type=new, value=None if old is None else lambda: convert(old()))


def _put(inputs: list[Fed | None], outputs: list[Fed], old: Fed, new: Fed) -> None:
    for i, t in enumerate(inputs):
        if t is old:
            inputs[i] = new
    for i, o in enumerate(outputs):
        if o is old:
            outputs[i] = new
