"""The model as everything else sees it: frozen, verified, constants as views of the file.

`Model.from_file` and `Model.from_bytes` are the only ways in. After them every index is in
range, every shape is non-negative and its product fits, and every constant has exactly the
bytes its shape asks for, so that no later code has to check again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

#: numpy dtype of one element, by TensorType name. INT4, UINT4 and INT2 are held unpacked, one
#: byte an element; BFLOAT16 and FLOAT8 as their bits; STRING and VARIANT constants, and sparse
#: ones that only DENSIFY reads, as raw bytes, one dimension whatever the shape.
DTYPES: Mapping[str, np.dtype[Any]] = MappingProxyType(
    {
        "FLOAT32": np.dtype(np.float32),
        "FLOAT16": np.dtype(np.float16),
        "INT32": np.dtype(np.int32),
        "UINT8": np.dtype(np.uint8),
        "INT64": np.dtype(np.int64),
        "BOOL": np.dtype(np.bool_),
        "INT16": np.dtype(np.int16),
        "COMPLEX64": np.dtype(np.complex64),
        "INT8": np.dtype(np.int8),
        "FLOAT64": np.dtype(np.float64),
        "UINT64": np.dtype(np.uint64),
        "RESOURCE": np.dtype(np.int32),
        "UINT32": np.dtype(np.uint32),
        "UINT16": np.dtype(np.uint16),
        "INT4": np.dtype(np.int8),
        "COMPLEX128": np.dtype(np.complex128),
        "BFLOAT16": np.dtype(np.uint16),
        "STRING": np.dtype(np.uint8),
        "VARIANT": np.dtype(np.uint8),
        "INT2": np.dtype(np.int8),
        "UINT4": np.dtype(np.uint8),
        "FLOAT8_E4M3FN": np.dtype(np.uint8),
        "FLOAT8_E5M2": np.dtype(np.uint8),
    }
)

#: Types whose size TFLM does not know (memory_helpers.cc, TfLiteTypeSizeOf): such a model loads
#: here, and AllocateTensors fails for it without a message.
UNSIZED_TYPES = frozenset({"STRING", "VARIANT", "INT2", "UINT4", "FLOAT8_E4M3FN", "FLOAT8_E5M2"})


@dataclass(frozen=True, slots=True, eq=False)
class Quantization:
    """A tensor's affine quantisation as TFLM's InitializeTfLiteTensorFromFlatbuffer reads it.

    Attributes:
        scale: float32, one a channel or one in all.
        zero_point: int32, as many as scales (TFLM repeats the first where the file's list has
            another length).
        dimension: quantized_dimension.
    """

    scale: NDArray[np.float32]
    zero_point: NDArray[np.int32]
    dimension: int


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """One tensor of a subgraph.

    Attributes:
        index: its position in the subgraph.
        name: as in the file, "" where absent.
        type: TensorType's name, such as "INT8".
        shape: () for a scalar or an absent shape.
        buffer: index of its buffer.
        data: constant value, read-only, of `shape` (INT4 unpacked to int8); None for a tensor
            that the arena holds.
        raw: the constant's bytes as they stand in the file; None likewise.
        quantization: None where TFLM sees none.
        is_variable: state kept between invocations.
        shape_signature: as in the file; TFLM never reads it.
        external: the value stands outside the flatbuffer (Buffer.offset and size), where TFLM
            does not look: on the board the tensor is one of the arena, with garbage in it.
    """

    index: int
    name: str
    type: str
    shape: tuple[int, ...]
    buffer: int
    data: NDArray[Any] | None
    raw: memoryview | None
    quantization: Quantization | None
    is_variable: bool
    shape_signature: tuple[int, ...] | None = None
    external: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        """numpy dtype of an element as pyref holds it."""
        return DTYPES[self.type]

    @property
    def scale(self) -> np.float32:
        """TfLiteTensor.params.scale: the first scale, 0 where there is none."""
        return np.float32(0) if self.quantization is None else self.quantization.scale[0]

    @property
    def zero_point(self) -> int:
        """TfLiteTensor.params.zero_point: the first zero point, 0 where there is none."""
        return 0 if self.quantization is None else int(self.quantization.zero_point[0])

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def is_constant(self) -> bool:
        """Whether TFLM takes it for a constant (IsConstantTensor): its value stands in a buffer."""
        return self.data is not None and not self.external


@dataclass(frozen=True, slots=True)
class OperatorCode:
    """One entry of operator_codes.

    Attributes:
        name: TFLM's name of the operator: the BuiltinOperator's, or the custom code.
        builtin: the larger of the two code fields.
        builtin_code: the int32 field alone (TFLM's planner reads only it).
        deprecated_builtin_code: the int8 field alone.
        custom: the custom code, None for a builtin operator (and for a CUSTOM without one).
        version: never compared by TFLM.
    """

    index: int
    name: str
    builtin: int
    builtin_code: int
    deprecated_builtin_code: int
    custom: str | None
    version: int


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """One operator of a subgraph, in execution order.

    Attributes:
        inputs: tensor indices, -1 for an absent optional input.
        outputs: tensor indices.
        intermediates: tensor indices.
        options_type: BuiltinOptions' name such as "Conv2DOptions", or "NONE".
        options: its fields by schema name, defaults filled in (enums as int, vectors as tuples);
            None where the file has no options.
        custom_options: bytes of a custom operator's options.
        has_custom_options: whether the file has the vector at all, be it empty; TFLM refuses a
            builtin operator that has ("Unsupported behavior: found builtin operator ...").
    """

    index: int
    code: OperatorCode
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    intermediates: tuple[int, ...]
    options_type: str
    options: SimpleNamespace | None
    custom_options: bytes
    has_custom_options: bool = False

    @property
    def op(self) -> str:
        """TFLM's name of the operator."""
        return self.code.name


@dataclass(frozen=True, slots=True, eq=False)
class Subgraph:
    """One subgraph: tensors, and operators in execution order."""

    index: int
    name: str
    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature_defs entry: names of inputs and outputs, by tensor index."""

    key: str
    subgraph: int
    inputs: Mapping[str, int]
    outputs: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Model:
    """A verified `.tflite` model.

    Attributes:
        data: the file.
        version: schema version (3).
        metadata: name to bytes; the first of equal names.
        warnings: what TFLM would silently do otherwise than the file says, one sentence each.
    """

    data: bytes
    version: int
    description: str
    subgraphs: tuple[Subgraph, ...]
    codes: tuple[OperatorCode, ...]
    metadata: Mapping[str, bytes]
    signatures: tuple[Signature, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    @cached_property
    def sha256(self) -> str:
        """Hex SHA-256 of the file."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """Subgraph 0's input tensors, in the file's order."""
        return tuple(self.subgraphs[0].tensors[i] for i in self.subgraphs[0].inputs)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        """Subgraph 0's output tensors, in the file's order."""
        return tuple(self.subgraphs[0].tensors[i] for i in self.subgraphs[0].outputs)

    @classmethod
    def from_file(cls, path: str | Path) -> Model:
        """Reads and verifies a file.

        Raises:
            ModelError: it cannot be read or is not a sound model.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            from pyref.errors import ModelError  # noqa: PLC0415 - cold path

            raise ModelError(str(path), expected="a readable file", got=error.strerror) from error
        return cls.from_bytes(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """Verifies a model held in memory.

        Raises:
            ModelError: it is not a sound model; says where and what was expected.
        """
        from pyref.loader import load  # noqa: PLC0415 - the loader builds this class

        return load(data)
