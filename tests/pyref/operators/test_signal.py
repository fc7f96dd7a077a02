"""The signal library's operators against TFLM."""

from __future__ import annotations

import numpy as np
import pytest
from flatbuffers import flexbuffers

import pyref
from fixtures.writer import build, one_operator
from pyref.errors import RefusedError
from pyref.interpreter import Interpreter
from pyref.operators.signal.fft_auto_scale import max_abs
from tests.pyref.equal import assert_same
from tests.pyref.operators.tensors import constant, plain
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(7)
T = {"FLOAT32": 0, "INT32": 2, "INT16": 7}


def signal(name, inputs, outputs, **options):
    data = bytes(flexbuffers.Dumps(options)) if options else None
    return one_operator("CUSTOM", inputs, outputs, custom_code=f"Signal{name}", custom_options=data)


def window(shift=12, shape=(2, 16), weights=16, **more):
    values = constant(RNG.integers(-32768, 32768, weights), "INT16")
    return signal(
        "Window", [plain(shape, "INT16"), values], [plain(shape, "INT16")], shift=shift, **more
    )


def auto_scale(size=16, bits=()):
    return signal(
        "FftAutoScale", [plain([size], "INT16")], [plain([size], "INT16"), plain(bits, "INT32")]
    )


def rfft(length, type_="INT16", *, given=None, frames=2, kind=None):
    inputs = [plain([frames, given or length], type_)]
    outputs = [plain([frames, length + 2], type_)]
    return signal("Rfft", inputs, outputs, T=T[kind or type_], fft_length=length)


def irfft(length, type_="INT16", *, frames=2):
    inputs, outputs = [plain([frames, length + 2], type_)], [plain([frames, length], type_)]
    return signal("Irfft", inputs, outputs, T=T[type_], fft_length=length)


def energy(start, end, bins=20):
    return signal(
        "Energy",
        [plain([2 * bins], "INT16")],
        [plain([bins], "UINT32")],
        start_index=start,
        end_index=end,
    )


def filter_bank():
    starts, weights, widths = [0, 3, 6, 9], [0, 3, 6, 9], [3, 3, 3, 4]
    return signal(
        "FilterBank",
        [
            plain([16], "UINT32"),
            constant(RNG.integers(0, 4096, 13), "INT16"),
            constant(RNG.integers(-4096, 4096, 13), "INT16"),
            constant(starts, "INT16"),
            constant(weights, "INT16"),
            constant(widths, "INT16"),
        ],
        [plain([3], "UINT64")],
        num_channels=3,
    )


def square_root(channels=12):
    return signal(
        "FilterBankSquareRoot",
        [plain([channels], "UINT64"), plain([], "INT32")],
        [plain([channels], "UINT32")],
    )


def spectral_subtraction(*, clamping=False, channels=6):
    return signal(
        "FilterBankSpectralSubtraction",
        [plain([channels], "UINT32")],
        [plain([channels], "UINT32"), plain([channels], "UINT32")],
        smoothing=410,
        alternate_smoothing=983,
        one_minus_smoothing=15974,
        alternate_one_minus_smoothing=15401,
        smoothing_bits=10,
        min_signal_remaining=819,
        clamping=clamping,
        num_channels=channels,
        spectral_subtraction_bits=14,
    )


def pcan(channels=9):
    gains = constant(RNG.integers(-32768, 32768, 125), "INT16")
    return signal(
        "PCAN",
        [plain([channels], "UINT32"), plain([channels], "UINT32"), gains],
        [plain([channels], "UINT32")],
        snr_shift=6,
    )


def log(channels=16, scale=1600, correction=3):
    return signal(
        "FilterBankLog",
        [plain([channels], "UINT32")],
        [plain([channels], "INT16")],
        output_scale=scale,
        input_correction_bits=correction,
    )


def framer(size, step, given, *, prefill=True, outer=(2,), frames=None):
    frames = given // step if frames is None else frames
    return signal(
        "Framer",
        [plain([*outer, given], "INT16")],
        [plain([*outer, frames, size], "INT16"), plain([], "BOOL")],
        frame_size=size,
        frame_step=step,
        prefill=prefill,
    )


def stacker(channels=3, left=1, right=1, step=2):
    size = channels * (left + right + 1)
    return signal(
        "Stacker",
        [plain([channels], "INT16")],
        [plain([size], "INT16"), plain([], "BOOL")],
        num_channels=channels,
        stacker_left_context=left,
        stacker_right_context=right,
        stacker_step=step,
    )


