"""What a strategy returns: a model, and what to feed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from flatbuffers import flexbuffers

from fixtures.writer import Model, Tensor, build, one_operator
from tests.property.mutate import mutate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from tests.property.draw import Draw

#: Percent of one-operator models that are broken on purpose.
INVALID_PERCENT = 12


@dataclass
class Fed(Tensor):
    """A tensor given at run time.

    Attributes:
        value: draws what it is fed; None draws any value of its type.
    """

    value: Callable[[], NDArray[Any]] | None = None

    @property
    def largest_scale(self) -> float:
        """Its largest scale; 1 where it has none."""
        return float(np.max(np.asarray(1.0 if self.scale is None else self.scale)))

    @property
    def first_zero_point(self) -> int:
        """Its first zero point; 0 where it has none."""
        points = np.atleast_1d(np.asarray(0 if self.zero_point is None else self.zero_point))
        return int(points[0]) if points.size else 0

    @property
    def count(self) -> int:
        """How many elements it has."""
        return int(np.prod(np.asarray(self.dimensions or [], np.int64)))


@dataclass
class Stored:
    """A model read from a file, to be checked like an `Instance`."""

    operator: str
    data: bytes
    invocations: list[list[NDArray[Any]]]


@dataclass
class Instance:
    """One model and the inputs of its invocations.

    Attributes:
        operator: the operator it was drawn for.
        model: the model.
        invocations: inputs in order, per invocation.
        broken: what was changed to make TFLM refuse it, if anything.
    """

    operator: str
    model: Model
    invocations: list[list[NDArray[Any]]] = field(default_factory=list)
    broken: str | None = None

    @cached_property
    def data(self) -> bytes:
        """The file's bytes."""
        return build(self.model)


def quantized(
    d: Draw,
    shape: Sequence[int],
    type_: str = "INT8",
    *,
    scale: float | None = None,
    zero_point: int | None = None,
) -> Fed:
    """A tensor of `type_`, with scale and zero point where it is an 8- or 16-bit integer."""
    if type_ not in {"INT8", "UINT8", "INT16"}:
        return Fed(list(shape), type_)
    return Fed(
        list(shape),
        type_,
        scale=d.scale() if scale is None else scale,
        zero_point=d.zero_point(type_) if zero_point is None else zero_point,
    )


def filled(d: Draw, tensor: Fed, *, constant: int = 50, **limits: Any) -> Fed:
    """Gives a tensor contents: constant in `constant` of a hundred cases, else drawn when fed."""
    assert tensor.shape is not None
    shape, type_ = [int(n) for n in tensor.shape], str(tensor.type)
    if d.chance(constant):
        tensor.data = d.values(type_, shape, **limits)
    else:
        tensor.value = lambda: d.values(type_, shape, **limits)
    return tensor


def given(d: Draw, array: Any, type_: str = "INT32", *, constant: int = 100) -> Fed:
    """A tensor of exactly these contents, constant or fed."""
    contents = np.array(array, np.dtype(type_.lower()))
    if d.chance(constant):
        return Fed(list(contents.shape), type_, data=contents)
    return Fed(list(contents.shape), type_, value=lambda: contents)


def single(
    d: Draw,
    code: str,
    inputs: Sequence[Fed | None],
    outputs: Sequence[Fed],
    options: Mapping[str, Any] | None = None,
    *,
    invocations: int | None = None,
    breakable: bool = True,
    custom: Mapping[str, Any] | bytes | None = None,
    **operator: Any,
) -> Instance:
    """A model of one operator, broken in some cases.

    Args:
        d: source of choices.
        code: the operator's name in `pyref.operators.OPERATORS`.
        inputs: its inputs, None for an absent one.
        outputs: its outputs.
        options: builtin options.
        invocations: how many inferences, state kept in between; one or two where None.
        breakable: False where a wrong type makes TFLM touch memory that is not its own; then
            only the output's shape is changed, and only where TFLM checks it.
        custom: options of a custom operator: a map, written as a flexbuffer, or bytes.
        **operator: further fields of `fixtures.description.Operator`.
    """
    broken = None
    inputs, outputs = list(inputs), list(outputs)
    if d.chance(INVALID_PERCENT):
        broken, options = mutate(d, code, inputs, outputs, options, only_shape=not breakable)
    number: str | int = code
    if custom is not None:
        number = "CUSTOM"
        content = custom if isinstance(custom, bytes) else bytes(flexbuffers.Dumps(dict(custom)))
        operator |= {"custom_code": code, "custom_options": content}
    model = one_operator(number, inputs, outputs, options, **operator)
    invocations = invocations or d.integer(1, 2)
    return Instance(code, model, feeds(d, model, invocations), broken)


def feeds(d: Draw, model: Model, invocations: int = 1) -> list[list[NDArray[Any]]]:
    """Inputs of each invocation."""
    graph = model.subgraphs[0]
    tensors = [graph.tensors[i] for i in graph.inputs or ()]
    return [[_feed(d, t) for t in tensors] for _ in range(invocations)]


def _feed(d: Draw, tensor: Tensor) -> NDArray[Any]:
    names = {"INT4": "INT8"}
    type_ = str(tensor.type or "INT8")
    if isinstance(tensor, Fed) and tensor.value is not None:
        return tensor.value()
    return d.values(names.get(type_, type_), [int(n) for n in tensor.dimensions or ()])
