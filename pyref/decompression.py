"""The decoders of TFLM_DECODE: micro/kernels/decode_state_lut.cc, _huffman.cc, _prune.cc.

Each takes the compressed bytes and the ancillary bytes (a header of 16 and its tables) and
returns the output's values in order. Bits are read from the most significant one on. What runs
past the end of either raises IndexError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyref.model import Tensor
    from pyref.node import Node

HEADER_BYTES = 16
LUT_TYPES = ("BOOL", "FLOAT32", "INT8", "INT16", "INT32", "INT64")


def look_up(node: Node, source: bytes, ancillary: bytes, output: Tensor) -> NDArray[Any]:
    """Indices of 1 to 7 bits into a table of values, one table a channel."""
    if output.type not in LUT_TYPES:
        node.refuse(f"unsupported tensor type {output.type}", phase="invoke")
    width, stride = ancillary[5] & 7, ancillary[6]
    channel = _channels(node, output)
    index = np.zeros(output.size, np.int64)
    if width:
        bits = _bits(source)
        if bits.size < output.size * width:
            raise IndexError
        groups = bits[: output.size * width].reshape(-1, width)
        index = groups @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))
    values: NDArray[Any] = _table(ancillary, output)[channel * stride + index]
    return values


def prune(node: Node, source: bytes, ancillary: bytes, output: Tensor) -> NDArray[Any]:
    """One bit a value: the next value of a table, or the zero point."""
    if output.type not in LUT_TYPES:
        node.refuse(f"unsupported tensor type {output.type}", phase="invoke")
    channel = _channels(node, output)
    points = np.zeros(1, np.int32)
    if output.quantization is not None:
        points = output.quantization.zero_point
        Checks(node, "decode_state_prune.cc").message(
            output.type == "INT8" or not points.any(), "All zero-points must be zero"
        )
    kept = _bits(source)[: output.size].astype(bool)
    table = _table(ancillary, output)
    if kept.size < output.size or table.size < kept.sum():
        raise IndexError
    result = points[np.minimum(channel, len(points) - 1)].astype(output.dtype)
    result[kept] = table[: int(kept.sum())]
    return result


def huffman(node: Node, source: bytes, ancillary: bytes, output: Tensor) -> NDArray[Any]:
    """Codewords, found through tables of 16-bit (int8 only) or 32-bit entries.

    An entry holds a mark that it is a symbol, a count of bits, and a symbol or an offset. The
    count of a symbol is how many of the bits read last it used.
    """
    wide = bool(ancillary[5] & 1)
    initial_bits = (ancillary[5] >> 4) + 1
    if not wide:
        Checks(node, "decode_state_huffman.cc").types(
            output.type, "INT8", "output.type", "kTfLiteInt8"
        )
    if output.type not in ("INT8", "INT16"):
        node.refuse(f"unsupported tensor type {output.type}", phase="invoke")
    size = 32 if wide else 16
    body = ancillary[HEADER_BYTES:]
    table = np.frombuffer(body[: len(body) // (size // 8) * (size // 8)], f"<u{size // 8}").tolist()
    found, shift, mask = 1 << (size - 1), size - 5, (1 << (size - 5)) - 1
    bits = "".join(map(str, _bits(source).tolist()))
    symbols, at = [], 0
    for _ in range(output.size):
        used, offset = initial_bits, 0
        while True:
            if at + used > len(bits):
                raise IndexError
            offset += int(bits[at : at + used], 2)
            at += used
            entry = table[offset]
            count = (entry >> shift) & 0xF
            if entry & found:
                break
            used, offset = count + 1, offset + (entry & mask)
        symbols.append(entry & mask)
        at -= max(used - count, 0)
    return np.array(symbols, np.int64).astype(output.dtype)


def _bits(source: bytes) -> NDArray[np.int64]:
    return np.unpackbits(np.frombuffer(source, np.uint8)).astype(np.int64)


def _table(ancillary: bytes, output: Tensor) -> NDArray[Any]:
    body = ancillary[HEADER_BYTES:]
    whole = len(body) // output.dtype.itemsize * output.dtype.itemsize
    return np.frombuffer(body[:whole], output.dtype)


def _channels(node: Node, output: Tensor) -> NDArray[np.int64]:
    """Channel of each value: along the first dimension, or the last where quantised there."""
    position = np.arange(output.size)
    if output.quantization is None:
        return np.zeros(output.size, np.int64)
    count, dimension = len(output.quantization.scale), output.quantization.dimension
    if dimension == len(output.shape) - 1 and count > 1:
        return position % count
    if dimension != 0:
        node.refuse(f"unsupported quantization axis {dimension}")
    return np.minimum(position // max(output.size // count, 1), count - 1)
