"""The time loops of UNIDIRECTIONAL_SEQUENCE_LSTM, compiled by numba on first use and cached.

Gates stand in TFLM's order of computation: forget, input, cell, output. Batches never meet, so
that time-major and batch-major models are one loop over [batch, time]. Import this inside the
files that need it.

Source: micro/kernels/lstm_eval.h, lstm_eval.cc.
"""
# ruff: noqa: ANN001, ANN201, ANN202, PLR0917
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numba
import numpy as np

from pyref.operators import sigmoid_table

SIGMOID_TABLE = sigmoid_table.TABLE
SIGMOID, TANH = 6, 4


@numba.njit(cache=True)
def _requantize(acc, multiplier, shift, wide):
    """MultiplyByQuantizedMultiplier of an int32 (rounds twice), or of an int64 accumulator."""
    if wide:
        reduced = (multiplier + (1 << 15)) >> 16 if multiplier < 0x7FFF0000 else np.int64(0x7FFF)
        total = 15 - shift
        return np.int64(np.int32((acc * reduced + (np.int64(1) << (total - 1))) >> total))
    left, right = max(shift, 0), max(-shift, 0)
    shifted = np.int64(np.int32(np.int64(np.int32(acc)) << left))
    high = min((shifted * multiplier + (1 << 30)) >> 31, 2147483647)
    half = (np.int64(1) << right) >> 1
    return (high + half - np.int64((high < 0) & (right > 0))) >> right


@numba.njit(cache=True)
def _clamp(x, low, high):
    return min(max(x, low), high)


@numba.njit(cache=True)
def _activate(x, shift, kind):
    """int16 logistic or tanh by table: `pyref.operators.sigmoid_table`, one value."""
    scaled = x * (3 << shift) if shift >= 0 else (x * 3 + (1 << (-shift - 1))) >> -shift
    bits = 9 if kind == SIGMOID else 8
    magnitude = abs(scaled)
    whole = magnitude >> bits
    if whole >= 255:
        value = np.int64(0x7FFF << 10 if kind == SIGMOID else 0xFFFF << 8)
    else:
        low, high = SIGMOID_TABLE[whole], SIGMOID_TABLE[whole + 1]
        value = (low << bits) + (magnitude & ((1 << bits) - 1)) * (high - low)
    if kind == SIGMOID:
        value = value + (1 << 9) if scaled >= 0 else (1 << 25) - value + (1 << 9) - 1
        return value >> 10
    value = value - (1 << 23) + (1 << 7) if scaled >= 0 else -value + (1 << 23) + (1 << 7) - 1
    return value >> 8


