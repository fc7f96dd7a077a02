"""What a MicroMutableOpResolver must register for a model, to paste into firmware."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.model import Model, OperatorCode

#: TFLM's operator name to the method of MicroMutableOpResolver that registers it
#: (micro_mutable_op_resolver.h, 2026-08); custom operators by their custom code.
METHODS: dict[str, str] = {
    "ABS": "AddAbs",
    "ADD": "AddAdd",
    "ADD_N": "AddAddN",
    "ARG_MAX": "AddArgMax",
    "ARG_MIN": "AddArgMin",
    "ASSIGN_VARIABLE": "AddAssignVariable",
    "AVERAGE_POOL_2D": "AddAveragePool2D",
    "BATCH_MATMUL": "AddBatchMatMul",
    "BATCH_TO_SPACE_ND": "AddBatchToSpaceNd",
    "BROADCAST_ARGS": "AddBroadcastArgs",
    "BROADCAST_TO": "AddBroadcastTo",
    "CALL_ONCE": "AddCallOnce",
    "CAST": "AddCast",
    "CEIL": "AddCeil",
    "CONCATENATION": "AddConcatenation",
    "CONV_2D": "AddConv2D",
    "COS": "AddCos",
    "CUMSUM": "AddCumSum",
    "DEPTHWISE_CONV_2D": "AddDepthwiseConv2D",
    "DEPTH_TO_SPACE": "AddDepthToSpace",
    "DEQUANTIZE": "AddDequantize",
    "DIV": "AddDiv",
    "DYNAMIC_UPDATE_SLICE": "AddDynamicUpdateSlice",
    "ELU": "AddElu",
    "EMBEDDING_LOOKUP": "AddEmbeddingLookup",
    "EQUAL": "AddEqual",
    "EXP": "AddExp",
    "EXPAND_DIMS": "AddExpandDims",
    "FILL": "AddFill",
    "FLOOR": "AddFloor",
    "FLOOR_DIV": "AddFloorDiv",
    "FLOOR_MOD": "AddFloorMod",
    "FULLY_CONNECTED": "AddFullyConnected",
    "GATHER": "AddGather",
    "GATHER_ND": "AddGatherNd",
    "GREATER": "AddGreater",
    "GREATER_EQUAL": "AddGreaterEqual",
    "HARD_SWISH": "AddHardSwish",
    "IF": "AddIf",
    "L2_NORMALIZATION": "AddL2Normalization",
    "L2_POOL_2D": "AddL2Pool2D",
    "LEAKY_RELU": "AddLeakyRelu",
    "LESS": "AddLess",
    "LESS_EQUAL": "AddLessEqual",
    "LOG": "AddLog",
    "LOGICAL_AND": "AddLogicalAnd",
    "LOGICAL_NOT": "AddLogicalNot",
    "LOGICAL_OR": "AddLogicalOr",
    "LOGISTIC": "AddLogistic",
    "LOG_SOFTMAX": "AddLogSoftmax",
    "MAXIMUM": "AddMaximum",
    "MAX_POOL_2D": "AddMaxPool2D",
    "MEAN": "AddMean",
    "MINIMUM": "AddMinimum",
    "MIRROR_PAD": "AddMirrorPad",
    "MUL": "AddMul",
    "NEG": "AddNeg",
    "NOT_EQUAL": "AddNotEqual",
    "PACK": "AddPack",
    "PAD": "AddPad",
    "PADV2": "AddPadV2",
    "PRELU": "AddPrelu",
    "QUANTIZE": "AddQuantize",
    "READ_VARIABLE": "AddReadVariable",
    "REDUCE_ALL": "AddReduceAll",
    "REDUCE_MAX": "AddReduceMax",
    "REDUCE_MIN": "AddReduceMin",
    "RELU": "AddRelu",
    "RELU6": "AddRelu6",
    "RESHAPE": "AddReshape",
    "RESIZE_BILINEAR": "AddResizeBilinear",
    "RESIZE_NEAREST_NEIGHBOR": "AddResizeNearestNeighbor",
    "REVERSE_V2": "AddReverseV2",
    "ROUND": "AddRound",
    "RSQRT": "AddRsqrt",
    "SELECT_V2": "AddSelectV2",
    "SHAPE": "AddShape",
    "SIN": "AddSin",
    "SLICE": "AddSlice",
    "SOFTMAX": "AddSoftmax",
    "SPACE_TO_BATCH_ND": "AddSpaceToBatchNd",
    "SPACE_TO_DEPTH": "AddSpaceToDepth",
    "SPLIT": "AddSplit",
    "SPLIT_V": "AddSplitV",
    "SQRT": "AddSqrt",
    "SQUARE": "AddSquare",
    "SQUARED_DIFFERENCE": "AddSquaredDifference",
    "SQUEEZE": "AddSqueeze",
    "STRIDED_SLICE": "AddStridedSlice",
    "SUB": "AddSub",
    "SUM": "AddSum",
    "SVDF": "AddSvdf",
    "TANH": "AddTanh",
    "TRANSPOSE": "AddTranspose",
    "TRANSPOSE_CONV": "AddTransposeConv",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "AddUnidirectionalSequenceLSTM",
    "UNPACK": "AddUnpack",
    "VAR_HANDLE": "AddVarHandle",
    "WHILE": "AddWhile",
    "ZEROS_LIKE": "AddZerosLike",
    "CIRCULAR_BUFFER": "AddCircularBuffer",
    "SignalDelay": "AddDelay",
    "SignalEnergy": "AddEnergy",
    "SignalFftAutoScale": "AddFftAutoScale",
    "SignalFilterBank": "AddFilterBank",
    "SignalFilterBankLog": "AddFilterBankLog",
    "SignalFilterBankSpectralSubtraction": "AddFilterBankSpectralSubtraction",
    "SignalFilterBankSquareRoot": "AddFilterBankSquareRoot",
    "SignalFramer": "AddFramer",
    "SignalIrfft": "AddIrfft",
    "SignalOverlapAdd": "AddOverlapAdd",
    "SignalPCAN": "AddPCAN",
    "SignalRfft": "AddRfft",
    "SignalStacker": "AddStacker",
    "SignalWindow": "AddWindow",
    "TFLM_DECODE": "AddDecode",
    "TFLite_Detection_PostProcess": "AddDetectionPostprocess",
    "ethos-u": "AddEthosU",
}


@dataclass(frozen=True, slots=True)
class Resolver:
    """Registrations for the operators that a model uses.

    Attributes:
        calls: a call for each operator, such as `AddConv2D()`, in the order of first use.
        own: custom operators that TFLM does not have: the firmware brings their registration.
        missing: operators that cannot be registered: TFLM refuses the model.
    """

    calls: tuple[str, ...]
    own: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def code(self) -> str:
        """C++ to paste; what TFLM lacks is in comments."""
        lines = [f"tflite::MicroMutableOpResolver<{max(1, len(self.calls))}> resolver;"]
        lines += [f"resolver.{call};" for call in self.calls]
        lines += [f"// {name}: custom, the firmware defines its registration" for name in self.own]
        lines += [
            f"// {name}: TFLM has no kernel, AllocateTensors will refuse the model"
            for name in self.missing
        ]
        return "\n".join(lines)


def resolver(model: Model) -> Resolver:
    """Lists what to register; operator codes that no operator uses need nothing."""
    used: dict[str, OperatorCode] = {}
    for subgraph in model.subgraphs:
        for operator in subgraph.operators:
            used.setdefault(operator.op, operator.code)
    calls, own, missing = [], [], []
    for name, code in used.items():
        # A method of this name registers a builtin or a custom operator, never both.
        if name in METHODS and (code.custom is not None) == (name in _CUSTOM):
            calls.append(f"{METHODS[name]}()")
        elif code.custom:
            identifier = "".join(c if c.isascii() and c.isalnum() else "_" for c in name)
            calls.append(f"AddCustom({_literal(name)}, Register_{identifier}())")
            own.append(_one_line(name))
        else:
            missing.append(_one_line(name))
    return Resolver(tuple(calls), tuple(own), tuple(missing))


_CUSTOM = frozenset(name for name in METHODS if not name.isupper()) | {
    "CIRCULAR_BUFFER",
    "TFLM_DECODE",
}


def _literal(name: str) -> str:
    """A C string literal: what is not printable ASCII is written in octal."""
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in name.encode()
    )
    return f'"{plain}"'


def _one_line(name: str) -> str:
    """A name that cannot end a C comment early."""
    return name if name.isprintable() and not name.endswith("\\") else ascii(name)
