"""Runs a model operator by operator, keeping each output as it stood right after its operator."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref import operators
from pyref.container.enums import CUSTOM
from pyref.errors import InputError, RefusedError
from pyref.model import UNSIZED_TYPES
from pyref.node import Node
from pyref.session import InvocationAborted, Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from pyref.model import Model, Operator, Subgraph, Tensor
    from pyref.node import Eval, Prepare

    Array = NDArray[Any]

KERNEL_SETS = ("reference", "cmsis_nn")


@dataclass(frozen=True, slots=True, eq=False)
class OperatorRun:
    """One operator that ran.

    Attributes:
        op: TFLM's name.
        subgraph: subgraph it belongs to.
        index: its position there.
        outputs: tensor index to the tensor's value right after the operator.
    """

    op: str
    subgraph: int
    index: int
    outputs: Mapping[int, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One inference.

    Attributes:
        outputs: subgraph 0's outputs, in the file's order.
        operators: every operator in order of completion, those of nested subgraphs before the
            operator that invoked them.
    """

    outputs: list[Array]
    operators: list[OperatorRun]


def seeded_inputs(model: Model, seed: int) -> list[Array]:
    """Inputs of subgraph 0 drawn from `numpy.random.default_rng([seed, k])` for input k.

    8- and 16-bit integers cover the whole range of their type; other integers are 0 to 9, bools
    0 or 1; float32 is standard normal. The same rule made the figures of TFLM that the project
    is held to.
    """
    if seed < 0:
        raise InputError(f"seed {seed}: expected a whole number from 0 up")
    return [_draw(np.random.default_rng([seed, k]), t) for k, t in enumerate(model.inputs)]


def _draw(rng: np.random.Generator, tensor: Tensor) -> Array:
    dtype = tensor.dtype
    if dtype == np.bool_:
        return rng.integers(0, 2, tensor.shape).astype(np.bool_)
    if dtype.kind == "f":
        return rng.standard_normal(tensor.shape).astype(dtype)
    if dtype.kind in "iu" and dtype.itemsize <= 2:
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, tensor.shape, dtype=dtype, endpoint=True)
    return rng.integers(0, 10, tensor.shape).astype(dtype)


class Interpreter:
    """TFLM's MicroInterpreter: prepared once, state kept between invocations.

    Args:
        model: a verified model.
        kernels: "reference" (TFLM's portable kernels) or "cmsis_nn", where they differ.

    Raises:
        RefusedError: TFLM's AllocateTensors would fail; the reason is TFLM's.
    """

    def __init__(self, model: Model, *, kernels: str = "reference") -> None:
        if kernels not in KERNEL_SETS:
            raise InputError(f"kernels={kernels!r}: expected one of {', '.join(KERNEL_SETS)}")
        self.model = model
        self.kernels = kernels
        self._recorded: list[OperatorRun] = []
        self._session = Session(invoke_subgraph=self._invoke_subgraph)
        prepares = [
            [(operator, _resolve(subgraph, operator)) for operator in subgraph.operators]
            for subgraph in model.subgraphs
        ]
        self._frames = [
            _Frame(
                subgraph,
                [p(Node(model, subgraph, o, kernels, self._session)) for o, p in found],
            )
            for subgraph, found in zip(model.subgraphs, prepares, strict=True)
        ]
        _size_tensors(model)
        self.reset()

    def reset(self) -> None:
        """MicroInterpreter::Reset: variable tensors to their zero point, kernels to their start."""
        for frame in self._frames:
            frame.reset_variables()
        for reset in self._session.resets:
            reset()

    def restart(self) -> None:
        """Back to the state right after AllocateTensors, resource variables included."""
        self._session.restart()
        self.reset()

    def invoke(self, inputs: Sequence[Array]) -> Run:
        """Runs subgraph 0 once.

        Args:
            inputs: one array per input in the file's order, of its exact shape and dtype.

        Raises:
            InputError: an input does not fit.
            RefusedError: TFLM's Invoke would fail.
        """
        checked = check_inputs(self.model, inputs)
        self._recorded = []
        # C's arithmetic gives no warnings. An invocation that ends early leaves the outputs of
        # later operators as they were.
        with np.errstate(all="ignore"), contextlib.suppress(InvocationAborted):
            try:
                self._invoke_subgraph(0, checked)
            except RecursionError as error:
                reason = "subgraphs invoke one another without end"
                raise RefusedError(reason, phase="invoke") from error
        frame = self._frames[0]
        outputs = [np.array(frame.values[i]) for i in frame.subgraph.outputs]
        return Run(outputs=outputs, operators=self._recorded)

    def _invoke_subgraph(self, index: int, inputs: Sequence[Array]) -> list[Array]:
        frame = self._frames[index]
        values = frame.values
        for tensor, value in zip(frame.subgraph.inputs, inputs, strict=True):
            values[tensor] = value
        record = self._recorded.append
        for step in frame.steps:
            aborted = None
            try:
                results = step.eval([None if i < 0 else values[i] for i in step.inputs])
            except InvocationAborted as abort:
                aborted = abort
                if abort.outputs is None:  # by an operator of a subgraph that this one invoked
                    raise
                results, abort.outputs = abort.outputs, None
            outputs = dict(zip(step.outputs, results, strict=False))
            for tensor, value in outputs.items():
                values[tensor] = value
            if len(results) < len(step.outputs):
                # Kernels that do not count their outputs leave further ones unwritten.
                frame.fill(step.outputs[len(results) :])
            record(OperatorRun(step.op, index, step.index, outputs))
            if aborted is not None:
                raise aborted
        return [values[i] for i in frame.subgraph.outputs]


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    op: str
    index: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    eval: Eval


