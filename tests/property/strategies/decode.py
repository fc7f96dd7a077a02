"""TFLM_DECODE: weights decompressed when run, by table, by mask, or by Huffman code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.property.instance import Fed, Instance, quantized, single

if TYPE_CHECKING:
    from tests.property.draw import Draw

TYPES = ("INT8", "INT16", "FLOAT32", "INT32", "INT64", "BOOL")
SIZES = {"INT8": 1, "BOOL": 1, "INT16": 2, "FLOAT32": 4, "INT32": 4, "INT64": 8}


def decode(d: Draw) -> Instance:
    """One to three tensors, each with its own kind of code."""
    inputs: list[Fed | None] = []
    outputs: list[Fed] = []
    for _ in range(d.integer(1, 3)):
        kind = d.choice((_lut, _prune, _huffman))
        code, ancillary, output = kind(d)
        if d.chance(3):
            ancillary[d.choice((0, 1, 4))] = d.choice((9, 0, 3, 127))
        inputs += [_bytes(code), _bytes(ancillary)]
        outputs.append(output)
    return single(d, "TFLM_DECODE", inputs, outputs, custom=b"", breakable=False)


def _bytes(content: bytes | bytearray) -> Fed:
    array = np.frombuffer(bytes(content), np.uint8)
    return Fed(list(array.shape), "UINT8", data=array)


def _output(d: Draw, types: tuple[str, ...]) -> Fed:
    """An output per tensor, per channel along the first or the last axis, or not quantised."""
    type_, shape = d.choice(types), d.shape(1, 4, most=6)
    output = quantized(d, shape, type_)
    if type_ in {"INT8", "INT16"}:
        axis = d.choice((None, 0, len(shape) - 1))
        if axis is not None:
            count = shape[axis]
            output.scale = [d.scale() for _ in range(count)]
            points = [d.zero_point() for _ in range(count)] if type_ == "INT8" else [0] * count
            output.zero_point, output.quantized_dimension = points, axis
    return output


def _random(d: Draw, count: int) -> bytes:
    return d.values("UINT8", [count]).tobytes()


def _lut(d: Draw) -> tuple[bytes, bytearray, Fed]:
    output = _output(d, TYPES)
    width = d.integer(1, 7)
    stride = d.integer(2**width, 128) if d.chance(30) else 2**width
    size = SIZES[str(output.type)]
    channels = len(np.atleast_1d(1.0 if output.scale is None else output.scale))
    table = _random(d, channels * stride * size + 128 * size)
    if output.type == "BOOL":
        table = bytes(b & 1 for b in table)
    elements = output.count
    header = bytearray(16)
    header[1], header[4], header[5], header[6] = 1, 1, width, stride
    return _random(d, (elements * width + 7) // 8 + 16), header + table, output


def _prune(d: Draw) -> tuple[bytes, bytearray, Fed]:
    output = _output(d, TYPES)
    elements = output.count
    table = _random(d, elements * SIZES[str(output.type)] + 16)
    if output.type == "BOOL":
        table = bytes(b & 1 for b in table)
    header = bytearray(16)
    header[0], header[1], header[4] = 2, 1, 1
    return _random(d, (elements + 7) // 8 + 16), header + table, output


def _huffman(d: Draw) -> tuple[bytes, bytearray, Fed]:
    """A first table whose entries are symbols or point to second tables; any bits decode."""
    output = _output(d, ("INT8", "INT16"))
    wide = output.type == "INT16" or bool(d.integer(0, 1))
    bits, more = d.integer(1, 4), d.integer(1, 3)
    found, shift, mask = (0x80000000, 27, 0xFFFF) if wide else (0x8000, 11, 0xFF)
    first, second = 2**bits, 2**more

    def symbol(length: int) -> int:
        return found | d.integer(1, length) << shift | d.integer(0, mask)

    table = [symbol(bits) for _ in range(first)]
    for i in range(first):
        if d.chance(25):
            table[i] = (more - 1) << shift | (len(table) - i)
            table += [symbol(more) for _ in range(second)]
    elements = output.count
    words = elements * (bits + more) // 32 + 4
    header = bytearray(16)
    header[0], header[1], header[4] = 1, 1, 1
    header[5] = (bits - 1) << 4 | int(wide)
    content = np.array(table, np.uint32 if wide else np.uint16).tobytes()
    return _random(d, 4 * words), header + content, output