@numba.njit(cache=True)
def integer_steps(
    x, weights, bias, scaling, kinds, cell_rule, output_rule, wide, once, states, out
):
    """All steps of an int8 or int16 LSTM.

    Args:
        x: [batch, time, inputs].
        weights: (input, recurrent), each [4, units, ...], integers, zero points subtracted.
        bias: (input, recurrent) int64 [4, units], the zero points' shares included.
        scaling: int64 [2, 4, 2]: multiplier and shift of input and recurrent sums by gate.
        kinds: int64 [4]: SIGMOID, TANH or 0.
        cell_rule: int64 [7]: multiplier and shift of forget * cell and of input * cell gate, the
            clip's low and high, shift of tanh(cell).
        output_rule: int64 [5]: multiplier, shift, zero point, low, high.
        wide: int64 accumulators (int16 activations).
        once: CMSIS-NN's saturation: sums are clamped, their second terms are not.
        states: (cell int16 [batch, units], hidden [batch, units]), updated in place.
        out: [batch, time, units], written.
    """
    cell, hidden = states
    units = cell.shape[1]
    gates = np.empty((4, units), np.int64)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            for g in range(4):
                for j in range(units):
                    acc = bias[0][g, j]
                    for i in range(x.shape[2]):
                        acc += np.int32(weights[0][g, j, i]) * np.int32(x[b, t, i])
                    first = _requantize(acc, scaling[0, g, 0], scaling[0, g, 1], wide)
                    first = _clamp(first, -32768, 32767)
                    acc = bias[1][g, j]
                    for i in range(units):
                        acc += np.int32(weights[1][g, j, i]) * np.int32(hidden[b, i])
                    second = _requantize(acc, scaling[1, g, 0], scaling[1, g, 1], wide)
                    if not once:
                        second = _clamp(second, -32768, 32767)
                    total = _clamp(first + second, -32768, 32767)
                    gates[g, j] = _activate(total, 0, kinds[g]) if kinds[g] else total
            for j in range(units):
                kept = _requantize(gates[0, j] * cell[b, j], cell_rule[0], cell_rule[1], False)
                kept = _clamp(kept, -32768, 32767)
                new = _requantize(gates[1, j] * gates[2, j], cell_rule[2], cell_rule[3], False)
                if not once:
                    new = _clamp(new, -32768, 32767)
                    kept = _clamp(kept + new, -32768, 32767)
                    kept = _clamp(kept, cell_rule[4], cell_rule[5])
                else:
                    kept = _clamp(kept + new, cell_rule[4], cell_rule[5])
                cell[b, j] = kept
                raised = _activate(kept, cell_rule[6], TANH)
                product = _requantize(raised * gates[3, j], output_rule[0], output_rule[1], False)
                value = _clamp(product + output_rule[2], output_rule[3], output_rule[4])
                hidden[b, j] = value
                out[b, t, j] = value


@numba.njit(cache=True)
def _sums(weights, x, start, out):
    """Start + weights @ x, added in order in float32."""
    for j in range(weights.shape[0]):
        acc = np.float32(0)
        for i in range(weights.shape[1]):
            acc += weights[j, i] * x[i]
        out[j] = acc + start[j]


@numba.njit(cache=True)
def _real_activation(x, kind):
    if kind == TANH:
        return np.float32(np.tanh(np.float64(x)))
    if kind == SIGMOID:
        # Logistic of reference/logistic.h: constant above, exp alone far below.
        if x > np.float32(16.619047164916992188):
            return np.float32(1)
        if x < np.float32(-9):
            return np.float32(np.exp(np.float64(x)))
        return np.float32(1) / (np.float32(1) + np.float32(np.exp(-np.float64(x))))
    return x


@numba.njit(cache=True)
def real_steps(x, weights, bias, kinds, clip, states, out):
    """All steps of a float32 LSTM.

    Args:
        x: [batch, time, inputs].
        weights: (input, recurrent), each [4, units, ...].
        bias: [4, units].
        kinds: int64 [4]: SIGMOID, TANH or 0.
        clip: of the cell; none where 0.
        states: (cell, hidden), each [batch, units], updated in place.
        out: [batch, time, units], written.
    """
    cell, hidden = states
    units = cell.shape[1]
    gates = np.empty((4, units), np.float32)
    recurrent = np.empty(units, np.float32)
    nothing = np.zeros(units, np.float32)
    most = np.float32(3.4028234663852886e38)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            for g in range(4):
                _sums(weights[0][g], x[b, t], bias[g], gates[g])
                _sums(weights[1][g], hidden[b], nothing, recurrent)
                for j in range(units):
                    gates[g, j] = _real_activation(gates[g, j] + recurrent[j], kinds[g])
            for j in range(units):
                kept = _clamp(gates[0, j] * cell[b, j], -most, most)
                kept += _clamp(gates[1, j] * gates[2, j], -most, most)
                if clip > 0:
                    kept = _clamp(kept, -clip, clip)
                cell[b, j] = kept
                raised = _real_activation(kept, TANH)
                value = _clamp(raised * gates[3, j], -most, most)
                hidden[b, j] = value
                out[b, t, j] = value
