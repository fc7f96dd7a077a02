"""One file per TFLM kernel, and the table that names them.

To add an operator: one file here with a function `prepare(node) -> Eval`, one line in
`OPERATORS`, one fixture or table of cases under tests/pyref/operators.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.node import Prepare

#: TFLM's operator name to the file (and function, where one file serves several) that computes it.
OPERATORS: dict[str, str] = {
    "ABS": "elementwise:prepare_abs",
    "ADD": "add",
    "ADD_N": "add_n",
    "ARG_MAX": "arg_min_max:prepare_max",
    "ARG_MIN": "arg_min_max:prepare_min",
    "ASSIGN_VARIABLE": "assign_variable",
    "AVERAGE_POOL_2D": "pooling:prepare_average",
    "BATCH_MATMUL": "batch_matmul",
    "BATCH_TO_SPACE_ND": "batch_to_space_nd",
    "BROADCAST_ARGS": "broadcast_args",
    "BROADCAST_TO": "broadcast_to",
    "CALL_ONCE": "call_once",
    "CAST": "cast",
    "CEIL": "ceil",
    "CIRCULAR_BUFFER": "circular_buffer",
    "CONCATENATION": "concatenation",
    "CONV_2D": "conv",
    "COS": "elementwise:prepare_cos",
    "CUMSUM": "cumsum",
    "DEPTHWISE_CONV_2D": "depthwise_conv",
    "DEPTH_TO_SPACE": "depth_to_space",
    "DEQUANTIZE": "dequantize",
    "DIV": "div",
    "DYNAMIC_UPDATE_SLICE": "dynamic_update_slice",
    "ELU": "elu",
    "EMBEDDING_LOOKUP": "embedding_lookup",
    "EQUAL": "comparisons:prepare_equal",
    "EXP": "exp",
    "EXPAND_DIMS": "expand_dims",
    "FILL": "fill",
    "FLOOR": "floor",
    "FLOOR_DIV": "floor_div",
    "FLOOR_MOD": "floor_mod",
    "FULLY_CONNECTED": "fully_connected",
    "GATHER": "gather",
    "GATHER_ND": "gather_nd",
    "GREATER": "comparisons:prepare_greater",
    "GREATER_EQUAL": "comparisons:prepare_greater_equal",
    "HARD_SWISH": "hard_swish",
    "IF": "if_",
    "L2_NORMALIZATION": "l2norm",
    "L2_POOL_2D": "l2_pool_2d",
    "LEAKY_RELU": "leaky_relu",
    "LESS": "comparisons:prepare_less",
    "LESS_EQUAL": "comparisons:prepare_less_equal",
    "LOG": "elementwise:prepare_log",
    "LOGICAL_AND": "logical:prepare_and",
    "LOGICAL_NOT": "elementwise:prepare_logical_not",
    "LOGICAL_OR": "logical:prepare_or",
    "LOGISTIC": "logistic",
    "LOG_SOFTMAX": "log_softmax",
    "MAXIMUM": "maximum_minimum:prepare_maximum",
    "MAX_POOL_2D": "pooling:prepare_max",
    "MEAN": "reduce:prepare_mean",
    "MINIMUM": "maximum_minimum:prepare_minimum",
    "MIRROR_PAD": "mirror_pad",
    "MUL": "mul",
    "NEG": "neg",
    "NOT_EQUAL": "comparisons:prepare_not_equal",
    "PACK": "pack",
    "PAD": "pad",
    "PADV2": "pad",
    "PRELU": "prelu",
    "QUANTIZE": "quantize",
    "READ_VARIABLE": "read_variable",
    "REDUCE_ALL": "reduce:prepare_all",
    "REDUCE_MAX": "reduce:prepare_max",
    "REDUCE_MIN": "reduce:prepare_min",
    "RELU": "activations:prepare_relu",
    "RELU6": "activations:prepare_relu6",
    "RESHAPE": "reshape",
    "RESIZE_BILINEAR": "resize_bilinear",
    "RESIZE_NEAREST_NEIGHBOR": "resize_nearest_neighbor",
    "REVERSE_V2": "reverse",
    "ROUND": "round",
    "RSQRT": "elementwise:prepare_rsqrt",
    "SELECT_V2": "select",
    "SHAPE": "shape",
    "SIN": "elementwise:prepare_sin",
    "SLICE": "slice",
    "SOFTMAX": "softmax",
    "SPACE_TO_BATCH_ND": "space_to_batch_nd",
    "SPACE_TO_DEPTH": "space_to_depth",
    "SPLIT": "split",
    "SPLIT_V": "split_v",
    "SQRT": "elementwise:prepare_sqrt",
    "SQUARE": "elementwise:prepare_square",
    "SQUARED_DIFFERENCE": "squared_difference",
    "SQUEEZE": "squeeze",
    "STRIDED_SLICE": "strided_slice",
    "SUB": "sub",
    "SUM": "reduce:prepare_sum",
    "SVDF": "svdf",
    "TANH": "tanh",
    "TFLite_Detection_PostProcess": "detection_postprocess",
    "TRANSPOSE": "transpose",
    "TRANSPOSE_CONV": "transpose_conv",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "unidirectional_sequence_lstm",
    "UNPACK": "unpack",
    "VAR_HANDLE": "var_handle",
    "WHILE": "while_",
    "ZEROS_LIKE": "zeros_like",
    "TFLM_DECODE": "decode",
    "SignalDelay": "signal.delay",
    "SignalEnergy": "signal.energy",
    "SignalFftAutoScale": "signal.fft_auto_scale",
    "SignalFilterBank": "signal.filter_bank",
    "SignalFilterBankLog": "signal.filter_bank_log",
    "SignalFilterBankSpectralSubtraction": "signal.filter_bank_spectral_subtraction",
    "SignalFilterBankSquareRoot": "signal.filter_bank_square_root",
    "SignalFramer": "signal.framer",
    "SignalIrfft": "signal.irfft",
    "SignalOverlapAdd": "signal.overlap_add",
    "SignalPCAN": "signal.pcan",
    "SignalRfft": "signal.rfft",
    "SignalStacker": "signal.stacker",
    "SignalWindow": "signal.window",
}


def find(name: str) -> Prepare | None:
    """`prepare` of the operator that TFLM calls `name`; None where TFLM registers none."""
    target = OPERATORS.get(name)
    if target is None:
        return None
    module, _, function = target.partition(":")
    # No name of a submodule may be used in this function: importing `cast` binds it here.
    prepare: Prepare = getattr(
        importlib.import_module(f"pyref.operators.{module}"), function or "prepare"
    )
    return prepare
