"""TFLM_DECODE: micro/kernels/decode.cc, decode_state.cc, decode_state_prune.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext

#: DecodeState::kDcmType..., the ancillary tensor's first byte.
_STATES = {0: "DecodeStateLut", 1: "DecodeStateHuffman", 2: "DecodeStatePrune"}


def prepare(context: KernelContext) -> None:
    """DECODE's Prepare: one state object for each pair of input and ancillary tensor."""
    context.persistent(4 * len(context.op.outputs), "DecodeState pointers")
    for number in range(len(context.op.outputs)):
        context.temps(f"i{2 * number} i{2 * number + 1} o{number}")
        ancillary = context.input(2 * number + 1)
        if ancillary.raw is None or len(ancillary.raw) == 0:
            context.refuse("TFLM_DECODE: the ancillary tensor is not constant")
        kind = bytes(ancillary.raw[:1])[0]
        state = _STATES.get(kind)
        if state is None:
            context.refuse(f"unsupported decode type {kind}")
        context.op_data(state)
        if state == "DecodeStatePrune":
            _zero_points(context, number)


def _zero_points(context: KernelContext, number: int) -> None:
    """DecodeStatePrune::Setup keeps zero points of several channels that are not all zero."""
    quantization = context.output(number).quantization
    if quantization is None:
        return
    channels = len(quantization.scale)
    if channels > 1 and quantization.zero_point.any():
        context.persistent(channels, "zero points")
