"""Entries of operator_codes and operators."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from pyref.container.enums import CUSTOM, ENUMS, UNIONS
from pyref.container.layout import Path, path_text
from pyref.container.options import OPTIONS_OF
from pyref.container.schema import TABLES
from pyref.loader.buffers import outside
from pyref.loader.indices import indices
from pyref.loader.ranks import check_ranks
from pyref.model import Operator, OperatorCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.container.reader import Reader
    from pyref.model import Tensor

_BUILTINS = ENUMS["BuiltinOperator"].names


def read_code(entry: SimpleNamespace, index: int) -> OperatorCode:
    """Names an operator code: the larger of the two fields wins (schema_utils.cc, GetBuiltinCode).

    127 stays PLACEHOLDER_FOR_GREATER_OP_CODES, and a number that the schema does not have is
    UNKNOWN_n: TFLM refuses both when it resolves the operator.
    """
    builtin = max(entry.builtin_code, entry.deprecated_builtin_code)
    custom = entry.custom_code if builtin == CUSTOM else None
    if custom is not None:
        name = custom
    elif 0 <= builtin < len(_BUILTINS):
        name = _BUILTINS[builtin]
    else:
        name = f"UNKNOWN_{builtin}"
    return OperatorCode(
        index=index,
        name=name,
        builtin=builtin,
        builtin_code=entry.builtin_code,
        deprecated_builtin_code=entry.deprecated_builtin_code,
        custom=custom,
        version=entry.version,
    )


def read_operator(
    reader: Reader,
    entry: SimpleNamespace,
    index: int,
    path: Path,
    *,
    codes: Sequence[OperatorCode],
    tensors: Sequence[Tensor],
    warnings: list[str],
) -> Operator:
    """Checks an operator: its code, tensor indices and options.

    Args:
        reader: of the file.
        entry: the table that was read.
        index: its position in the subgraph.
        path: of the entry.
        codes: the model's.
        tensors: its subgraph's.
        warnings: gets what TFLM would silently do otherwise.
    """
    if entry.opcode_index >= len(codes):
        reader.fail(
            (path, "opcode_index"),
            reader.place(entry.position, "Operator", "opcode_index"),
            f"the index of one of {len(codes)} operator_codes",
            entry.opcode_index,
            f"Missing registration for opcode_index {entry.opcode_index}",
        )
    code = codes[entry.opcode_index]
    options_type, options = _options(entry, code, path, warnings)
    custom = entry.custom_options
    if custom is None:
        custom = outside(
            reader,
            entry,
            "Operator",
            ("large_custom_options_offset", "large_custom_options_size"),
            (path, "large_custom_options_offset"),
        )
        if custom is not None:
            warnings.append(
                f"{_label(path, code)}: custom options stand outside the flatbuffer, where this "
                "TFLM does not look: on the board the operator gets none"
            )
    reader.charge(len(custom or b""), path, entry.position)
    count = len(tensors)
    operator = Operator(
        index=index,
        code=code,
        inputs=indices(reader, entry, "Operator", "inputs", path, count=count, optional=True),
        outputs=indices(reader, entry, "Operator", "outputs", path, count=count),
        intermediates=indices(
            reader, entry, "Operator", "intermediates", path, count=count, optional=True
        ),
        options_type=options_type,
        options=options,
        custom_options=bytes(custom or b""),
        has_custom_options=entry.custom_options is not None,
    )
    check_ranks(reader, entry, operator, tensors, path)
    return operator


def sparse_only(entry: SimpleNamespace, codes: Sequence[OperatorCode]) -> set[int]:
    """Tensors of a subgraph that DENSIFY alone reads, so that they may be sparse.

    TFLM does not have that operator, and says so before it looks at any tensor.
    """
    found: dict[bool, set[int]] = {False: set(), True: set()}
    for operator in entry.operators or ():
        index = operator.opcode_index
        densify = index < len(codes) and codes[index].name == "DENSIFY"
        found[densify].update(() if operator.inputs is None else operator.inputs.tolist())
    return found[True] - found[False]


def _label(path: Path, code: OperatorCode) -> str:
    return f"{path_text(path)} ({code.name})"


def _options(
    entry: SimpleNamespace, code: OperatorCode, path: Path, warnings: list[str]
) -> tuple[str, SimpleNamespace | None]:
    """Name and fields of the options; no fields where TFLM's parser would see none."""
    found: list[tuple[str, SimpleNamespace | None]] = []
    for field, union in (
        ("builtin_options", "BuiltinOptions"),
        ("builtin_options_2", "BuiltinOptions2"),
    ):
        number = getattr(entry, f"{field}_type")
        if number:
            names = UNIONS[union]
            known = number <= len(names)
            name = names[number - 1] if known else f"{union} {number}"
            found.append((name, getattr(entry, field)))
            if not known:
                warnings.append(f"{_label(path, code)}: options of a newer schema, number {number}")
    if not found:
        return "NONE", None
    wanted = None if code.builtin == CUSTOM else OPTIONS_OF.get(code.name)
    name, table = next((pair for pair in found if pair[0] == wanted), found[0])
    if table is None:
        return name, None
    if wanted is not None and name != wanted:
        warnings.append(
            f"{_label(path, code)}: has {name}, where TFLM looks for {wanted} and finds none"
        )
        return name, None
    values = vars(table)
    return name, SimpleNamespace(
        **{field.name: _plain(values[field.name]) for field in TABLES[name] if not field.deprecated}
    )


def _plain(value: object) -> object:
    """A field's value: vectors as tuples, bytes as bytes."""
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    if isinstance(value, memoryview):
        return bytes(value)
    return value