def overlap_add(type_="INT16", size=8, step=3, frames=2):
    inputs, outputs = [plain([2, frames, size], type_)], [plain([2, frames * step], type_)]
    return signal("OverlapAdd", inputs, outputs, T=T[type_], frame_step=step)


def delay(length, shape=(2, 5)):
    return signal("Delay", [plain(shape, "INT16")], [plain(shape, "INT16")], delay_length=length)


ROOTS = [
    np.array(
        [
            0,
            1,
            2,
            3,
            2**16,
            2**32 - 1,
            2**32,
            2**52 + 1,
            2**53 + 1,
            2**63,
            2**64 - 2**33,
            2**64 - 1,
        ],
        np.uint64,
    ),
    np.array(1, np.int32),
]
EDGES = np.array(
    [0, 1, 2, 3, 7, 8, 9, 255, 65535, 65536, 65537, 10**6, 10**8, 2**29 - 1, 2**31, 2**32 - 1],
    np.uint32,
)
CASES = {
    "window": window(),
    "window-saturates": window(shift=3),
    "auto-scale": auto_scale(),
    "auto-scale-quiet": auto_scale(8),
    "auto-scale-zeros": auto_scale(8),
    "auto-scale-smallest": auto_scale(6),
    **{f"rfft-{n}": rfft(n) for n in (4, 6, 8, 10, 16, 18, 20, 30, 64, 512)},
    "rfft-zero-padded": rfft(32, given=20),
    **{f"rfft-int32-{n}": rfft(n, "INT32") for n in (8, 30, 64)},
    **{f"irfft-{n}": irfft(n) for n in (4, 6, 16, 20, 30, 64)},
    **{f"irfft-int32-{n}": irfft(n, "INT32") for n in (8, 30)},
    "energy": energy(0, 20),
    "filter-bank": filter_bank(),
    "square-root": square_root(),
    "spectral-subtraction": spectral_subtraction(),
    "spectral-subtraction-clamping": spectral_subtraction(clamping=True),
    "pcan": pcan(),
    "pcan-edges": pcan(16),
    "log": log(),
    "log-large-scale": log(scale=2**20, correction=0),
    "framer": framer(8, 4, 8),
    "framer-uneven": framer(7, 3, 6),
    "framer-no-prefill": framer(4, 4, 8, prefill=False),
    "stacker-no-context": stacker(left=0, right=0, step=1),
    "stacker-left": stacker(left=2, right=0, step=1),
    "overlap-add": overlap_add(),
    "overlap-add-float": overlap_add("FLOAT32"),
    "delay": delay(3),
    "delay-longer-than-a-frame": delay(8),
    "refused-window-type": signal(
        "Window", [plain([4], "INT32"), constant([1, 2], "INT16")], [plain([4], "INT16")], shift=1
    ),
    "refused-auto-scale-bits": auto_scale(bits=[1]),
    "refused-rfft-type": rfft(8, "INT16", kind="INT32"),
    "refused-framer-step": framer(8, 4, 6, frames=1),
    "refused-framer-short": framer(8, 4, 3, frames=1),
    "refused-delay-type": signal(
        "Delay", [plain([4], "INT8")], [plain([4], "INT8")], delay_length=1
    ),
}
BIG = {"INT32": (-(2**31), 2**31)}
INPUTS = {
    "auto-scale-quiet": [np.array([3, -5, 0, 7, -8, 1, 2, 6], np.int16)],
    "auto-scale-zeros": [np.zeros(8, np.int16)],
    "auto-scale-smallest": [np.array([9, -32768, -7, -20, -3, -9], np.int16)],
    **{
        f"{op}-int32-{n}": [RNG.integers(*BIG["INT32"], (2, n + extra)).astype(np.int32)]
        for op, n, extra in (
            ("rfft", 8, 0),
            ("rfft", 30, 0),
            ("rfft", 64, 0),
            ("irfft", 8, 2),
            ("irfft", 30, 2),
        )
    },
    "filter-bank": [RNG.integers(0, 2**32, 16).astype(np.uint32)],
    "square-root": ROOTS,
    "pcan": [
        RNG.integers(0, 2**32, 9).astype(np.uint32),
        RNG.integers(0, 2**32, 9).astype(np.uint32),
    ],
    "pcan-edges": [EDGES[::-1].copy(), EDGES],
    "log": [EDGES],
    "log-large-scale": [EDGES],
}
TABLE = Table(CASES, inputs=INPUTS, invocations=5)
FLOATS = Table(
    {
        **{f"rfft-{n}": rfft(n, "FLOAT32") for n in (4, 8, 20, 30, 64)},
        **{f"irfft-{n}": irfft(n, "FLOAT32") for n in (4, 8, 20, 30, 64)},
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@FLOATS.parametrize
def test_float_fft_like_tflm(case):
    FLOATS.check(case)


def test_stream_of_spectra_adapts_its_noise_estimate():
    table = Table({"x": spectral_subtraction()})
    model = pyref.Model.from_bytes(table.cases["x"])
    interpreter = Interpreter(model)
    x = np.array([1000, 2000, 30, 4, 50000, 6], np.uint32)
    noise = [interpreter.invoke([x]).outputs[1] for _ in range(3)]
    assert (noise[1] > noise[0]).all()
    interpreter.reset()
    assert_same(interpreter.invoke([x]).outputs[1], noise[0])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, -5, 3], 5),
        ([], 0),
        ([9, -32768], -32768),
        ([9, -32768, 5], 5),
        ([-32768, -7, -20], 20),
        ([-32768, -20, -7], -7),
    ],
)
def test_the_smallest_int16_restarts_the_search(values, expected):
    """MaxAbs16 stores -(-32768) in an int16."""
    assert max_abs(np.array(values, np.int16)) == expected


