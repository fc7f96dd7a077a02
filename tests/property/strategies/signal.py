"""The signal library's operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.property.instance import Fed, Instance, filled, given, single

if TYPE_CHECKING:
    from tests.property.draw import Draw

#: TensorType codes that the attribute T holds.
CODES = {"FLOAT32": 0, "INT32": 2, "INT16": 7}


def delay(d: Draw) -> Instance:
    """SignalDelay."""
    shape = d.shape(1, 3, most=8)
    custom = {"delay_length": d.integer(0, 12)}
    x, y = Fed(shape, "INT16"), Fed(shape, "INT16")
    return single(d, "SignalDelay", [x], [y], custom=custom, invocations=3, breakable=False)


def energy(d: Draw) -> Instance:
    """SignalEnergy of all elements; of the others TFLM leaves what was there."""
    size = d.integer(1, 500)
    x, y = Fed([2 * size], "INT16"), Fed([size], "UINT32")
    custom = {"end_index": size, "start_index": 0}
    return single(d, "SignalEnergy", [x], [y], custom=custom)


def fft_auto_scale(d: Draw) -> Instance:
    """SignalFftAutoScale."""
    size = d.integer(1, 500)
    limit = 2 ** d.integer(0, 15)
    x = filled(d, Fed([size], "INT16"), constant=0, low=-limit, high=min(limit, 32767))
    outputs = [Fed([size], "INT16"), Fed([], "INT32")]
    return single(d, "SignalFftAutoScale", [x], outputs, custom=b"")


def filter_bank(d: Draw) -> Instance:
    """SignalFilterBank: channels anywhere within the input and the weights."""
    channels, size, count = d.integer(1, 6), d.integer(4, 24), d.integer(4, 24)
    widths = [d.integer(0, 4) for _ in range(channels + 1)]
    starts = [d.integer(0, size - w) for w in widths]
    weight_starts = [d.integer(0, count - w) for w in widths]
    x = Fed([size], "UINT32")
    inputs = [
        x,
        filled(d, Fed([count], "INT16"), constant=90, low=0, high=4096),
        filled(d, Fed([count], "INT16"), constant=90, low=0, high=4096),
        given(d, starts, "INT16"),
        given(d, weight_starts, "INT16"),
        given(d, widths, "INT16"),
    ]
    custom = {"num_channels": channels}
    y = Fed([channels], "UINT64")
    return single(d, "SignalFilterBank", inputs, [y], custom=custom, breakable=False)


def filter_bank_log(d: Draw) -> Instance:
    """SignalFilterBankLog."""
    size = d.integer(1, 12)
    custom = {
        "input_correction_bits": d.integer(0, 6),
        "output_scale": 2 ** d.integer(0, 11),
    }
    y = Fed([size], "INT16")
    return single(d, "SignalFilterBankLog", [Fed([size], "UINT32")], [y], custom=custom)


def spectral_subtraction(d: Draw) -> Instance:
    """SignalFilterBankSpectralSubtraction: the noise estimate is kept."""
    size, bits = d.integer(1, 8), d.integer(10, 16)
    one = 2**bits
    smoothing, alternate = d.integer(0, one), d.integer(0, one)
    custom = {
        "alternate_one_minus_smoothing": one - alternate,
        "alternate_smoothing": alternate,
        "clamping": bool(d.integer(0, 1)),
        "min_signal_remaining": d.integer(0, one),
        "num_channels": size,
        "one_minus_smoothing": one - smoothing,
        "smoothing": smoothing,
        "smoothing_bits": d.integer(0, 12),
        "spectral_subtraction_bits": bits,
    }
    outputs = [Fed([size], "UINT32"), Fed([size], "UINT32")]
    return single(
        d,
        "SignalFilterBankSpectralSubtraction",
        [Fed([size], "UINT32")],
        outputs,
        custom=custom,
        invocations=3,
        breakable=False,
    )


def square_root(d: Draw) -> Instance:
    """SignalFilterBankSquareRoot."""
    size = d.integer(1, 100)
    bits = filled(d, Fed([], "INT32"), constant=30, low=0, high=10)
    inputs = [Fed([size], "UINT64"), bits]
    y = Fed([size], "UINT32")
    return single(d, "SignalFilterBankSquareRoot", inputs, [y], custom=b"", breakable=False)


def framer(d: Draw) -> Instance:
    """SignalFramer: prefilled, or long enough that what is not yet written shows as such."""
    step, frames = d.integer(1, 6), d.integer(1, 3)
    size = step * d.integer(1, 3) + (d.integer(0, step - 1) if d.chance(30) else 0)
    outer = d.shape(0, 1, most=3)
    prefill = not d.chance(15)
    x = Fed([*outer, step * frames], "INT16")
    outputs = [Fed([*outer, frames, size], "INT16"), Fed([], "BOOL")]
    custom = {"frame_size": size, "frame_step": step, "prefill": prefill}
    return single(d, "SignalFramer", [x], outputs, custom=custom, invocations=3, breakable=False)


def stacker(d: Draw) -> Instance:
    """SignalStacker: mostly without frames to come, so that every output is written."""
    channels, left = d.integer(1, 24), d.integer(0, 6)
    right = d.integer(1, 2) if d.chance(15) else 0
    step = 1 if right == 0 else d.integer(1, 2)
    custom = {
        "num_channels": channels,
        "stacker_left_context": left,
        "stacker_right_context": right,
        "stacker_step": step,
    }
    outputs = [Fed([channels * (left + right + 1)], "INT16"), Fed([], "BOOL")]
    x = Fed([channels], "INT16")
    return single(d, "SignalStacker", [x], outputs, custom=custom, invocations=4, breakable=False)


def overlap_add(d: Draw) -> Instance:
    """SignalOverlapAdd: int16 and float32."""
    type_ = d.choice(("INT16", "FLOAT32"))
    step, frames = d.integer(1, 6), d.integer(1, 3)
    size = step + d.integer(0, 6)
    outer = d.shape(0, 1, most=3)
    x, y = Fed([*outer, frames, size], type_), Fed([*outer, frames * step], type_)
    custom = {"T": CODES[type_], "frame_step": step}
    return single(d, "SignalOverlapAdd", [x], [y], custom=custom, invocations=3, breakable=False)


def pcan(d: Draw) -> Instance:
    """SignalPCAN with a table of gains as long as it can be indexed."""
    size = d.integer(1, 10)
    inputs = [
        Fed([size], "UINT32"),
        Fed([size], "UINT32"),
        filled(d, Fed([128], "INT16"), constant=95, low=-16384, high=16383),
    ]
    custom = {"snr_shift": d.integer(0, 20)}
    y = Fed([size], "UINT32")
    return single(d, "SignalPCAN", inputs, [y], custom=custom, breakable=False)


def _length(d: Draw) -> int:
    """An even length whose half has no prime factor above 5: TFLM's process ends on others."""
    return d.choice((4, 8, 16, 32, 64, 128, 6, 10, 12, 18, 20, 24, 30, 36, 40, 50, 60, 100))


