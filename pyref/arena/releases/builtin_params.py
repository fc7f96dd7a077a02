"""Builtin data: what each operator's parser allocates, the same in all releases known here.

Sources: core/c/builtin_op_data.h for the structures, core/api/flatbuffer_conversions.cc for what
the parsers allocate, micro/micro_mutable_op_resolver.h for which parser an operator has. A parser
allocates whether or not the file has options. Blocks keep their structure's own alignment.
"""

from __future__ import annotations

from pyref.arena.releases import Struct

_SOURCE = "core/c/builtin_op_data.h"

#: Structure to (sizeof, alignof) in bytes.
PARAMS_STRUCTS: dict[str, Struct] = {
    name: Struct(size, align, _SOURCE)
    for name, size, align in (
        ("TfLiteAddParams", 2, 1),
        ("TfLiteArgMaxParams", 1, 1),
        ("TfLiteArgMinParams", 1, 1),
        ("TfLiteBatchMatMulParams", 3, 1),
        ("TfLiteCallOnceParams", 4, 4),
        ("TfLiteCastParams", 2, 1),
        ("TfLiteConcatenationParams", 8, 4),
        ("TfLiteConvParams", 28, 4),
        ("TfLiteCumsumParams", 2, 1),
        ("TfLiteDepthToSpaceParams", 4, 4),
        ("TfLiteDepthwiseConvParams", 28, 4),
        ("TfLiteDivParams", 1, 1),
        ("TfLiteFullyConnectedParams", 5, 1),
        ("TfLiteGatherParams", 8, 4),
        ("TfLiteIfParams", 8, 4),
        ("TfLiteL2NormParams", 1, 1),
        ("TfLiteLeakyReluParams", 4, 4),
        ("TfLiteMirrorPaddingParams", 1, 1),
        ("TfLiteMulParams", 1, 1),
        ("TfLitePackParams", 8, 4),
        ("TfLitePoolParams", 40, 4),
        ("TfLiteReducerParams", 1, 1),
        ("TfLiteReshapeParams", 36, 4),
        ("TfLiteResizeBilinearParams", 2, 1),
        ("TfLiteResizeNearestNeighborParams", 2, 1),
        ("TfLiteSVDFParams", 8, 4),
        ("TfLiteShapeParams", 1, 1),
        ("TfLiteSoftmaxParams", 4, 4),
        ("TfLiteSpaceToDepthParams", 4, 4),
        ("TfLiteSplitParams", 4, 4),
        ("TfLiteSplitVParams", 4, 4),
        ("TfLiteSqueezeParams", 36, 4),
        ("TfLiteStridedSliceParams", 24, 4),
        ("TfLiteSubParams", 2, 1),
        ("TfLiteTransposeConvParams", 16, 4),
        ("TfLiteUnidirectionalSequenceLSTMParams", 16, 4),
        ("TfLiteUnpackParams", 8, 4),
        ("TfLiteVarHandleParams", 8, 4),
        ("TfLiteWhileParams", 8, 4),
    )
}

#: Operator to the structure that its parser allocates; operators left out have none.
PARAMS: dict[str, str] = {
    "ADD": "TfLiteAddParams",
    "ARG_MAX": "TfLiteArgMaxParams",
    "ARG_MIN": "TfLiteArgMinParams",
    "AVERAGE_POOL_2D": "TfLitePoolParams",
    "BATCH_MATMUL": "TfLiteBatchMatMulParams",
    "CALL_ONCE": "TfLiteCallOnceParams",
    "CAST": "TfLiteCastParams",
    "CONCATENATION": "TfLiteConcatenationParams",
    "CONV_2D": "TfLiteConvParams",
    "CUMSUM": "TfLiteCumsumParams",
    "DEPTHWISE_CONV_2D": "TfLiteDepthwiseConvParams",
    "DEPTH_TO_SPACE": "TfLiteDepthToSpaceParams",
    "DIV": "TfLiteDivParams",
    "FULLY_CONNECTED": "TfLiteFullyConnectedParams",
    "GATHER": "TfLiteGatherParams",
    "IF": "TfLiteIfParams",
    "L2_NORMALIZATION": "TfLiteL2NormParams",
    "L2_POOL_2D": "TfLitePoolParams",
    "LEAKY_RELU": "TfLiteLeakyReluParams",
    "MAX_POOL_2D": "TfLitePoolParams",
    "MEAN": "TfLiteReducerParams",
    "MIRROR_PAD": "TfLiteMirrorPaddingParams",
    "MUL": "TfLiteMulParams",
    "PACK": "TfLitePackParams",
    "REDUCE_ALL": "TfLiteReducerParams",
    "REDUCE_MAX": "TfLiteReducerParams",
    "REDUCE_MIN": "TfLiteReducerParams",
    "RESHAPE": "TfLiteReshapeParams",
    "RESIZE_BILINEAR": "TfLiteResizeBilinearParams",
    "RESIZE_NEAREST_NEIGHBOR": "TfLiteResizeNearestNeighborParams",
    "SHAPE": "TfLiteShapeParams",
    "SOFTMAX": "TfLiteSoftmaxParams",
    "SPACE_TO_DEPTH": "TfLiteSpaceToDepthParams",
    "SPLIT": "TfLiteSplitParams",
    "SPLIT_V": "TfLiteSplitVParams",
    "SQUEEZE": "TfLiteSqueezeParams",
    "STRIDED_SLICE": "TfLiteStridedSliceParams",
    "SUB": "TfLiteSubParams",
    "SUM": "TfLiteReducerParams",
    "SVDF": "TfLiteSVDFParams",
    "TRANSPOSE_CONV": "TfLiteTransposeConvParams",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "TfLiteUnidirectionalSequenceLSTMParams",
    "UNPACK": "TfLiteUnpackParams",
    "VAR_HANDLE": "TfLiteVarHandleParams",
    "WHILE": "TfLiteWhileParams",
}
