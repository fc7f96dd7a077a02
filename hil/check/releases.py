"""What TFLM of 2024-06 takes otherwise than 2026-08, whose rules pyref follows.

Found by comparing `tensorflow/lite/micro` of both trees. Operators that 2024-06 lacks are not
here: `pyref.plan` refuses them. To add a rule: one line in a table, one case in its test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyref
    from pyref.model import Operator, Subgraph, Tensor

Applies = Callable[["Subgraph", "Operator"], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """A refusal of an older release.

    Attributes:
        ops: operators it is about.
        applies: whether it refuses such an operator.
        message: TFLM's words.
        phase: "prepare" (AllocateTensors fails) or "invoke".
        source: file under micro/kernels/ of 2024-06.
    """

    ops: frozenset[str]
    applies: Applies
    message: str
    phase: str
    source: str


def _inputs(subgraph: Subgraph, op: Operator) -> list[Tensor]:
    return [subgraph.tensors[i] for i in op.inputs if i >= 0]


def _first_is(kind: str) -> Applies:
    def applies(subgraph: Subgraph, op: Operator) -> bool:
        inputs = _inputs(subgraph, op)
        return bool(inputs) and inputs[0].type == kind

    return applies


def _output_is(kind: str) -> Applies:
    def applies(subgraph: Subgraph, op: Operator) -> bool:
        return any(subgraph.tensors[i].type == kind for i in op.outputs if i >= 0)

    return applies


def _per_channel_filter(subgraph: Subgraph, op: Operator) -> bool:
    inputs = _inputs(subgraph, op)
    quantization = inputs[1].quantization if len(inputs) > 1 else None
    return quantization is not None and len(quantization.scale) != 1


#: Refusals of 2024-06 that 2026-08 has dropped.
RULES_2024_06: tuple[Rule, ...] = (
    Rule(
        frozenset({"FULLY_CONNECTED"}),
        _per_channel_filter,
        "fully_connected_common.cc FullyConnected per-channel quantization not yet supported. "
        "Please set converter._experimental_disable_per_channel_quantization_for_dense_"
        "layers = True.",
        "prepare",
        "fully_connected_common.cc",
    ),
    Rule(
        frozenset({"RELU", "RELU6"}),
        _first_is("INT16"),
        "Only float32 is supported currently, got INT16",
        "invoke",
        "activations.cc",
    ),
    Rule(
        frozenset({"MAXIMUM", "MINIMUM"}),
        _output_is("INT16"),
        "Type INT16 (7) is not supported by Maximum/Minimum.",
        "invoke",
        "maximum_minimum.cc",
    ),
    Rule(
        frozenset({"PRELU"}),
        _first_is("INT16"),
        # Its format has %d for a string: what stands after "got" is an address.
        "Only float32 and uint8_t are supported currently, got",
        "invoke",
        "prelu.cc",
    ),
    Rule(
        frozenset({"TRANSPOSE"}),
        _first_is("INT16"),
        "Type INT16 is currently not supported by Transpose. Only float32 and int8 is supported",
        "invoke",
        "transpose.cc",
    ),
    Rule(
        frozenset({"PACK"}),
        _output_is("INT16"),
        "Type 'INT16' is not supported by pack.",
        "invoke",
        "pack.cc",
    ),
    Rule(
        frozenset({"UNPACK"}),
        _first_is("INT16"),
        "Type 'INT16' is not supported by unpack.",
        "invoke",
        "unpack.cc",
    ),
    Rule(
        frozenset({"SUB"}),
        _output_is("INT32"),
        "Type INT32 (2) not supported.",
        "invoke",
        "sub.cc",
    ),
    Rule(
        frozenset({"GREATER"}),
        _first_is("INT16"),
        "Type INT16 (7) not supported.",
        "invoke",
        "comparisons.cc",
    ),
)


@dataclass(frozen=True, slots=True)
class LaterCheck:
    """A check of 2026-08 that 2024-06 does not have.

    Attributes:
        op: the operator.
        part: part of 2026-08's message.
        consequence: what 2024-06 does with what it does not check.
        harmful: whether that can only be wrong.
    """

    op: str
    part: str
    consequence: str
    harmful: bool = False


_RESCALES_NOT = "copies values as if both scales were equal"

#: Checks that came after 2024-06. (Where 2024-06 would read through a null pointer instead, as
#: STRIDED_SLICE and BROADCAST_TO with an operand that is not constant, the refusal stands.)
LATER_CHECKS: tuple[LaterCheck, ...] = (
    LaterCheck("AVERAGE_POOL_2D", "scale_diff <= 1.0e-6", _RESCALES_NOT),
    LaterCheck("MAX_POOL_2D", "scale_diff <= 1.0e-6", _RESCALES_NOT),
    LaterCheck("AVERAGE_POOL_2D", "zero_point", _RESCALES_NOT),
    LaterCheck("MAX_POOL_2D", "zero_point", _RESCALES_NOT),
    LaterCheck(
        "FILL",
        "Non-constant >dims< tensor is not supported",
        "fills the output's shape as it is in the file",
    ),
    # cmsis_nn/fully_connected.cc: Prepare compares input with output only, Eval goes by the input.
    LaterCheck(
        "FULLY_CONNECTED",
        "Hybrid models are not supported",
        "reads the int8 weights as float32, past their end",
        harmful=True,
    ),
)


def refusal_2024_06(model: pyref.Model) -> str | None:
    """The first operator that 2024-06 refuses and 2026-08 takes, in the order of `RefusedError`.

    What AllocateTensors refuses comes before what Invoke refuses.
    """
    for phase in ("prepare", "invoke"):
        for subgraph in model.subgraphs:
            for op in subgraph.operators:
                for rule in RULES_2024_06:
                    if rule.phase == phase and op.op in rule.ops and rule.applies(subgraph, op):
                        return (
                            f"operator {op.index} ({op.op}) of subgraph {subgraph.index}: "
                            f"{rule.message}"
                        )
    return None


def later_check(op: str | None, reason: str) -> LaterCheck | None:
    """The check that 2024-06 does not have yet and that makes this refusal of 2026-08, if any."""
    return next((c for c in LATER_CHECKS if op == c.op and c.part in reason), None)
