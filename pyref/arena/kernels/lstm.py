"""UNIDIRECTIONAL_SEQUENCE_LSTM: micro/kernels/unidirectional_sequence_lstm.cc and cmsis_nn/'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyref.arena.lifetimes import TYPE_SIZES

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext

_INPUTS = 24
#: kLstmOutputStateTensor and kLstmCellStateTensor, micro/kernels/lstm_shared.h.
_OUTPUT_STATE = 18
_CELL_STATE = 19
#: CMSIS-NN's kernel sums: data and hidden, for each of four gates.
_KERNEL_SUMS = 8


def init(context: KernelContext) -> None:
    """UnidirectionalSequenceLstmInit."""
    context.op_data("cmsis_nn/lstm.OpData" if context.cmsis_nn else "OpDataLSTM")


def prepare(context: KernelContext) -> None:
    """UnidirectionalSequenceLstmPrepare: kernel sums in the tail for CMSIS-NN, gates in scratch."""
    context.temps(" ".join(f"i{i}" for i in range(_INPUTS)) + " o0")
    sequence = context.input(0)
    cell_type = context.input(_CELL_STATE).type
    shape = context.shape(sequence)
    batches = shape[1] if context.options.time_major else shape[0]
    state = context.shape(context.input(_OUTPUT_STATE))[1]
    buffers = 4
    if context.cmsis_nn and cell_type == "INT16" and sequence.type in {"INT8", "INT16"}:
        bias_bytes = 4 if sequence.type == "INT8" else 8
        for _ in range(_KERNEL_SUMS):
            context.persistent(state * bias_bytes, "kernel sums")
        buffers = 3
    for _ in range(buffers):
        context.scratch(batches * state * TYPE_SIZES[cell_type])
