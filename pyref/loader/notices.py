"""What a sound file says and TFLM silently does otherwise: the sentences of `Model.warnings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import SimpleNamespace

    from pyref.loader.buffers import Buffer
    from pyref.model import Model, Operator, Subgraph, Tensor

#: No operator of TensorFlow Lite has come as far.
_PLAUSIBLE_VERSION = 30


def notices(root: SimpleNamespace, model: Model, buffers: Sequence[Buffer]) -> Iterator[str]:
    """Yields one sentence for each finding."""
    yield from _codes(model)
    for subgraph in model.subgraphs:
        entries = root.subgraphs[subgraph.index].tensors
        for tensor, entry in zip(subgraph.tensors, entries, strict=True):
            label = f"subgraphs[{subgraph.index}].tensors[{tensor.index}] ({tensor.name!r})"
            for notice in _tensor(tensor, entry, buffers[tensor.buffer]):
                yield f"{label}: {notice}"
        for operator in subgraph.operators:
            finding = _operator(subgraph, operator)
            if finding:
                yield (
                    f"subgraphs[{subgraph.index}].operators[{operator.index}] ({operator.op}): "
                    f"{finding}"
                )


def _codes(model: Model) -> Iterator[str]:
    for code in model.codes:
        if code.version > _PLAUSIBLE_VERSION:
            yield (
                f"operator_codes[{code.index}] ({code.name}): version {code.version} is none that "
                "a converter writes; TFLM does not look at it"
            )
        if code.name in ("IF", "WHILE", "CALL_ONCE") and code.builtin_code != code.builtin:
            yield (
                f"operator_codes[{code.index}] ({code.name}): the code stands in "
                "deprecated_builtin_code alone, and TFLM's arena planner reads builtin_code: "
                "tensors of the subgraphs it invokes get no lifetimes"
            )


def _tensor(tensor: Tensor, entry: SimpleNamespace, buffer: Buffer) -> Iterator[str]:
    if tensor.external:
        yield (
            f"its {len(tensor.raw or b'')} bytes stand outside the flatbuffer (buffer "
            f"{tensor.buffer}, offset and size), where this TFLM does not look: on the board it "
            "becomes a tensor of the arena, with garbage in it"
        )
    if tensor.is_variable and buffer.content is not None:
        yield "a variable with a constant's buffer: TFLM starts it at its zero point all the same"
    if entry.sparsity is not None:
        yield "sparsity parameters, which TFLM does not read"
    if entry.external_buffer:
        yield "an external buffer, which TFLM does not read"
    if entry.variant_tensors:
        yield "variant tensors, which TFLM does not read"
    quantization = entry.quantization
    if quantization is not None and quantization.details_type:
        yield "quantization details, which TFLM does not read"
    if quantization is not None and tensor.quantization is None:
        has_scale = quantization.scale is not None and len(quantization.scale)
        if has_scale:
            yield "scales without a zero point: to TFLM the tensor is not quantized"
    elif tensor.quantization is not None:
        count, zeros = len(tensor.quantization.scale), len(quantization.zero_point)
        if zeros not in (1, count):
            yield f"{count} scales and {zeros} zero points: TFLM takes the first for all"


def _operator(subgraph: Subgraph, operator: Operator) -> str | None:
    if operator.op in ("PAD", "PADV2"):
        return _paddings(subgraph, operator)
    if operator.op in ("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND"):
        return _stored_shape(subgraph, operator)
    return None


def _paddings(subgraph: Subgraph, operator: Operator) -> str | None:
    """Paddings of a type that the kernel does not look at: an int64 one reads as zeros between."""
    if len(operator.inputs) < 2 or operator.inputs[1] < 0:
        return None
    paddings = subgraph.tensors[operator.inputs[1]]
    if paddings.type == "INT32":
        return None
    return f"its paddings {paddings.name!r} are {paddings.type}; TFLM reads them as INT32"


def _stored_shape(subgraph: Subgraph, operator: Operator) -> str | None:
    """A stored shape that disagrees with the operator: TFLM does not compute it again."""
    if len(operator.inputs) < 3 or not operator.outputs or min(operator.inputs) < 0:
        return None
    given, block, borders = (subgraph.tensors[i] for i in operator.inputs[:3])
    stored = subgraph.tensors[operator.outputs[0]].shape
    shape = _moved_shape(operator.op, given, block, borders)
    if shape is None or shape == stored:
        return None
    return (
        f"the stored output shape {list(stored)} disagrees with the operator's {list(shape)}: "
        "TFLM computes with the stored one and reports no error"
    )


def _moved_shape(op: str, given: Tensor, block: Tensor, borders: Tensor) -> tuple[int, ...] | None:
    """Output shape of SPACE_TO_BATCH_ND or BATCH_TO_SPACE_ND; None where it is not constant."""
    if block.data is None or borders.data is None or borders.data.size != 2 * block.data.size:
        return None
    sizes = [int(n) for n in block.data.reshape(-1)]
    edges = borders.data.reshape(-1, 2).astype(int).tolist()
    if len(given.shape) < 1 + len(sizes) or min(sizes, default=1) < 1:
        return None
    batch = given.shape[0]
    spatial = []
    for dimension, size, (before, after) in zip(given.shape[1:], sizes, edges, strict=False):
        if op == "SPACE_TO_BATCH_ND":
            batch *= size
            spatial.append((dimension + before + after) // size)
        else:
            batch //= size
            spatial.append(dimension * size - before - after)
    return (batch, *spatial, *given.shape[1 + len(sizes) :])
