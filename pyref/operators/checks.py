"""TFLM's TF_LITE_ENSURE family, in its own words.

TFLM prints `path/file.cc:line expression was not true.`; a reason here is the same text without
folder and line, which move from release to release, such as
`pad_common.cc output_dim != expected_dim (4 != 5)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pyref.model import Tensor
    from pyref.node import Array, Node

#: TfLiteType codes (core/c/c_api_types.h), which TFLM's messages print.
TYPE_CODES = {
    "FLOAT32": 1,
    "INT32": 2,
    "UINT8": 3,
    "INT64": 4,
    "STRING": 5,
    "BOOL": 6,
    "INT16": 7,
    "COMPLEX64": 8,
    "INT8": 9,
    "FLOAT16": 10,
    "FLOAT64": 11,
    "COMPLEX128": 12,
    "UINT64": 13,
    "RESOURCE": 14,
    "VARIANT": 15,
    "UINT32": 16,
    "UINT16": 17,
    "INT4": 18,
}


def named(type_name: str) -> str:
    """A type as TFLM prints it with "%s (%d)"."""
    return f"{type_name} ({TYPE_CODES.get(type_name, 0)})"


@dataclass(frozen=True, slots=True)
class Checks:
    """Ensures of one kernel.

    Attributes:
        node: the operator.
        file: TFLM's source file, which its messages name.
    """

    node: Node
    file: str

    def counts(self, inputs: int, outputs: int) -> None:
        """The numbers of inputs and outputs, which nearly every Prepare ensures first."""
        operator = self.node.operator
        self.equal(len(operator.inputs), inputs, "NumInputs(node)", str(inputs))
        self.equal(len(operator.outputs), outputs, "NumOutputs(node)", str(outputs))

    def true(self, condition: object, expression: str) -> None:
        """TF_LITE_ENSURE."""
        if not condition:
            self.node.refuse(f"{self.file} {expression} was not true.")

    def equal(self, a: object, b: object, a_text: str, b_text: str) -> None:
        """TF_LITE_ENSURE_EQ; types, given by name, are printed as codes."""
        if a != b:
            a, b = (TYPE_CODES.get(x, x) if isinstance(x, str) else x for x in (a, b))
            self.node.refuse(f"{self.file} {a_text} != {b_text} ({a} != {b})")

    def types(self, a: str, b: str, a_text: str, b_text: str) -> None:
        """TF_LITE_ENSURE_TYPES_EQ."""
        if a != b:
            self.node.refuse(f"{self.file} {a_text} != {b_text} ({a} != {b})")

    def message(self, condition: object, text: str) -> None:
        """TF_LITE_ENSURE_MSG."""
        if not condition:
            self.node.refuse(f"{self.file} {text}")

    def invoke_true(self, condition: object, expression: str) -> None:
        """TF_LITE_ENSURE inside Eval."""
        if not condition:
            self.node.refuse(f"{self.file} {expression} was not true.", phase="invoke")


@dataclass(frozen=True, slots=True)
class FailsAtInvoke:
    """The evaluation of an operator that TFLM prepares and then cannot run.

    TFLM tells many wrong types only in Eval. A model whose operator is never reached (the
    other branch of an IF) is one it takes.

    Attributes:
        node: the operator.
        reason: TFLM's message.
    """

    node: Node
    reason: str

    def __call__(self, inputs: Sequence[Any]) -> Sequence[Array]:
        """Refuses."""
        del inputs
        self.node.refuse(self.reason, phase="invoke")


def aborts(node: Node, check: str) -> NoReturn:
    """Refuses where a TFLITE_CHECK stops TFLM without a word."""
    node.refuse(f"{check} fails and TFLM aborts")


def same_size(node: Node, a: Tensor, b: Tensor) -> None:
    """Refuses tensors of different element counts.

    TFLM checks this in debug builds only (MatchingFlatSize) and otherwise reads or writes
    beyond the smaller one.
    """
    if a.size != b.size:
        node.refuse(
            f"{node.operator.op}: {list(a.shape)} and {list(b.shape)} hold different numbers of "
            "elements; TFLM would go beyond the smaller one"
        )


def int32_values(node: Node, tensor: Tensor, count: int) -> list[int]:
    """The first `count` int32 values of a constant's bytes, whatever its type says.

    Kernels that call GetTensorData<int32_t> without a type check read an int64 tensor as twice
    as many int32 values.
    """
    raw = b"" if tensor.raw is None else bytes(tensor.raw[: 4 * count])
    if len(raw) < 4 * count:
        node.refuse(
            f"{node.operator.op}: tensor {tensor.index} holds {len(raw)} bytes where TFLM "
            f"reads {count} int32 values"
        )
    return [int.from_bytes(raw[4 * i : 4 * i + 4], "little", signed=True) for i in range(count)]
