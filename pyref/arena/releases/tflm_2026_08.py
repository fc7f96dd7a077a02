"""TFLM of 2026-08-20 with CMSIS-NN of 2026-07-15.

Figures: sizeof and alignof as arm-none-eabi-gcc 12.2 gives them for -mcpu=cortex-m7 with
TF_LITE_STATIC_MEMORY (bare-metal AAPCS: enumerations take the smallest type that holds them).
"""

from __future__ import annotations

from pyref.arena.releases import Release, Struct
from pyref.arena.releases.builtin_params import PARAMS, PARAMS_STRUCTS

_MICRO = "micro/"
_ARENA = "micro/arena_allocator/"
_KERNELS = "micro/kernels/"
_CMSIS = "micro/kernels/cmsis_nn/"
_SIGNAL = "signal/micro/kernels/"

#: The allocators, the interpreter and what stands in the tail for every model.
CORE: dict[str, Struct] = {
    "SingleArenaBufferAllocator": Struct(36, 4, _ARENA + "single_arena_buffer_allocator.h"),
    "RecordingSingleArenaBufferAllocator": Struct(
        52, 4, _ARENA + "recording_single_arena_buffer_allocator.h"
    ),
    "PersistentArenaBufferAllocator": Struct(16, 4, _ARENA + "persistent_arena_buffer_allocator.h"),
    "NonPersistentArenaBufferAllocator": Struct(
        32, 4, _ARENA + "non_persistent_arena_buffer_allocator.h"
    ),
    "MicroAllocator": Struct(36, 4, _MICRO + "micro_allocator.h"),
    "RecordingMicroAllocator": Struct(124, 4, _MICRO + "recording_micro_allocator.h"),
    "MicroBuiltinDataAllocator": Struct(8, 4, _MICRO + "micro_allocator.cc"),
    "GreedyMemoryPlanner": Struct(44, 4, _MICRO + "memory_planner/greedy_memory_planner.h"),
    "LinearMemoryPlanner": Struct(4108, 4, _MICRO + "memory_planner/linear_memory_planner.h"),
    "SubgraphAllocations": Struct(8, 4, _MICRO + "micro_allocator.h"),
    "NodeAndRegistration": Struct(32, 4, _MICRO + "micro_allocator.h"),
    "ScratchBufferHandle": Struct(4, 4, _MICRO + "micro_allocator.h"),
    "ScratchBufferRequest": Struct(12, 4, _MICRO + "micro_allocator.h"),
    "AllocationInfo": Struct(24, 4, _MICRO + "micro_allocation_info.h"),
    "TfLiteEvalTensor": Struct(12, 4, "core/c/common.h"),
    "TfLiteTensor": Struct(32, 4, "core/c/common.h"),
    "TfLiteAffineQuantization": Struct(12, 4, "core/c/common.h"),
    "TfLiteIntArray": Struct(4, 4, "core/c/common.h"),
}

#: OpData of the reference kernels.
REFERENCE: dict[str, Struct] = {
    "OpDataAbsRsqrt": Struct(28, 4, _KERNELS + "elementwise.cc"),
    "OpDataAdd": Struct(60, 4, _KERNELS + "add.h"),
    "add_n.OpData": Struct(40, 4, _KERNELS + "add_n.cc"),
    "OpDataBatchMatmul": Struct(16, 4, _KERNELS + "batch_matmul.h"),
    "batch_matmul.QuantizationOpData": Struct(28, 4, _KERNELS + "batch_matmul.h"),
    "call_once.OpData": Struct(8, 4, _KERNELS + "call_once.cc"),
    "OpDataCircularBuffer": Struct(8, 4, _KERNELS + "circular_buffer.h"),
    "comparisons.OpData": Struct(32, 4, _KERNELS + "comparisons.cc"),
    "concatenation.OpData": Struct(24, 4, _KERNELS + "concatenation.cc"),
    "OpDataConv": Struct(56, 4, _KERNELS + "conv.h"),
    "cumsum.OpData": Struct(36, 4, _KERNELS + "cumsum.cc"),
    "DecodeStateHuffman": Struct(28, 4, _KERNELS + "decode_state_huffman.h"),
    "DecodeStateLut": Struct(36, 4, _KERNELS + "decode_state_lut.h"),
    "DecodeStatePrune": Struct(40, 4, _KERNELS + "decode_state_prune.h"),
    "DequantizeOpData": Struct(32, 8, _KERNELS + "dequantize.h"),
    "detection_postprocess.OpData": Struct(112, 4, _KERNELS + "detection_postprocess.cc"),
    "OpDataDiv": Struct(28, 4, _KERNELS + "div.cc"),
    "elu.OpData": Struct(256, 1, _KERNELS + "elu.cc"),
    "embedding_lookup.OpData": Struct(8, 4, _KERNELS + "embedding_lookup.cc"),
    "OpDataFullyConnected": Struct(48, 4, _KERNELS + "fully_connected.h"),
    "HardSwishParams": Struct(20, 4, "kernels/internal/types.h"),
    "if.OpData": Struct(8, 4, _KERNELS + "if.cc"),
    "L2NormalizationParams": Struct(4, 4, "kernels/internal/types.h"),
    "LeakyReluOpData": Struct(24, 4, _KERNELS + "leaky_relu.h"),
    "LogSoftmaxOpData": Struct(28, 4, _KERNELS + "log_softmax.cc"),
    "OpDataLogistic": Struct(16, 4, _KERNELS + "logistic.h"),
    "OpDataLSTM": Struct(688, 8, _KERNELS + "lstm_shared.h"),
    "OpDataMirrorPad": Struct(20, 4, _KERNELS + "mirror_pad.cc"),
    "OpDataMul": Struct(36, 4, _KERNELS + "mul.h"),
    "pad.OpData": Struct(56, 4, _KERNELS + "pad.h"),
    "OpDataPooling": Struct(32, 4, _KERNELS + "pooling.h"),
    "PreluParams": Struct(28, 4, "kernels/internal/types.h"),
    "OpDataQuantizeReference": Struct(32, 8, _KERNELS + "quantize.h"),
    "OpDataReduce": Struct(44, 4, _KERNELS + "reduce.h"),
    "ReluOpData": Struct(28, 4, _KERNELS + "activations.h"),
    "Relu6OpData": Struct(8, 4, _KERNELS + "activations.h"),
    "select.OpData": Struct(1, 1, _KERNELS + "select.cc"),
    "SoftmaxParams": Struct(56, 8, "kernels/internal/types.h"),
    "SpaceToBatchParams": Struct(4, 4, "kernels/internal/types.h"),
    "squared_difference.OpData": Struct(112, 8, _KERNELS + "squared_difference.cc"),
    "StridedSliceParams": Struct(84, 4, "kernels/internal/types.h"),
    "OpDataSub": Struct(52, 4, _KERNELS + "sub.h"),
    "OpDataSvdf": Struct(36, 4, _KERNELS + "svdf.h"),
    "tanh.OpData": Struct(16, 4, _KERNELS + "tanh.cc"),
    "transpose_conv.OpData": Struct(72, 4, _KERNELS + "transpose_conv.cc"),
    "var_handle.OpData": Struct(4, 4, _KERNELS + "var_handle.cc"),
    "while.OpData": Struct(8, 4, _KERNELS + "while.cc"),
}

