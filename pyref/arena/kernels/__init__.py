"""What each of TFLM's kernels takes of the arena in Init and Prepare.

An operator whose demands do not depend on shapes, types or options is one line in fixed.py; any
other has functions in a file of its kernel's name and a line here. A test holds this table and
pyref.operators.OPERATORS equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pyref.arena.kernels import (
    add,
    batch_matmul,
    concatenation,
    conv,
    cumsum,
    decode,
    detection_postprocess,
    elu,
    fully_connected,
    lstm,
    mirror_pad,
    pooling,
    reduce,
    reshaped,
    signal,
    softmax,
    svdf,
    transpose_conv,
    variables,
)
from pyref.arena.kernels.fixed import FIXED, Fixed

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext

Step = Callable[["KernelContext"], None]


class Kernel(NamedTuple):
    """A kernel's two steps."""

    init: Step
    prepare: Step


def _nothing(_context: KernelContext) -> None:
    """Init of a kernel that has none."""


def _fixed(entry: Fixed) -> Kernel:
    def init(context: KernelContext) -> None:
        if entry.op_data:
            context.op_data(entry.op_data)

    def prepare(context: KernelContext) -> None:
        context.temps(entry.temps)

    return Kernel(init, prepare)


#: TFLM's operator name to its kernel.
KERNELS: dict[str, Kernel] = {op: _fixed(entry) for op, entry in FIXED.items()} | {
    "ADD": Kernel(add.init_add, add.prepare_add),
    "ADD_N": Kernel(_nothing, add.prepare_add_n),
    "ASSIGN_VARIABLE": Kernel(_nothing, variables.prepare_assign_variable),
    "AVERAGE_POOL_2D": Kernel(pooling.init, pooling.prepare_average),
    "BATCH_MATMUL": Kernel(batch_matmul.init, batch_matmul.prepare),
    "CONCATENATION": Kernel(concatenation.init, concatenation.prepare),
    "CONV_2D": Kernel(conv.init_conv, conv.prepare_conv),
    "CUMSUM": Kernel(_nothing, cumsum.prepare_cumsum),
    "DEPTH_TO_SPACE": Kernel(_nothing, reshaped.prepare_depth_to_space),
    "DEPTHWISE_CONV_2D": Kernel(conv.init_depthwise_conv, conv.prepare_depthwise_conv),
    "ELU": Kernel(elu.init, elu.prepare),
    "EMBEDDING_LOOKUP": Kernel(_nothing, reshaped.prepare_embedding_lookup),
    "FULLY_CONNECTED": Kernel(fully_connected.init, fully_connected.prepare),
    "GATHER": Kernel(_nothing, reshaped.prepare_gather),
    "GATHER_ND": Kernel(_nothing, reshaped.prepare_gather_nd),
    "L2_POOL_2D": Kernel(_nothing, reshaped.prepare_l2_pool_2d),
    "LOG_SOFTMAX": Kernel(_nothing, softmax.prepare_log_softmax),
    "MAX_POOL_2D": Kernel(pooling.init, pooling.prepare_max),
    "MEAN": Kernel(reduce.init, reduce.prepare_mean_or_sum),
    "MIRROR_PAD": Kernel(mirror_pad.init, mirror_pad.prepare),
    "REDUCE_ALL": Kernel(reduce.init, reduce.prepare_all),
    "REDUCE_MAX": Kernel(reduce.init, reduce.prepare_min_max),
    "REDUCE_MIN": Kernel(reduce.init, reduce.prepare_min_max),
    "SOFTMAX": Kernel(softmax.init, softmax.prepare),
    "SPACE_TO_DEPTH": Kernel(_nothing, reshaped.prepare_space_to_depth),
    "SUM": Kernel(reduce.init, reduce.prepare_mean_or_sum),
    "SVDF": Kernel(svdf.init, svdf.prepare),
    "TRANSPOSE_CONV": Kernel(transpose_conv.init, transpose_conv.prepare),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": Kernel(lstm.init, lstm.prepare),
    "VAR_HANDLE": Kernel(variables.init_var_handle, variables.prepare_var_handle),
    "TFLM_DECODE": Kernel(_nothing, decode.prepare),
    "TFLite_Detection_PostProcess": Kernel(
        detection_postprocess.init, detection_postprocess.prepare
    ),
    "SignalDelay": Kernel(signal.init_delay, signal.prepare_delay),
    "SignalFilterBank": Kernel(signal.init_filter_bank, signal.prepare_filter_bank),
    "SignalFilterBankSpectralSubtraction": Kernel(
        signal.init_spectral_subtraction, signal.prepare_spectral_subtraction
    ),
    "SignalFramer": Kernel(signal.init_framer, signal.prepare_framer),
    "SignalIrfft": Kernel(signal.init_irfft, signal.prepare_irfft),
    "SignalOverlapAdd": Kernel(signal.init_overlap_add, signal.prepare_overlap_add),
    "SignalRfft": Kernel(signal.init_rfft, signal.prepare_rfft),
    "SignalStacker": Kernel(signal.init_stacker, signal.prepare_stacker),
}
