"""One entry of tensors, checked and given its value and quantisation as TFLM sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pyref.container.enums import ENUMS
from pyref.loader.buffers import Buffer, constant_size, constant_value, element_size
from pyref.model import Quantization, Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

    from pyref.container.layout import Path
    from pyref.container.reader import Reader

_INT32_MAX = 2**31 - 1
_TYPES = ENUMS["TensorType"].names

#: numpy 1.26 holds no more dimensions, and TFLM's kernels far fewer.
_MOST_DIMENSIONS = 32


def read_tensor(
    reader: Reader,
    entry: SimpleNamespace,
    index: int,
    buffers: Sequence[Buffer],
    path: Path,
    *,
    sparse_allowed: bool = False,
) -> Tensor:
    """Checks a tensor of a subgraph: shape, product, buffer, length of its constant.

    Args:
        reader: of the file.
        entry: the table that was read.
        index: its position in the subgraph.
        buffers: the model's.
        path: of the entry.
        sparse_allowed: a sparse constant may have another length than its shape says.

    Raises:
        ModelError: naming the tensor by index and name.
    """
    name: str = entry.name or ""
    type_name = _TYPES[entry.type]
    shape = tuple(_shape(entry))
    count = _element_count(reader, entry, shape, type_name, path)
    if entry.buffer >= len(buffers):
        reader.fail(
            (path, "buffer"),
            reader.place(entry.position, "Tensor", "buffer"),
            f"the index of one of {len(buffers)} buffers",
            entry.buffer,
            f"tensor {name!r} has no buffer",
        )
    buffer = buffers[entry.buffer]
    raw = data = None
    if buffer.content is not None and not entry.is_variable:
        sparse = sparse_allowed and entry.sparsity is not None
        if not sparse:
            _check_constant(reader, entry, buffer, count, path)
        raw = buffer.content
        if type_name in ("INT4", "UINT4", "INT2", "BOOL"):
            reader.charge(len(raw), path, buffer.position)  # these are copied
        data = np.frombuffer(raw, np.uint8) if sparse else constant_value(type_name, shape, raw)
    signature = entry.shape_signature
    return Tensor(
        index=index,
        name=name,
        type=type_name,
        shape=shape,
        buffer=entry.buffer,
        data=data,
        raw=raw,
        quantization=_quantization(reader, entry.quantization, path),
        is_variable=entry.is_variable,
        shape_signature=None if signature is None else tuple(signature.tolist()),
        external=data is not None and buffer.external,
    )


def _element_count(
    reader: Reader, entry: SimpleNamespace, shape: tuple[int, ...], type_name: str, path: Path
) -> int:
    """Product of the shape, in the 32-bit int that TFLM multiplies in."""
    if len(shape) > _MOST_DIMENSIONS:
        reader.fail(
            (path, "shape"),
            reader.place(entry.position, "Tensor", "shape"),
            f"at most {_MOST_DIMENSIONS} dimensions",
            len(shape),
            f"tensor {entry.name or ''!r}",
        )
    count = nonzero = 1
    for index, dimension in enumerate(shape):
        if dimension < 0:
            reader.fail(
                (path, "shape"),
                reader.place(entry.position, "Tensor", "shape", index),
                "dimensions of 0 or more: TFLM takes shape as it stands and never reads "
                "shape_signature, so convert the model again with a fixed batch",
                list(shape),
                f"tensor {entry.name or ''!r} has a dynamic dimension",
            )
        count *= dimension
        nonzero *= dimension or 1
        if nonzero * element_size(type_name) > _INT32_MAX:
            reader.fail(
                (path, "shape"),
                reader.place(entry.position, "Tensor", "shape", index),
                f"at most {_INT32_MAX} bytes",
                f"{'x'.join(map(str, shape))} {type_name}",
                f"overflow: the size of tensor {entry.name or ''!r} does not fit TFLM's "
                "32-bit product, which wraps without an error",
            )
    return count


def _check_constant(
    reader: Reader,
    entry: SimpleNamespace,
    buffer: Buffer,
    count: int,
    path: Path,
) -> None:
    type_name = _TYPES[entry.type]
    expected = constant_size(type_name, count)
    content = buffer.content
    assert content is not None
    if expected is not None and len(content) != expected:
        sparse = entry.sparsity is not None
        reader.fail(
            path,
            buffer.position,
            f"{expected} bytes in buffer {entry.buffer} for shape {_shape(entry)} of {type_name}",
            f"{len(content)} bytes",
            f"constant tensor {entry.name or ''!r} "
            + ("is sparse, which TFLM does not read" if sparse else "does not fit its shape"),
        )
    alignment = min(element_size(type_name), 4)  # of 8 bytes, too: converters do not keep more
    if buffer.position % alignment:
        reader.fail(
            path,
            buffer.position,
            f"elements of {type_name} at a multiple of {alignment}",
            f"byte {buffer.position}",
            f"constant tensor {entry.name or ''!r} is not aligned",
        )


def _shape(entry: SimpleNamespace) -> list[int]:
    return [] if entry.shape is None else list(entry.shape.tolist())


def _quantization(reader: Reader, entry: SimpleNamespace | None, path: Path) -> Quantization | None:
    """micro_allocator.cc, InitializeTfLiteTensorFromFlatbuffer: what of it TFLM takes."""
    if entry is None or entry.scale is None or entry.zero_point is None:
        return None
    scale, zeros = entry.scale, entry.zero_point
    if not len(scale) or not len(zeros):
        return None
    if len(zeros) == len(scale):
        zero_point = zeros.astype(np.int32)
    else:
        reader.charge(4 * len(scale), path, None)
        zero_point = np.full(len(scale), zeros[0].astype(np.int32), np.int32)
    zero_point.flags.writeable = False
    return Quantization(scale, zero_point, entry.quantized_dimension)
