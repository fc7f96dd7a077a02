"""What pyref refuses, and why: one tree of errors that carry facts as attributes."""

from __future__ import annotations


class PyrefError(Exception):
    """Base of every error that pyref raises on purpose."""


class ModelError(PyrefError):
    """The bytes are not a model that can be trusted.

    Attributes:
        position: byte offset in the file where the fault was seen, or None for a fault of
            several places.
        expected: what the format asks for there.
        got: what was found.
        where: path of the object in the schema, such as ``subgraphs[0].tensors[3].shape``.
        reason: what is wrong in words, TFLM's where it prints any; "" where expected and got
            say it all.
    """

    def __init__(
        self,
        where: str,
        *,
        expected: str,
        got: object,
        position: int | None = None,
        reason: str = "",
    ) -> None:
        self.where = where
        self.expected = expected
        self.got = got
        self.position = position
        self.reason = reason
        at = "" if position is None else f" at byte {position}"
        why = f"{reason}: " if reason else ""
        super().__init__(f"{where}{at}: {why}expected {expected}, got {got}")


class RefusedError(PyrefError):
    """TFLM would not take this model: AllocateTensors or Invoke fails.

    Attributes:
        reason: TFLM's message, in TFLM's words where it prints any.
        op: TFLM's name of the operator that refuses, or None.
        subgraph: its subgraph.
        index: its position there, or None.
        phase: "resolve", "prepare" or "invoke".
    """

    def __init__(
        self,
        reason: str,
        *,
        op: str | None = None,
        subgraph: int = 0,
        index: int | None = None,
        phase: str = "prepare",
    ) -> None:
        self.reason = reason
        self.op = op
        self.subgraph = subgraph
        self.index = index
        self.phase = phase
        where = "" if index is None else f"operator {index} ({op}) of subgraph {subgraph}: "
        super().__init__(f"{where}{reason}")


class InputError(PyrefError):
    """The inputs given do not fit the model's: count, shape or dtype."""


class PlanError(PyrefError):
    """No arena plan can be made as asked (an unknown release, a broken offline plan)."""


class GoldenError(PyrefError):
    """A golden file cannot be read, or belongs to another model."""
