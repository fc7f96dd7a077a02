"""The signal library's operators whose memory depends on their options.

Sources: signal/micro/kernels/*.cc, signal/src/circular_buffer.cc, and for the Fourier transforms
kissfft 130 (kiss_fft.c, tools/kiss_fftr.c), whose state TFLM keeps in the tail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext

#: Position of num_channels among the options of SignalFilterBankSpectralSubtraction.
_SUBTRACTION_CHANNELS = 4
#: sizeof(IrfftFloatState), signal/src/irfft_float.cc.
_IRFFT_FLOAT_STATE_BYTES = 8
#: TensorType in the options' "T" to bytes of a sample.
_SAMPLE_BYTES = {0: 4, 2: 4, 7: 2}


def _option(context: KernelContext, index: int) -> int:
    return context.custom_options.integer(index)


def _sample_bytes(context: KernelContext) -> int:
    kind = context.custom_options.named_integer("T")
    if kind not in _SAMPLE_BYTES:
        context.refuse(f"{context.op.op}: no kernel for samples of tensor type {kind}")
    return _SAMPLE_BYTES[kind]


def _circular_buffer(context: KernelContext, capacity: int) -> None:
    """CircularBufferGetNeededMemory: the header and twice `capacity` samples of 16 bits."""
    header = context.release.struct("CircularBuffer").size
    context.persistent(header + 4 * capacity, "circular buffer")


def _outer_dims(context: KernelContext, inner: int) -> int:
    return context.elements(context.input(0)) // inner


def init_delay(context: KernelContext) -> None:
    """DelayInit."""
    context.op_data("TFLMSignalFrontendDelayParams")


def prepare_delay(context: KernelContext) -> None:
    """DelayPrepare: one circular buffer for each outer row."""
    context.temps("i0 o0")
    frame = context.shape(context.input(0))[-1]
    _ring_of_buffers(context, _outer_dims(context, frame), frame + _option(context, 0))


def _ring_of_buffers(context: KernelContext, outer: int, capacity: int) -> None:
    context.persistent(4 * outer, "state buffer pointers")
    context.persistent(4 * outer, "circular buffer pointers")
    for _ in range(outer):
        _circular_buffer(context, capacity)


def init_filter_bank(context: KernelContext) -> None:
    """FilterBankInit: a work area of 64-bit sums."""
    context.op_data("TFLMSignalFilterBankParams")
    context.persistent(8 * (_option(context, 0) + 1), "work area")


def prepare_filter_bank(context: KernelContext) -> None:
    """FilterBankPrepare."""
    context.temps("i0 i1 i2 i3 i4 i5 o0")


def init_spectral_subtraction(context: KernelContext) -> None:
    """FilterBankSpectralSubtractionInit."""
    context.op_data("TFLMSignalSpectralSubtractionParams")
    channels = _option(context, _SUBTRACTION_CHANNELS)
    context.persistent(4 * channels, "noise estimate")


def prepare_spectral_subtraction(context: KernelContext) -> None:
    """FilterBankSpectralSubtractionPrepare."""
    context.temps("i0 o0 o1")


def init_framer(context: KernelContext) -> None:
    """FramerInit."""
    context.op_data("TFLMSignalFramerParams")


def prepare_framer(context: KernelContext) -> None:
    """FramerPrepare."""
    context.temps("i0 o0 o1")
    size, step = _option(context, 0), _option(context, 1)
    capacity = (size + step - 1) // step * step
    inner = context.shape(context.input(0))[-1]
    _ring_of_buffers(context, _outer_dims(context, inner), capacity)


def _kiss_fftr_state(context: KernelContext) -> int:
    """kiss_fftr_alloc: bytes of the state of a real transform of fft_length samples."""
    half = _option(context, 1) // 2
    complex_bytes = 2 * _sample_bytes(context)
    # kiss_fft_state: nfft, inverse, 2 * MAXFACTORS factors, then one twiddle of nfft.
    substate = 4 * (2 + 2 * 32) + complex_bytes + complex_bytes * (half - 1)
    return 12 + substate + complex_bytes * (half * 3 // 2)


def init_irfft(context: KernelContext) -> None:
    """IrfftInit."""
    context.op_data("TfLiteAudioFrontendIrfftParams")
    state = _kiss_fftr_state(context)
    if context.custom_options.named_integer("T") == 0:
        state += _IRFFT_FLOAT_STATE_BYTES
    context.persistent(state, "transform state")


def prepare_irfft(context: KernelContext) -> None:
    """IrfftPrepare."""
    context.temps("i0 o0")


def init_rfft(context: KernelContext) -> None:
    """RfftInit."""
    context.op_data("TfLiteAudioFrontendRfftParams")
    context.persistent(_kiss_fftr_state(context), "transform state")


def prepare_rfft(context: KernelContext) -> None:
    """RfftPrepare: a padded frame in scratch."""
    context.temps("i0 o0")
    context.scratch(_option(context, 1) * _sample_bytes(context))


def init_overlap_add(context: KernelContext) -> None:
    """OverlapAddInit."""
    context.op_data("TFLMSignalOverlapAddParams")


def prepare_overlap_add(context: KernelContext) -> None:
    """OverlapAddPrepare: one frame of state for each outer row."""
    context.temps("i0 o0")
    *_, frames, frame_size = context.shape(context.input(0))
    outer = _outer_dims(context, frames * frame_size)
    context.persistent(4 * outer, "state buffer pointers")
    for _ in range(outer):
        context.persistent(frame_size * _sample_bytes(context), "overlap state")


def init_stacker(context: KernelContext) -> None:
    """StackerInit."""
    context.op_data("TFLMSignalStackerParams")
    channels, left, right = (_option(context, i) for i in range(3))
    _circular_buffer(context, channels * (left + right + 1))


def prepare_stacker(context: KernelContext) -> None:
    """StackerPrepare."""
    context.temps("i0 o0 o1")