class _Frame:
    """One subgraph's prepared operators and the current value of each of its tensors."""

    def __init__(self, subgraph: Subgraph, evals: Sequence[Eval]) -> None:
        self.subgraph = subgraph
        self.steps = [
            _Step(o.op, o.index, o.inputs, o.outputs, e)
            for o, e in zip(subgraph.operators, evals, strict=True)
        ]
        self.values: list[Any] = [t.data for t in subgraph.tensors]
        self.fill(self._read_before_written())

    def fill(self, tensors: Iterable[int]) -> None:
        """Zeros for arena tensors that no operator wrote yet; TFLM leaves them undefined."""
        for i in tensors:
            if self.values[i] is None:
                tensor = self.subgraph.tensors[i]
                self.values[i] = np.zeros(tensor.shape, tensor.dtype)

    def _read_before_written(self) -> set[int]:
        """Tensors read by an operator before any writes them, and all outputs (a run may abort)."""
        written, early = set(self.subgraph.inputs), set(self.subgraph.outputs)
        for step in self.steps:
            early |= {i for i in step.inputs if i >= 0} - written
            written |= set(step.outputs)
        return early

    def reset_variables(self) -> None:
        """ResetTensorData: the zero point for int8, 0 otherwise (micro_interpreter_graph.cc)."""
        for tensor in self.subgraph.tensors:
            if tensor.is_variable:
                fill = tensor.zero_point if tensor.type == "INT8" else 0
                self.values[tensor.index] = np.full(tensor.shape, fill, tensor.dtype)


def _resolve(subgraph: Subgraph, operator: Operator) -> Prepare:
    """GetRegistrationFromOpCode and what precedes Init (micro_op_resolver.cc)."""
    prepare = operators.find(operator.op)
    reason = None
    if operator.op.startswith("UNKNOWN_"):
        reason = f"Op builtin_code out of range: {operator.code.builtin}."
    elif prepare is None and operator.code.builtin == CUSTOM:
        reason = "Failed to get registration from op code CUSTOM"
    elif prepare is None:
        reason = f"Didn't find op for builtin opcode '{operator.op}'"
    elif operator.code.builtin != CUSTOM and operator.has_custom_options:
        reason = f"Unsupported behavior: found builtin operator {operator.op} with custom options."
    if reason is not None or prepare is None:
        raise RefusedError(
            reason or "",
            op=operator.op,
            subgraph=subgraph.index,
            index=operator.index,
            phase="resolve",
        )
    return prepare


def _size_tensors(model: Model) -> None:
    """InitializeAllocationInfo: fails, without a message, for a type of unknown size."""
    for subgraph in model.subgraphs:
        for tensor in subgraph.tensors:
            if tensor.type in UNSIZED_TYPES:
                raise RefusedError(f"TFLM knows no size for tensors of type {tensor.type}")


def check_inputs(model: Model, inputs: Sequence[Array]) -> list[Array]:
    """The inputs as contiguous arrays.

    Raises:
        InputError: another number of them, or one of another shape or dtype.
    """
    expected = model.inputs
    if len(inputs) != len(expected):
        names = ", ".join(f"{k}: {t.name}" for k, t in enumerate(expected))
        raise InputError(f"the model has {len(expected)} inputs ({names}), got {len(inputs)}")
    checked = []
    for k, (value, tensor) in enumerate(zip(inputs, expected, strict=True)):
        array = np.asarray(value)
        if array.dtype != tensor.dtype or array.shape != tensor.shape:
            raise InputError(
                f"input {k} ({tensor.name}): expected {tensor.dtype} {list(tensor.shape)}, "
                f"got {array.dtype} {list(array.shape)}"
            )
        checked.append(np.asarray(array, order="C"))
    return checked


@lru_cache(maxsize=4)
def prepare(model: Model, kernels: str = "reference") -> Interpreter:
    """The interpreter that `run` uses for a model: made once, and kept for the last few models.

    Raises:
        RefusedError: TFLM's AllocateTensors would fail.
    """
    return Interpreter(model, kernels=kernels)


def run(model: Model, inputs: Sequence[Array], *, kernels: str = "reference") -> Run:
    """One inference from a fresh state; Prepare is done once per model and reused.

    Args:
        model: a verified model.
        inputs: one array per input of subgraph 0, in the file's order.
        kernels: "reference" or "cmsis_nn".

    Raises:
        InputError: an input does not fit.
        RefusedError: TFLM would refuse the model, or fail while it runs.
    """
    interpreter = prepare(model, kernels)
    interpreter.restart()
    return interpreter.invoke(inputs)
