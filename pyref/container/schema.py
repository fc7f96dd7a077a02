"""The `.tflite` schema as one table: it drives verification, reading and the byte walk.

Facts of TensorFlow Lite's schema 3 as TFLM 2026-08 has it, in a notation of our own: a table is
a line of fields in the order of their slots, each `name:type`, with `=default` where that is not
0, and remarks in brackets. A type is a scalar, `string`, a table, an enumeration, a union (which
takes two slots: the number of the table, then the table), or `[...]`, a vector of one of these.

To follow a newer schema: append the fields and tables here, in `enums` and in
`options`; the readers need no change.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyref.container.enums import ENUMS, UNIONS
from pyref.container.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Root table, file identifier, and the version TFLM's examples ask for.
ROOT = "Model"
IDENTIFIER = b"TFL3"
SCHEMA_VERSION = 3

#: struct's code of each scalar type (always little-endian).
SCALARS: Mapping[str, str] = MappingProxyType(
    {
        "bool": "?",
        "byte": "b",
        "ubyte": "B",
        "ushort": "H",
        "int": "i",
        "uint": "I",
        "long": "q",
        "ulong": "Q",
        "float": "f",
    }
)
SCALAR_SIZES: Mapping[str, int] = MappingProxyType(
    {"?": 1, "b": 1, "B": 1, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4}
)

_CORE: dict[str, str] = {
    "CustomQuantization": "custom:[ubyte](align16)",
    "BlockwiseQuantization": "scales:int zero_points:int block_size:int",
    "MultiAxisQuantization": "scales:int zero_points:int block_size:int quantized_dimensions:[int]",
    "QuantizationParameters": (
        "min:[float] max:[float] scale:[float] zero_point:[long] details:QuantizationDetails "
        "quantized_dimension:int"
    ),
    "Int32Vector": "values:[int]",
    "Uint16Vector": "values:[ushort](align4)",
    "Uint8Vector": "values:[ubyte](align4)",
    "DimensionMetadata": (
        "format:DimensionType dense_size:int array_segments:SparseIndexVector "
        "array_indices:SparseIndexVector"
    ),
    "SparsityParameters": "traversal_order:[int] block_map:[int] dim_metadata:[DimensionMetadata]",
    "VariantSubType": "shape:[int] type:TensorType has_rank:bool",
    "Tensor": (
        "shape:[int] type:TensorType buffer:uint name:string quantization:QuantizationParameters "
        "is_variable:bool sparsity:SparsityParameters shape_signature:[int] has_rank:bool "
        "variant_tensors:[VariantSubType] external_buffer:uint"
    ),
    "OperatorCode": (
        "deprecated_builtin_code:byte custom_code:string version:int=1 "
        "builtin_code:BuiltinOperator(open)"
    ),
    "Operator": (
        "opcode_index:uint inputs:[int] outputs:[int] builtin_options:BuiltinOptions "
        "custom_options:[ubyte] custom_options_format:CustomOptionsFormat "
        "mutating_variable_inputs:[bool] intermediates:[int] large_custom_options_offset:ulong "
        "large_custom_options_size:ulong builtin_options_2:BuiltinOptions2 "
        "debug_metadata_index:int=-1"
    ),
    "SubGraph": (
        "tensors:[Tensor] inputs:[int] outputs:[int] operators:[Operator] name:string "
        "debug_metadata_index:int=-1"
    ),
    "Buffer": "data:[ubyte](align16) offset:ulong size:ulong",
    "ExternalBufferGroup": "name:string",
    "ExternalBuffer": "id:uint group:uint offset:ulong length:ulong packing:string",
    "Metadata": "name:string buffer:uint",
    "TensorMap": "name:string tensor_index:uint",
    "SignatureDef": (
        "inputs:[TensorMap] outputs:[TensorMap] signature_key:string "
        "deprecated_tag:string(deprecated) subgraph_index:uint"
    ),
    "Model": (
        "version:uint operator_codes:[OperatorCode] subgraphs:[SubGraph] description:string "
        "buffers:[Buffer] metadata_buffer:[int] metadata:[Metadata] "
        "signature_defs:[SignatureDef] external_buffer_groups:[ExternalBufferGroup] "
        "external_buffers:[ExternalBuffer]"
    ),
}


class Kind(enum.Enum):
    """How a field is stored."""

    SCALAR = "scalar"
    STRING = "string"
    TABLE = "table"
    UNION = "union"
    SCALARS = "vector of scalars"
    TABLES = "vector of tables"


@dataclass(frozen=True, slots=True)
class Field:
    """One slot of a table.

    Attributes:
        name: the schema's; a union's first slot is its name with `_type`.
        slot: its place in the vtable, from 0.
        kind: how it is stored.
        type: the name of the scalar, table or union.
        code: struct's code of the scalar or of a vector's elements, "I" for offsets.
        default: a scalar's value where the file leaves the field out.
        enum: the enumeration it is a number of, or None.
        align: alignment in bytes that the schema forces upon a vector's elements, or 0.
        deprecated: written by old files only.
        open: numbers beyond the enumeration are let through, for the operators' table to refuse.
    """

    name: str
    slot: int
    kind: Kind
    type: str
    code: str
    default: Any = None
    enum: str | None = None
    align: int = 0
    deprecated: bool = False
    open: bool = False

    @property
    def is_offset(self) -> bool:
        """Whether the table holds an offset to it."""
        return self.kind is not Kind.SCALAR

    @property
    def inline_size(self) -> int:
        """Bytes that it takes in the table itself."""
        return 4 if self.is_offset else SCALAR_SIZES[self.code]


_FIELD = re.compile(r"(\w+):(\[?)(\w+)\]?(?:=([\w.-]+))?(?:\((\w+)\))?")


def _parse(line: str) -> Iterator[Field]:
    slot = 0
    for text in line.split():
        match = _FIELD.fullmatch(text)
        if match is None:
            raise ValueError(text)
        name, vector, kind_name, default, remark = match.groups()
        align = int(remark[5:]) if remark and remark.startswith("align") else 0
        scalar = ENUMS[kind_name].scalar if kind_name in ENUMS else kind_name
        enumeration = kind_name if kind_name in ENUMS else None
        code = SCALARS.get(scalar, "I")
        kind = Kind.TABLE
        value: Any = None
        if kind_name in UNIONS:
            yield Field(f"{name}_type", slot, Kind.SCALAR, kind_name, "B", 0)
            slot += 1
            kind = Kind.UNION
        elif vector:
            kind = Kind.SCALARS if scalar in SCALARS else Kind.TABLES
        elif scalar in SCALARS:
            kind = Kind.SCALAR
            value = _default(scalar, enumeration, default)
        elif kind_name == "string":
            kind = Kind.STRING
        yield Field(
            name,
            slot,
            kind,
            kind_name,
            code,
            default=value,
            enum=enumeration,
            align=align,
            deprecated=remark == "deprecated",
            open=remark == "open",
        )
        slot += 1


def _default(scalar: str, enumeration: str | None, text: str | None) -> Any:
    if text is None:
        return {"bool": False, "float": 0.0}.get(scalar, 0)
    if enumeration is not None:
        return ENUMS[enumeration].number(text)
    return text == "true" if scalar == "bool" else int(text)


#: Every table of the schema: name to fields in slot order.
TABLES: Mapping[str, tuple[Field, ...]] = MappingProxyType(
    {name: tuple(_parse(line)) for name, line in (_CORE | OPTIONS).items()}
)
