"""What is in a model, as plain data and as text: the content of `hil inspect`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pyref.container.enums import ENUMS
from pyref.container.reader import Reader
from pyref.container.schema import ROOT, TABLES, Kind
from pyref.container.walk import walk_json, walk_text
from pyref.loader.buffers import read_buffer
from pyref.loader.calls import called
from pyref.model import DTYPES, Model, Operator, Subgraph, Tensor
from pyref.resolver import resolver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["describe", "text", "walk_json", "walk_text"]


def describe(model: Model) -> dict[str, Any]:
    """The model as plain data, ready for JSON.

    Returns:
        `model` (sha256), `size_bytes`, `schema_version`, `description`, `operator_codes`,
        `subgraphs` (each with `tensors`, `operators`, `inputs`, `outputs`), `buffers`,
        `signatures`, `metadata` (name to size in bytes), `resolver` and `warnings`.
    """
    registrations = resolver(model)
    return {
        "model": model.sha256,
        "size_bytes": len(model.data),
        "schema_version": model.version,
        "description": model.description,
        "operator_codes": [
            {
                "index": code.index,
                "op": code.name,
                "builtin": code.builtin,
                "custom": code.custom,
                "version": code.version,
                "used": sum(o.code is code for s in model.subgraphs for o in s.operators),
            }
            for code in model.codes
        ],
        "subgraphs": [_subgraph(model, subgraph) for subgraph in model.subgraphs],
        "buffers": _buffers(model),
        "signatures": [
            {
                "key": signature.key,
                "subgraph": signature.subgraph,
                "inputs": dict(signature.inputs),
                "outputs": dict(signature.outputs),
            }
            for signature in model.signatures
        ],
        "metadata": {name: len(content) for name, content in model.metadata.items()},
        "resolver": {
            "code": registrations.code,
            "count": len(registrations.calls),
            "own": list(registrations.own),
            "missing": list(registrations.missing),
        },
        "warnings": list(model.warnings),
    }


def _subgraph(model: Model, subgraph: Subgraph) -> dict[str, Any]:
    return {
        "index": subgraph.index,
        "name": subgraph.name,
        "inputs": _ends(model, subgraph, "inputs"),
        "outputs": _ends(model, subgraph, "outputs"),
        "operators": [
            {
                "index": operator.index,
                "op": operator.op,
                "inputs": list(operator.inputs),
                "outputs": list(operator.outputs),
                "intermediates": list(operator.intermediates),
                "options_type": operator.options_type,
                "options": _options(operator),
                "custom_options_bytes": len(operator.custom_options),
            }
            for operator in subgraph.operators
        ],
        "tensors": [_tensor(tensor) for tensor in subgraph.tensors],
    }


def _ends(model: Model, subgraph: Subgraph, side: str) -> list[dict[str, Any]]:
    """Inputs or outputs in the file's order, which is the order of `run`, with every name."""
    ends = []
    for position, index in enumerate(getattr(subgraph, side)):
        names = [
            name
            for signature in model.signatures
            if signature.subgraph == subgraph.index
            for name, tensor in getattr(signature, side).items()
            if tensor == index
        ]
        tensor = subgraph.tensors[index]
        ends.append(
            {
                "position": position,
                "tensor": index,
                "name": tensor.name,
                "signature_names": list(dict.fromkeys(names)),
                "type": tensor.type,
                "shape": list(tensor.shape),
            }
        )
    return ends


def storage(tensor: Tensor) -> str:
    """Where TFLM keeps a tensor: "constant", "variable", "arena", or "outside" the flatbuffer."""
    if tensor.external:
        return "outside"
    if tensor.is_constant:
        return "constant"
    return "variable" if tensor.is_variable else "arena"


def size_bytes(tensor: Tensor) -> int:
    """Bytes in the file for a constant, in the arena for any other (INT4: a byte each there)."""
    return len(tensor.raw) if tensor.raw is not None else tensor.size * DTYPES[tensor.type].itemsize


def _tensor(tensor: Tensor) -> dict[str, Any]:
    quantization = tensor.quantization
    return {
        "index": tensor.index,
        "name": tensor.name,
        "type": tensor.type,
        "shape": list(tensor.shape),
        "shape_signature": None if tensor.shape_signature is None else list(tensor.shape_signature),
        "size_bytes": size_bytes(tensor),
        "storage": storage(tensor),
        "buffer": tensor.buffer,
        "quantization": None
        if quantization is None
        else {
            "scale": [_json_number(float(scale)) for scale in quantization.scale],
            "zero_point": [int(zero) for zero in quantization.zero_point],
            "dimension": quantization.dimension,
        },
    }


def _json_number(value: float) -> float | str:
    """JSON has no infinity and no NaN."""
    return value if math.isfinite(value) else str(value)


def _options(operator: Operator) -> dict[str, Any] | None:
    if operator.options is None:
        return None
    return {name: _json_value(value) for name, value in vars(operator.options).items()}


def _json_value(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_json_value(element) for element in value]
    return _json_number(value) if isinstance(value, float) else value


