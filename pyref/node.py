"""What an operator file is given: one operator of one model, with its tensors resolved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from numpy.typing import NDArray

from pyref.container.options import OPTIONS_OF
from pyref.container.schema import TABLES, Kind
from pyref.errors import RefusedError
from pyref.model import UNSIZED_TYPES

if TYPE_CHECKING:
    from pyref.model import Model, Operator, Subgraph, Tensor
    from pyref.session import Session

Array = NDArray[Any]

#: Computes an operator: input arrays in the operator's order (None for an absent optional input,
#: constants included) to output arrays in its order. Inputs are not to be written, except
#: variable tensors, which are the state itself and are updated in place.
Eval = Callable[[Sequence[Any]], Sequence[Array]]

#: What every operator file defines under the name `prepare`: TFLM's Init and Prepare. Refuses
#: with `node.refuse` what TFLM's Prepare refuses, and returns the evaluation.
Prepare = Callable[["Node"], Eval]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One operator during Prepare.

    Attributes:
        kernels: "reference" or "cmsis_nn": which of TFLM's kernel sets to follow.
        session: what lives between operators and invocations (resource variables, subgraphs).
    """

    model: Model
    subgraph: Subgraph
    operator: Operator
    kernels: str
    session: Session

    @property
    def options(self) -> SimpleNamespace:
        """Builtin options by schema field name.

        Where the file has none, every field is zero, even those whose default in the schema is
        another: TFLM's parsers leave their zeroed structure as it is
        (core/api/flatbuffer_conversions.cc).
        """
        if self.operator.options is None:
            return _zeroed_options(self.operator.op)
        return self.operator.options

    @property
    def inputs(self) -> tuple[Tensor | None, ...]:
        """Input tensors, None for an absent optional one."""
        tensors = self.subgraph.tensors
        return tuple(None if i < 0 else tensors[i] for i in self.operator.inputs)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        """Output tensors."""
        return tuple(self.subgraph.tensors[i] for i in self.operator.outputs)

    def input(self, index: int) -> Tensor:
        """Required input tensor `index`."""
        inputs = self.operator.inputs
        if index >= len(inputs) or inputs[index] < 0:
            self.refuse(f"{self.operator.op}: input {index} is missing")
        return self._tensor(inputs[index])

    def optional_input(self, index: int) -> Tensor | None:
        """Input tensor `index`, or None where the operator has none there."""
        inputs = self.operator.inputs
        if index >= len(inputs) or inputs[index] < 0:
            return None
        return self._tensor(inputs[index])

    def output(self, index: int = 0) -> Tensor:
        """Output tensor `index`."""
        outputs = self.operator.outputs
        if index >= len(outputs) or outputs[index] < 0:
            self.refuse(f"{self.operator.op}: output {index} is missing")
        return self._tensor(outputs[index])

    def _tensor(self, index: int) -> Tensor:
        """AllocateTempTfLiteTensor, which fails for a type of unknown size."""
        tensor = self.subgraph.tensors[index]
        if tensor.type in UNSIZED_TYPES:
            self.refuse("Failed to populate a temp TfLiteTensor struct from flatbuffer data!")
        return tensor

    def refuse(self, reason: str, *, phase: str = "prepare") -> NoReturn:
        """Raises the refusal that TFLM's kernel would report."""
        raise RefusedError(
            reason,
            op=self.operator.op,
            subgraph=self.subgraph.index,
            index=self.operator.index,
            phase=phase,
        )


def _zeroed_options(op: str) -> SimpleNamespace:
    """A builtin operator's options with every scalar 0, every vector empty, the rest None."""
    empty = {Kind.SCALAR: 0, Kind.SCALARS: (), Kind.TABLES: ()}
    fields = TABLES[OPTIONS_OF[op]] if op in OPTIONS_OF else ()
    return SimpleNamespace(**{f.name: empty.get(f.kind) for f in fields})