def rfft(d: Draw) -> Instance:
    """SignalRfft: int16, int32, float32; inputs shorter than the transform are padded."""
    type_, length = d.choice(("INT16", "INT32", "FLOAT32")), _length(d)
    outer = d.shape(0, 1, most=3)
    size = d.integer(1, length) if d.integer(0, 1) else length
    x, y = Fed([*outer, size], type_), Fed([*outer, length + 2], type_)
    custom = {"T": CODES[type_], "fft_length": length}
    return single(d, "SignalRfft", [x], [y], custom=custom, breakable=False)


def irfft(d: Draw) -> Instance:
    """SignalIrfft."""
    type_, length = d.choice(("INT16", "INT32", "FLOAT32")), _length(d)
    outer = d.shape(0, 1, most=3)
    x, y = Fed([*outer, length + 2], type_), Fed([*outer, length], type_)
    custom = {"T": CODES[type_], "fft_length": length}
    return single(d, "SignalIrfft", [x], [y], custom=custom, breakable=False)


def window(d: Draw) -> Instance:
    """SignalWindow."""
    shape = d.shape(1, 3, most=12)
    shape_of_weights = [shape[-1]]
    weights = filled(d, Fed(shape_of_weights, "INT16"), constant=85)
    custom = {"shift": d.integer(0, 15)}
    inputs = [Fed(shape, "INT16"), weights]
    return single(d, "SignalWindow", inputs, [Fed(shape, "INT16")], custom=custom, breakable=False)


def detection_postprocess(d: Draw) -> Instance:
    """TFLite_Detection_PostProcess: both ways of suppression, quantised or float32."""
    regular = bool(d.integer(0, 1))
    least = 2 if regular else 1  # of one box or one detection TFLM's scratch buffers are too small
    boxes, classes, background = d.integer(least, 10), d.integer(1, 4), d.integer(0, 1)
    # Without `use_regular_nms` TFLM writes class c of detection k at k * classes + c: with gaps.
    most, per_class = d.integer(least, 6), d.integer(1, 3) if regular else 1
    encodings = Fed([1, boxes, 4], "FLOAT32")
    scores = Fed([1, boxes, classes + background], "FLOAT32")
    anchors = Fed([boxes, 4], "FLOAT32", data=_anchors(d, boxes))
    encodings = filled(d, encodings, constant=5, low=-3, high=3)
    scores = filled(d, scores, constant=5, low=0, high=1)
    custom: dict[str, Any] = {
        "max_detections": most,
        "max_classes_per_detection": min(per_class, classes),
        "nms_score_threshold": d.choice((0.0, 0.3, 0.6)),
        "nms_iou_threshold": d.choice((0.5, 0.1, 0.9, 1.0)),
        "num_classes": classes,
        "y_scale": 10.0,
        "x_scale": 10.0,
        "h_scale": 5.0,
        "w_scale": 5.0,
        "use_regular_nms": regular,
    }
    if d.integer(0, 1):
        custom["detections_per_class"] = d.integer(1, 5)
    outputs = [
        Fed([1, most, 4], "FLOAT32"),
        Fed([1, most], "FLOAT32"),
        Fed([1, most], "FLOAT32"),
        Fed([1], "FLOAT32"),
    ]
    inputs = [encodings, scores, anchors]
    code = "TFLite_Detection_PostProcess"
    return single(d, code, inputs, outputs, custom=custom, breakable=False)


def _anchors(d: Draw, boxes: int) -> Any:
    centres = d.values("FLOAT32", [boxes, 2], low=0, high=1)
    sizes = np.abs(d.values("FLOAT32", [boxes, 2], low=0, high=1)) + np.float32(0.1)
    return np.concatenate([centres, sizes], axis=1).astype(np.float32)
