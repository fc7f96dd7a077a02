"""TFLM_DECODE against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import Tensor, one_operator
from pyref.errors import RefusedError
from tests.pyref.operators.witness import Table

RNG = np.random.default_rng(5)
LUT, HUFFMAN, PRUNE = 0, 1, 2


def decode(kind, source, tables, output, *, version=1, own_version=1, parameters=(0, 0)):
    header = bytes([kind, version, 0, 0, own_version, *parameters]) + bytes(9)
    inputs = [
        Tensor(data=np.frombuffer(source, np.uint8)),
        Tensor(data=np.frombuffer(header + tables, np.uint8)),
    ]
    return one_operator("CUSTOM", inputs, [output], custom_code="TFLM_DECODE")


def packed(values, width):
    bits = (np.asarray(values)[:, None] >> np.arange(width - 1, -1, -1)) & 1
    return np.packbits(bits.reshape(-1).astype(np.uint8)).tobytes() + bytes(16)


def look_up(width, shape, type_="INT8", *, channels=1, dimension=0):
    dtype = np.dtype(type_.lower())
    size, stride = int(np.prod(shape)), 1 << width
    table = RNG.integers(-100, 100, channels * stride).astype(dtype)
    source = packed(RNG.integers(0, stride, size), width)
    scale = [0.5] * channels
    output = Tensor(list(shape), type_, scale=scale, quantized_dimension=dimension)
    return decode(LUT, source, table.tobytes(), output, parameters=(width, stride))


def prune(shape, type_="INT8", *, points=(0,), dimension=0):
    size = int(np.prod(shape))
    kept = RNG.integers(0, 2, size)
    table = RNG.integers(-100, 100, int(kept.sum())).astype(type_.lower())
    output = Tensor(
        list(shape),
        type_,
        scale=[0.5] * len(points),
        zero_point=list(points),
        quantized_dimension=dimension,
    )
    return decode(PRUNE, packed(kept, 1), table.tobytes(), output)


# A code of 1 bit (7), of 2 bits (9), and of 3 bits (-4, 11), found through two tables: two bits
# first, and one more where they are 11.
CODES = {7: "0", 9: "10", -4: "110", 11: "111"}
ENTRIES = [(7, 1), (7, 1), (9, 2), None, (-4, 1), (11, 1)]


def huffman(symbols, *, wide=False, type_="INT8", initial=1):
    bits = "".join(CODES[s] for s in symbols)
    source = int(bits.ljust(-(-len(bits) // 32) * 32 + 32, "0"), 2)
    size = 32 if wide else 16
    mask = 0xFFFF if wide else 0xFF
    entries = [
        1 if e is None else 1 << (size - 1) | e[1] << (size - 5) | e[0] & mask for e in ENTRIES
    ]
    table = np.array(entries, f"<u{size // 8}").tobytes()
    length = len(bits.ljust(-(-len(bits) // 32) * 32 + 32, "0")) // 8
    output = Tensor([len(symbols)], type_, scale=0.5)
    parameters = (initial << 4 | wide, 0)
    return decode(HUFFMAN, source.to_bytes(length, "big"), table, output, parameters=parameters)


SYMBOLS = RNG.choice(list(CODES), 50).tolist()
TABLE = Table(
    {
        **{f"lut-{w}": look_up(w, (5, 7)) for w in range(1, 8)},
        **{f"lut-{t}": look_up(3, (5, 7), t) for t in ("INT16", "INT32", "INT64", "FLOAT32")},
        "lut-channels": look_up(4, (3, 17), channels=3),
        "lut-channels-3-bits": look_up(3, (3, 40), channels=3),
        "lut-channels-2-bits": look_up(2, (3, 19), channels=3),
        "lut-last-dimension": look_up(2, (5, 4), channels=4, dimension=1),
        "prune": prune((5, 9)),
        "prune-zero-point": prune((5, 9), points=(-7,)),
        "prune-channels": prune((3, 9), points=(-7, 0, 5)),
        "prune-last-dimension": prune((5, 3), points=(-7, 0, 5), dimension=1),
        **{f"prune-{t}": prune((4, 5), t) for t in ("INT16", "INT32", "INT64", "FLOAT32")},
        "huffman-16": huffman(SYMBOLS),
        "huffman-32": huffman(SYMBOLS, wide=True),
        "huffman-int16": huffman(SYMBOLS, wide=True, type_="INT16"),
        "refused-kind": decode(9, bytes(8), b"", Tensor([4], "INT8", scale=0.5)),
        "refused-version": decode(LUT, bytes(8), b"", Tensor([4], "INT8", scale=0.5), version=2),
        "refused-own-version": decode(
            PRUNE, bytes(8), b"", Tensor([4], "INT8", scale=0.5), own_version=3
        ),
        "refused-prune-zero-point": prune((4,), "INT16", points=(3,)),
        "refused-axis": look_up(2, (2, 3, 2), channels=3, dimension=1),
        "refused-huffman-type": huffman(SYMBOLS, type_="INT16"),
    }
)


@TABLE.parametrize
def test_like_tflm(case):
    TABLE.check(case)


@pytest.mark.parametrize(
    "model",
    [
        decode(LUT, bytes(1), bytes(4), Tensor([9], "INT8"), parameters=(2, 4)),
        decode(LUT, b"\xff" * 4, bytes(2), Tensor([4], "INT8"), parameters=(2, 4)),
        decode(PRUNE, b"\xff", bytes(3), Tensor([8], "INT8")),
        decode(HUFFMAN, bytes(4), bytes(64), Tensor([4], "INT8"), parameters=(16, 0)),
    ],
    ids=["lut-short", "lut-table", "prune-table", "huffman-never-found"],
)
def test_tensors_that_end_too_early_are_refused(model):
    with pytest.raises(RefusedError, match="TFLM would go beyond them"):
        Table({"x": model}).run("x")


def test_custom_decoders_are_refused():
    """The release of 2026-08 says so, the package of autumn 2026 "unsupported decode type 127"."""
    table = Table({"x": decode(127, bytes(8), b"", Tensor([4], "INT8", scale=0.5))})
    with pytest.raises(RefusedError, match="Custom decode type not yet supported"):
        table.run("x")
