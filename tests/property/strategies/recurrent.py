"""Operators with variable tensors: SVDF, LSTM, CIRCULAR_BUFFER."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.property.instance import Fed, Instance, filled, quantized, single

if TYPE_CHECKING:
    from tests.property.draw import Draw


def svdf(d: Draw) -> Instance:
    """SVDF: float32, or int8 with int16 or int8 state and time weights."""
    real = d.chance(40)
    large = d.chance(10)
    batch, size, rank = d.integer(1, 3), d.integer(1, 60 if large else 6), d.integer(1, 3)
    units, memory = d.integer(1, 12 if large else 4), d.integer(1, 6)
    filters = units * rank
    kind = "FLOAT32" if real else "INT8"
    wide = "FLOAT32" if real else d.choice(("INT16", "INT8"))
    x = quantized(d, [batch, size], kind, scale=d.scale(-8, 0))
    feature = quantized(d, [filters, size], kind, scale=d.scale(-9, -4), zero_point=0)
    time = quantized(d, [filters, memory], wide, scale=d.scale(-12, -6), zero_point=0)
    state = quantized(d, [batch, memory * filters], wide, scale=d.scale(-11, -2), zero_point=0)
    state.is_variable = True
    y = quantized(d, [batch, units], kind, scale=d.scale(-8, 0))
    bias = Fed([units], "FLOAT32" if real else "INT32")
    limits = {} if real else {"low": -(2**16), "high": 2**16}
    if not real:
        product = np.float32(state.largest_scale) * np.float32(time.largest_scale)
        bias.scale, bias.zero_point = float(product), 0
        y.scale = float(product) * 2.0 ** d.integer(0, 14)
        state.scale = x.largest_scale * feature.largest_scale * 2.0 ** d.integer(-1, 8)
        bias.scale = float(np.float32(state.scale) * np.float32(time.largest_scale))
    inputs: list[Fed | None] = [
        x,
        filled(d, feature, constant=90),
        filled(d, time, constant=90),
        filled(d, bias, constant=90, **limits),
        state,
    ]
    if real and d.chance(1):
        inputs[3] = None  # TFLM's process ends
    activation = d.choice(("NONE", "RELU", "RELU6")) if real else d.choice(("RELU", "NONE"))
    options = {"rank": rank, "fused_activation_function": activation}
    return single(d, "SVDF", inputs, [y], options, invocations=3, breakable=False)


def lstm(d: Draw) -> Instance:
    """UNIDIRECTIONAL_SEQUENCE_LSTM: float32; int8 or int16 with int8 weights and int16 cell."""
    kind = d.choice(("FLOAT32", "INT8", "INT16"))
    real = kind == "FLOAT32"
    most = (3, 8, 40, 24) if d.chance(10) else (3, 4, 5, 4)
    batch, steps, size, cells = (d.integer(1, n) for n in most)
    major = bool(d.integer(0, 1))
    first = [steps, batch] if major else [batch, steps]
    x = quantized(d, [*first, size], kind, scale=d.scale(-7, -4) if kind == "INT8" else 2.0**-13)
    hidden_scale = d.scale(-8, -6) if kind == "INT8" else 2.0**-15
    hidden = quantized(d, [batch, cells], kind, scale=hidden_scale)
    hidden.is_variable = True
    cell = Fed([batch, cells], "FLOAT32" if real else "INT16", is_variable=True)
    if not real:
        cell.scale, cell.zero_point = 2.0 ** -d.integer(9, 13), 0
    y = Fed([*first, cells], kind, scale=hidden.scale, zero_point=hidden.zero_point)
    weight = "FLOAT32" if real else "INT8"
    tensors: list[Fed | None] = [None] * 24
    tensors[0], tensors[18], tensors[19] = x, hidden, cell
    for i in range(1, 9):
        t = quantized(d, [cells, size if i < 5 else cells], weight, scale=d.scale(-9, -6))
        t.zero_point = 0
        tensors[i] = filled(d, t, constant=95, **({"low": -2, "high": 2} if real else {}))
    bias = {"FLOAT32": "FLOAT32", "INT8": "INT32", "INT16": "INT64"}[kind]
    for i in range(12, 16):
        t = Fed([cells], bias)
        scaled = tensors[i - 11]
        if not real and scaled is not None:
            t.scale, t.zero_point = x.largest_scale * scaled.largest_scale, 0
        limits = {"low": -2, "high": 2} if real else {"low": -(2**14), "high": 2**14}
        tensors[i] = filled(d, t, constant=95, **limits)
    options = {
        "fused_activation_function": "TANH",
        "cell_clip": d.choice((0.0, 1.0, 10.0)),
        "proj_clip": 0.0,
        "time_major": major,
    }
    return single(
        d,
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
        tensors,
        [y],
        options,
        invocations=2,
        breakable=False,
    )


def circular_buffer(d: Draw) -> Instance:
    """CIRCULAR_BUFFER: the output is the state; some invocations end early."""
    slots, height, depth = d.integer(1, 8), d.integer(1, 4), d.integer(1, 5)
    cycles = d.integer(0, 3)
    x = quantized(d, [1, 1, height, depth])
    y = Fed([1, slots, height, depth], "INT8", scale=x.scale, zero_point=x.zero_point)
    y.is_variable = True
    return single(
        d,
        "CIRCULAR_BUFFER",
        [x],
        [y],
        custom={"cycles_max": cycles},
        invocations=4,
        breakable=False,
    )