def _buffers(model: Model) -> list[dict[str, Any]]:
    """Every buffer: its size, whether TFLM takes it for a constant, and who points to it."""
    reader = Reader(model.data)
    root = reader.root(ROOT)
    users: list[list[str]] = [[] for _ in root.buffers]
    for subgraph in model.subgraphs:
        for tensor in subgraph.tensors:
            users[tensor.buffer].append(f"subgraphs[{subgraph.index}].tensors[{tensor.index}]")
    for index, entry in enumerate(root.metadata or ()):
        users[entry.buffer].append(f"metadata[{index}]")
    found = []
    for index, entry in enumerate(root.buffers):
        buffer = read_buffer(reader, entry, ((None, "buffers"), index))
        size = 0 if buffer.content is None else len(buffer.content)
        found.append(
            {
                "index": index,
                "size_bytes": size,
                "position": buffer.position if size else None,
                "outside_flatbuffer": buffer.external,
                "constant": bool(size) and not buffer.external,
                "used_by": users[index],
            }
        )
    return found


def text(model: Model) -> str:
    """The model as text for a terminal."""
    return "\n".join(_lines(model)) + "\n"


def _lines(model: Model) -> Iterator[str]:
    registrations = resolver(model)
    yield f"{len(model.data)} bytes, schema version {model.version}, sha256 {model.sha256}"
    if model.description:
        yield f"description: {_shown(model.description)}"
    for subgraph in model.subgraphs:
        yield ""
        yield f"subgraph {subgraph.index} {_shown(subgraph.name)}"
        for side in ("inputs", "outputs"):
            for end in _ends(model, subgraph, side):
                names = "".join(f" = {_shown(name)}" for name in end["signature_names"])
                yield (
                    f"  {side[:-1]} {end['position']}: T[{end['tensor']}] {end['type']} "
                    f"{end['shape']} {_shown(end['name'])}{names}"
                )
        yield ""
        yield from _table(
            ("op", "name", "inputs", "outputs", "options"),
            [_operator_row(operator) for operator in subgraph.operators],
        )
        yield ""
        yield from _table(
            ("tensor", "type", "shape", "bytes", "where", "scale", "zero point", "name"),
            [_tensor_row(tensor) for tensor in subgraph.tensors],
        )
    buffers = _buffers(model)
    constant = [buffer for buffer in buffers if buffer["constant"]]
    total = sum(buffer["size_bytes"] for buffer in constant)
    yield ""
    yield f"{len(buffers)} buffers, {len(constant)} with data ({total} bytes): " + _ranges(
        [buffer["index"] for buffer in constant]
    )
    if model.metadata:
        entries = (f"{_shown(name)} {len(data)} bytes" for name, data in model.metadata.items())
        yield f"metadata: {', '.join(entries)}"
    yield ""
    yield "to register:"
    yield from (f"  {line}" for line in registrations.code.splitlines())
    if model.warnings:
        yield ""
        yield from (f"warning: {_shown(warning, quote=False)}" for warning in model.warnings)


def _operator_row(operator: Operator) -> tuple[str, ...]:
    options = "" if operator.options is None else _options_text(operator)
    return (
        str(operator.index),
        _shown(operator.op, quote=False),
        ", ".join("-" if index < 0 else f"T[{index}]" for index in operator.inputs),
        ", ".join(f"T[{index}]" for index in operator.outputs),
        options,
    )


def _options_text(operator: Operator) -> str:
    assert operator.options is not None
    calls = dict(called(operator))
    numbers = {f.name: f.enum for f in TABLES[operator.options_type] if f.kind is Kind.SCALAR}
    words = []
    for name, value in vars(operator.options).items():
        enumeration = numbers.get(name)
        if enumeration is not None:
            shown = ENUMS[enumeration].name(value)
        else:
            shown = f"subgraph {value}" if name in calls else _option_value(value)
        words.append(f"{name}={shown}")
    return " ".join(words)


def _option_value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return _shown(value) if isinstance(value, str) else str(value).replace(" ", "")


def _tensor_row(tensor: Tensor) -> tuple[str, ...]:
    scale = zero = ""
    if tensor.quantization is not None:
        scales, zeros = tensor.quantization.scale, tensor.quantization.zero_point
        if len(scales) == 1:
            scale, zero = f"{scales[0]:.6g}", str(zeros[0])
        else:
            scale = (
                f"{len(scales)} along {tensor.quantization.dimension}: "
                f"{min(scales):.4g} to {max(scales):.4g}"
            )
            zero = str(zeros[0]) if (zeros == zeros[0]).all() else "various"
    return (
        f"T[{tensor.index}]",
        tensor.type,
        str(list(tensor.shape)).replace(" ", ""),
        str(size_bytes(tensor)),
        storage(tensor),
        scale,
        zero,
        _shown(tensor.name),
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield ("  " + "  ".join(cells)).rstrip()


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in order as text, runs drawn together: `2..15, 32`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("..".join(map(str, run)) for run in runs) or "none"


def _shown(words: str, *, quote: bool = True) -> str:
    """Text from the file, safe on a terminal."""
    safe = words if words.isprintable() else ascii(words)[1:-1]
    return f'"{safe}"' if quote else safe