def test_frames_that_are_not_full_are_zeros_and_not_valid():
    """TFLM leaves them as they were."""
    interpreter = Interpreter(pyref.Model.from_bytes(build(framer(6, 3, 3, prefill=False))))
    x = np.arange(1, 7, dtype=np.int16).reshape(2, 3)
    frame, valid = interpreter.invoke([x]).outputs
    assert not frame.any()
    assert not valid
    frame, valid = interpreter.invoke([x + 10]).outputs
    assert frame[0, 0].tolist() == [1, 2, 3, 11, 12, 13]
    assert valid


def test_first_frame_stands_for_those_before_it():
    interpreter = Interpreter(pyref.Model.from_bytes(build(stacker())))
    results = [interpreter.invoke([np.full(3, i, np.int16)]).outputs for i in (1, 2, 3, 4)]
    assert [bool(valid) for _, valid in results] == [False, True, False, True]
    assert results[1][0].tolist() == [1] * 6 + [2] * 3
    assert results[3][0].tolist() == [2] * 3 + [3] * 3 + [4] * 3


def test_bins_outside_are_zeros():
    """TFLM does not write them."""
    x = np.arange(1, 41, dtype=np.int16)
    (output,) = Table({"x": energy(3, 5)}, inputs={"x": [x]}).run("x")[0]
    assert np.flatnonzero(output).tolist() == [3, 4]
    assert output[3] == 7**2 + 8**2


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (window(shape=(18,)), "18 samples by 16 weights"),
        (rfft(9), "Real FFT optimization must be even"),
        (rfft(22), "no prime factors but 2, 3 and 5"),
        (rfft(2), "no prime factors but 2, 3 and 5"),
        (rfft(8, given=10), "TFLM would go beyond its tensors"),
        (rfft(8, "INT16", kind="INT16", frames=1), None),
        (energy(0, 21), "bins 0 to 21 of 20"),
        (stacker(step=9), "a step of 9; undefined in TFLM"),
        (overlap_add(step=9), "every 9 samples"),
        (signal("Rfft", [plain([8], "INT8")], [plain([10], "INT8")], T=9, fft_length=8), "T is 9"),
        (signal("Delay", [plain([4], "INT16")], [plain([4], "INT16")]), "custom options cannot be"),
    ],
    ids=[
        "window",
        "odd",
        "radix-11",
        "radix-1",
        "long",
        "sound",
        "energy",
        "stacker",
        "overlap",
        "type",
        "no-options",
    ],
)
def test_what_tflm_does_not_check_is_refused(model, reason):
    data = build(model)
    if reason is None:
        Interpreter(pyref.Model.from_bytes(data))
        return
    with pytest.raises(RefusedError, match=reason):
        Interpreter(pyref.Model.from_bytes(data))
