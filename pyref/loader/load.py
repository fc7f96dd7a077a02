"""From bytes to a verified `Model`: container, indices, shapes, constants.

What TFLM would refuse in Prepare is not refused here; what it would read out of bounds, or
silently misread, is.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from pyref.container.reader import Observer, Reader
from pyref.container.schema import IDENTIFIER, ROOT, SCHEMA_VERSION
from pyref.loader.buffers import Buffer, read_buffer
from pyref.loader.calls import check_calls
from pyref.loader.indices import indices
from pyref.loader.notices import notices
from pyref.loader.operators import read_code, read_operator, sparse_only
from pyref.loader.tensors import read_tensor
from pyref.model import Model, Signature, Subgraph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import SimpleNamespace

    from pyref.container.layout import Path

#: The metadata entry that plans the arena offline; TFLM takes the last of several.
OFFLINE_PLAN = "OfflineMemoryAllocation"


def load(data: bytes, observer: Observer | None = None) -> Model:
    """Verifies a model held in memory.

    Args:
        data: the file's bytes; kept, and viewed by the model's constants.
        observer: told of every object of the container that is read.

    Raises:
        ModelError: it is not a sound model.
    """
    data = bytes(data)
    reader = Reader(data, observer)
    _check_identifier(reader)
    root = reader.root(ROOT)
    if root.version != SCHEMA_VERSION:
        reader.fail(
            (None, "version"),
            reader.place(root.position, ROOT, "version"),
            str(SCHEMA_VERSION),
            root.version,
            f"model schema version {root.version}, supported {SCHEMA_VERSION}",
        )
    for required in ("subgraphs", "buffers"):
        if not getattr(root, required):
            reader.fail((None, required), root.position, "one at least", "none")
    buffers = [
        read_buffer(reader, entry, ((None, "buffers"), index))
        for index, entry in enumerate(root.buffers)
    ]
    codes = tuple(read_code(entry, index) for index, entry in enumerate(root.operator_codes or ()))
    warnings: list[str] = []
    subgraphs = []
    for index, entry in enumerate(root.subgraphs):
        path: Path = ((None, "subgraphs"), index)
        for required in ("tensors", *(("inputs", "outputs") if index == 0 else ())):
            if getattr(entry, required) is None:
                reader.fail((path, required), entry.position, "a vector, if an empty one", "none")
        packed = sparse_only(entry, codes)
        tensors = tuple(
            read_tensor(
                reader, tensor, i, buffers, ((path, "tensors"), i), sparse_allowed=i in packed
            )
            for i, tensor in enumerate(entry.tensors)
        )
        subgraphs.append(
            Subgraph(
                index=index,
                name=entry.name or "",
                tensors=tensors,
                operators=tuple(
                    read_operator(
                        reader,
                        operator,
                        i,
                        ((path, "operators"), i),
                        codes=codes,
                        tensors=tensors,
                        warnings=warnings,
                    )
                    for i, operator in enumerate(entry.operators or ())
                ),
                inputs=indices(reader, entry, "SubGraph", "inputs", path, count=len(tensors)),
                outputs=indices(reader, entry, "SubGraph", "outputs", path, count=len(tensors)),
            )
        )
    metadata = _metadata(reader, root, buffers, warnings)
    model = Model(
        data=data,
        version=root.version,
        description=root.description or "",
        subgraphs=tuple(subgraphs),
        codes=codes,
        metadata=metadata,
        signatures=tuple(
            _signature(reader, entry, subgraphs, ((None, "signature_defs"), index))
            for index, entry in enumerate(root.signature_defs or ())
        ),
    )
    check_calls(reader, root, model)
    warnings += notices(root, model, buffers)
    object.__setattr__(model, "warnings", tuple(warnings))
    return model


def _check_identifier(reader: Reader) -> None:
    got = reader.data[4:8]
    if reader.size < 8 or got == IDENTIFIER:
        return  # the reader itself refuses what is too short
    prefixed = reader.data[8:12] == IDENTIFIER
    hint = ", behind a size prefix of 4 bytes: cut it off" if prefixed else ""
    reader.fail(None, 4, f"the identifier {IDENTIFIER!r}{hint}", repr(got), "not a .tflite file")


def _metadata(
    reader: Reader, root: SimpleNamespace, buffers: Sequence[Buffer], warnings: list[str]
) -> Mapping[str, bytes]:
    metadata: dict[str, bytes] = {}
    for index, entry in enumerate(root.metadata or ()):
        path: Path = ((None, "metadata"), index)
        name = entry.name or ""
        if entry.buffer >= len(buffers):
            reader.fail(
                (path, "buffer"),
                reader.place(entry.position, "Metadata", "buffer"),
                f"the index of one of {len(buffers)} buffers",
                entry.buffer,
                f"metadata {name!r} has no buffer",
            )
        if name in metadata and name != OFFLINE_PLAN:
            continue
        if name in metadata:
            warnings.append(f"metadata: several {OFFLINE_PLAN}; TFLM takes the last")
        content = buffers[entry.buffer].content or b""
        reader.charge(len(content), path, entry.position)
        metadata[name] = bytes(content)
    for index, buffer in enumerate(() if root.metadata_buffer is None else root.metadata_buffer):
        if not 0 <= buffer < len(buffers):
            reader.fail(
                ((None, "metadata_buffer"), index),
                reader.place(root.position, ROOT, "metadata_buffer", index),
                f"the index of one of {len(buffers)} buffers",
                buffer,
            )
    return MappingProxyType(metadata)


def _signature(
    reader: Reader, entry: SimpleNamespace, subgraphs: Sequence[Subgraph], path: Path
) -> Signature:
    if entry.subgraph_index >= len(subgraphs):
        reader.fail(
            (path, "subgraph_index"),
            reader.place(entry.position, "SignatureDef", "subgraph_index"),
            f"the index of one of {len(subgraphs)} subgraphs",
            entry.subgraph_index,
        )
    count = len(subgraphs[entry.subgraph_index].tensors)
    names: dict[str, dict[str, int]] = {"inputs": {}, "outputs": {}}
    for side, found in names.items():
        for index, pair in enumerate(getattr(entry, side) or ()):
            if pair.tensor_index >= count:
                reader.fail(
                    (((path, side), index), "tensor_index"),
                    reader.place(pair.position, "TensorMap", "tensor_index"),
                    f"the index of one of {count} tensors of subgraph {entry.subgraph_index}",
                    pair.tensor_index,
                    f"signature name {pair.name or ''!r}",
                )
            found[pair.name or ""] = pair.tensor_index
    return Signature(
        key=entry.signature_key or "",
        subgraph=entry.subgraph_index,
        inputs=MappingProxyType(names["inputs"]),
        outputs=MappingProxyType(names["outputs"]),
    )