#: OpData of the CMSIS-NN kernels that have their own.
CMSIS_NN: dict[str, Struct] = {
    "cmsis_nn/add.OpData": Struct(60, 4, _CMSIS + "add.cc"),
    "cmsis_nn/batch_matmul.OpData": Struct(36, 4, _CMSIS + "batch_matmul.cc"),
    "cmsis_nn/conv.OpData": Struct(60, 4, _CMSIS + "conv.cc"),
    "cmsis_nn/depthwise_conv.OpData": Struct(60, 4, _CMSIS + "depthwise_conv.cc"),
    "cmsis_nn/fully_connected.OpData": Struct(72, 4, _CMSIS + "fully_connected.cc"),
    "cmsis_nn/pooling.OpData": Struct(36, 4, _CMSIS + "pooling.cc"),
    "CMSISNNSoftmaxParams": Struct(64, 8, _CMSIS + "softmax.cc"),
    "CmsisNnOpDataSvdf": Struct(40, 4, _CMSIS + "svdf.cc"),
    "cmsis_nn/transpose_conv.OpData": Struct(76, 4, _CMSIS + "transpose_conv.cc"),
    "cmsis_nn/lstm.OpData": Struct(912, 8, _CMSIS + "unidirectional_sequence_lstm.cc"),
}

#: OpData of the signal library's operators.
SIGNAL: dict[str, Struct] = {
    "CircularBuffer": Struct(24, 4, "signal/src/circular_buffer.h"),
    "TFLMSignalFrontendDelayParams": Struct(20, 4, _SIGNAL + "delay.cc"),
    "TFLMSignalEnergyParams": Struct(8, 4, _SIGNAL + "energy.cc"),
    "TFLMSignalFilterBankParams": Struct(36, 4, _SIGNAL + "filter_bank.cc"),
    "TFLMSignalLogParams": Struct(8, 4, _SIGNAL + "filter_bank_log.cc"),
    "TFLMSignalSpectralSubtractionParams": Struct(
        44, 4, _SIGNAL + "filter_bank_spectral_subtraction.cc"
    ),
    "TFLMSignalFramerParams": Struct(28, 4, _SIGNAL + "framer.cc"),
    "TfLiteAudioFrontendIrfftParams": Struct(24, 4, _SIGNAL + "irfft.cc"),
    "TFLMSignalOverlapAddParams": Struct(24, 4, _SIGNAL + "overlap_add.cc"),
    "TfLitePcanParams": Struct(4, 4, _SIGNAL + "pcan.cc"),
    "TfLiteAudioFrontendRfftParams": Struct(32, 4, _SIGNAL + "rfft.cc"),
    "TFLMSignalStackerParams": Struct(36, 4, _SIGNAL + "stacker.cc"),
    "TFLMSignalWindowParams": Struct(8, 4, _SIGNAL + "window.cc"),
}

RELEASE = Release(
    name="2026-08",
    tflm="90b983c2b",
    cmsis_nn="99f736a6",
    structs=CORE | PARAMS_STRUCTS | REFERENCE | CMSIS_NN | SIGNAL,
    builtin_params=PARAMS,
    absent=frozenset(),
)
