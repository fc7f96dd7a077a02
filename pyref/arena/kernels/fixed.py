"""Kernels whose Init and Prepare take the same memory for every model.

One line an operator: the file under micro/kernels/ (or signal/micro/kernels/) to read side by
side, the OpData that Init allocates, and the temporary TfLiteTensors of Prepare in order ("i0" is
input 0, "o0" output 0).
"""

from __future__ import annotations

from typing import NamedTuple


class Fixed(NamedTuple):
    """What one operator takes.

    Attributes:
        source: kernel file.
        temps: temporary tensors of Prepare, in order.
        op_data: structure that Init allocates, "" for none.
    """

    source: str
    temps: str
    op_data: str = ""


FIXED: dict[str, Fixed] = {
    "ABS": Fixed("elementwise.cc", "i0 o0", "OpDataAbsRsqrt"),
    "ARG_MAX": Fixed("arg_min_max.cc", ""),
    "ARG_MIN": Fixed("arg_min_max.cc", ""),
    "BATCH_TO_SPACE_ND": Fixed("batch_to_space_nd.cc", "i0 o0"),
    "BROADCAST_ARGS": Fixed("broadcast_args.cc", "i0 i1 o0"),
    "BROADCAST_TO": Fixed("broadcast_to.cc", "i0 i1 o0"),
    "CALL_ONCE": Fixed("call_once.cc", "", "call_once.OpData"),
    "CAST": Fixed("cast.cc", "i0 o0"),
    "CEIL": Fixed("ceil.cc", "i0 o0"),
    "CIRCULAR_BUFFER": Fixed("circular_buffer.cc", "i0 o0", "OpDataCircularBuffer"),
    "COS": Fixed("elementwise.cc", "i0 o0"),
    "DEQUANTIZE": Fixed("dequantize.cc", "i0 o0", "DequantizeOpData"),
    "DIV": Fixed("div.cc", "i0 i1 o0", "OpDataDiv"),
    "DYNAMIC_UPDATE_SLICE": Fixed("dynamic_update_slice.cc", "i0 i1 i2 o0"),
    "EQUAL": Fixed("comparisons.cc", "i0 i1", "comparisons.OpData"),
    "EXP": Fixed("exp.cc", "i0 o0"),
    "EXPAND_DIMS": Fixed("expand_dims.cc", "i0 i1 o0"),
    "FILL": Fixed("fill.cc", "i0 i1 o0"),
    "FLOOR": Fixed("floor.cc", ""),
    "FLOOR_DIV": Fixed("floor_div.cc", "i0 i1 o0"),
    "FLOOR_MOD": Fixed("floor_mod.cc", "i0 i1 o0"),
    "GREATER": Fixed("comparisons.cc", "i0 i1", "comparisons.OpData"),
    "GREATER_EQUAL": Fixed("comparisons.cc", "i0 i1", "comparisons.OpData"),
    "HARD_SWISH": Fixed("hard_swish.cc", "i0 o0", "HardSwishParams"),
    "IF": Fixed("if.cc", "i0", "if.OpData"),
    "L2_NORMALIZATION": Fixed("l2norm.cc", "i0 o0", "L2NormalizationParams"),
    "LEAKY_RELU": Fixed("leaky_relu.cc", "i0 o0", "LeakyReluOpData"),
    "LESS": Fixed("comparisons.cc", "i0 i1", "comparisons.OpData"),
    "LESS_EQUAL": Fixed("comparisons.cc", "i0 i1", "comparisons.OpData"),
    "LOG": Fixed("elementwise.cc", "i0 o0"),
    "LOGICAL_AND": Fixed("logical.cc", ""),
    "LOGICAL_NOT": Fixed("elementwise.cc", "i0 o0"),
    "LOGICAL_OR": Fixed("logical.cc", ""),
    "LOGISTIC": Fixed("logistic.cc", "i0 o0", "OpDataLogistic"),
    "MAXIMUM": Fixed("maximum_minimum.cc", ""),
    "MINIMUM": Fixed("maximum_minimum.cc", ""),
    "MUL": Fixed("mul.cc", "i0 i1 o0", "OpDataMul"),
    "NEG": Fixed("neg.cc", ""),
    "NOT_EQUAL": Fixed("comparisons.cc", "i0 i1", "comparisons.OpData"),
    "PACK": Fixed("pack.cc", ""),
    "PAD": Fixed("pad.cc", "i0 i1 i2 o0", "pad.OpData"),
    "PADV2": Fixed("pad.cc", "i0 i1 i2 o0", "pad.OpData"),
    "PRELU": Fixed("prelu.cc", "i0 i1 o0", "PreluParams"),
    "QUANTIZE": Fixed("quantize.cc", "i0 o0", "OpDataQuantizeReference"),
    "READ_VARIABLE": Fixed("read_variable.cc", "i0"),
    "RELU": Fixed("activations.cc", "i0 o0", "ReluOpData"),
    "RELU6": Fixed("activations.cc", "i0", "Relu6OpData"),
    "RESHAPE": Fixed("reshape.cc", "i0 o0"),
    "RESIZE_BILINEAR": Fixed("resize_bilinear.cc", "i0 i1 o0"),
    "RESIZE_NEAREST_NEIGHBOR": Fixed("resize_nearest_neighbor.cc", "i0 i1 o0"),
    "REVERSE_V2": Fixed("reverse.cc", "i0 i1 o0"),
    "ROUND": Fixed("round.cc", "i0 o0"),
    "RSQRT": Fixed("elementwise.cc", "i0 o0", "OpDataAbsRsqrt"),
    "SELECT_V2": Fixed("select.cc", "i0 i1 i2 o0", "select.OpData"),
    "SHAPE": Fixed("shape.cc", ""),
    "SIN": Fixed("elementwise.cc", "i0 o0"),
    "SLICE": Fixed("slice.cc", "i0 i1 i2 o0"),
    "SPACE_TO_BATCH_ND": Fixed("space_to_batch_nd.cc", "i0 o0", "SpaceToBatchParams"),
    "SPLIT": Fixed("split.cc", "i0"),
    "SPLIT_V": Fixed("split_v.cc", "i2"),
    "SQRT": Fixed("elementwise.cc", "i0 o0"),
    "SQUARE": Fixed("elementwise.cc", "i0 o0"),
    "SQUARED_DIFFERENCE": Fixed("squared_difference.cc", "i0 i1 o0", "squared_difference.OpData"),
    "SQUEEZE": Fixed("squeeze.cc", "i0 o0"),
    "STRIDED_SLICE": Fixed("strided_slice.cc", "i0 i1 i2 i3 o0", "StridedSliceParams"),
    "SUB": Fixed("sub.cc", "i0 i1 o0", "OpDataSub"),
    "TANH": Fixed("tanh.cc", "i0 i0 o0", "tanh.OpData"),
    "TRANSPOSE": Fixed("transpose.cc", "i0 i1 o0"),
    "UNPACK": Fixed("unpack.cc", ""),
    "WHILE": Fixed("while.cc", "", "while.OpData"),
    "ZEROS_LIKE": Fixed("zeros_like.cc", "i0 o0"),
    "SignalEnergy": Fixed("energy.cc", "i0 o0", "TFLMSignalEnergyParams"),
    "SignalFftAutoScale": Fixed("fft_auto_scale_kernel.cc", "i0 o0 o1"),
    "SignalFilterBankLog": Fixed("filter_bank_log.cc", "i0 o0", "TFLMSignalLogParams"),
    "SignalFilterBankSquareRoot": Fixed("filter_bank_square_root.cc", "i0 i1 o0"),
    "SignalPCAN": Fixed("pcan.cc", "i0 i1 i2 o0", "TfLitePcanParams"),
    "SignalWindow": Fixed("window.cc", "i0 i1 o0", "TFLMSignalWindowParams"),
}
