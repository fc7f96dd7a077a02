"""Runs an instance with pyref and holds it against TFLM's answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

import pyref
from pyref.errors import ModelError, RefusedError
from tests.property import ulp
from tests.property.witness import PATTERNS, Witness
from tests.pyref.equal import assert_same
from tests.tflm import Result, _reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.property.instance import Instance, Stored

    Array = NDArray[Any]


class Outcome(Enum):
    """How pyref and TFLM compare on one instance."""

    SAME = "compared"
    REFUSED = "refused by both"
    CRASHED = "TFLM crashed"
    UNDEFINED = "TFLM's answer depends on memory it did not write"
    UNCHECKED = "pyref refuses what TFLM runs without a check"
    UNFED = "the Python package cannot feed or read a tensor"
    DIFFERENT = "different"


@dataclass
class Verdict:
    """The outcome of one instance.

    Attributes:
        why: what differs, or what TFLM said where it refused or crashed.
        ulp: largest distance of float32 outputs, in units in the last place.
    """

    outcome: Outcome
    why: str = ""
    ulp: float = 0


@dataclass
class Answer:
    """What pyref did: like `tests.tflm.Result`."""

    refusal: str | None = None
    outputs: list[list[Array]] = field(default_factory=list)
    tensors: list[dict[int, Array]] = field(default_factory=list)


def run_pyref(instance: Instance | Stored) -> Answer:
    """pyref's answer; any exception that is not a refusal goes through."""
    answer = Answer()
    try:
        model = pyref.Model.from_bytes(instance.data)
        interpreter = pyref.Interpreter(model)
        for inputs in instance.invocations:
            with np.errstate(all="ignore"):
                run = interpreter.invoke(inputs)
            answer.outputs.append(run.outputs)
            written: dict[int, Array] = {}
            for operator in run.operators:
                if operator.subgraph == 0:
                    written |= operator.outputs
            answer.tensors.append({i: np.array(v) for i, v in written.items()})
    except (RefusedError, ModelError) as error:
        answer.refusal = error.reason or str(error)
    return answer


class Checker:
    """Holds pyref against TFLM; a second worker is asked only where they differ."""

    def __init__(self) -> None:
        self.witness = Witness()
        self._second = Witness(PATTERNS[1])

    def check(self, instance: Instance | Stored) -> Verdict:
        """Runs both."""
        return self.judge(instance, self.witness.run(instance))

    def judge(self, instance: Instance | Stored, expected: Result) -> Verdict:
        """Compares pyref with TFLM's answer."""
        refusal = expected.refusal or ""
        if refusal.startswith("crashed"):
            return Verdict(Outcome.CRASHED, refusal)
        if re.match(r"Cannot set tensor|Unknown tensor type|Invalid tensor size|Null", refusal):
            return Verdict(Outcome.UNFED, refusal)
        verdict = compare(instance, expected)
        if verdict.outcome is Outcome.DIFFERENT:
            again = self._second.run(instance)
            if (again.refusal or "").startswith("crashed"):
                return Verdict(Outcome.CRASHED, again.refusal or "")
            if not _equal(expected, again):
                return Verdict(Outcome.UNDEFINED, verdict.why)
        return verdict

    def close(self) -> None:
        """Ends the workers."""
        self.witness.close()
        self._second.close()


def compare(instance: Instance | Stored, expected: Result) -> Verdict:
    """pyref against a result of TFLM that did not crash."""
    try:
        got = run_pyref(instance)
    except Exception as error:  # noqa: BLE001 - a difference like any other, to be shrunk
        return Verdict(Outcome.DIFFERENT, f"pyref raised {type(error).__name__}: {error}")
    if expected.refusal is not None:
        said = one_line(expected.refusal)
        if got.refusal is None:
            return Verdict(Outcome.DIFFERENT, f"TFLM refuses ({said}), pyref runs")
        if _reason(expected.log) and got.refusal not in said:
            return Verdict(Outcome.DIFFERENT, f"TFLM says {said!r}, pyref {got.refusal!r}")
        if len(got.outputs) != len(expected.outputs):
            return Verdict(Outcome.DIFFERENT, "refused in different invocations")
    elif got.refusal is not None:
        unchecked = "TFLM does not check" in got.refusal or "would misread" in got.refusal
        outcome = Outcome.UNCHECKED if unchecked else Outcome.DIFFERENT
        return Verdict(outcome, f"TFLM runs, pyref refuses: {got.refusal}")
    most = 0.0
    for k, (mine, theirs) in enumerate(zip(got.outputs, expected.outputs, strict=True)):
        named = [(f"output {i}", a, b) for i, (a, b) in enumerate(zip(mine, theirs, strict=True))]
        inner = expected.tensors[k] if k < len(expected.tensors) else {}
        named += [(f"tensor {i}", got.tensors[k][i], b) for i, b in inner.items()]
        for name, a, b in named:
            distance, why = _distance(instance.operator, a, b)
            most = max(most, distance)
            if why:
                what = f"invocation {k}, {name}: {why}"
                return Verdict(Outcome.DIFFERENT, what, most)
    if expected.refusal is not None:
        return Verdict(Outcome.REFUSED, one_line(expected.refusal), most)
    return Verdict(Outcome.SAME, ulp=most)


def one_line(text: str) -> str:
    """TFLM's message without folders and line numbers."""
    return re.sub(r"\S*/(\w+\.(?:cc|h))(?::\d+)?", r"\1", text)


def _distance(operator: str, got: Array, expected: Array) -> tuple[float, str]:
    bound = ulp.BOUNDS.get(operator)
    if expected.dtype == np.float32 and bound and got.shape == expected.shape:
        distance = bound.distance(got, expected)
        if distance <= bound.most:
            return distance, ""
        return distance, f"{distance:g} ULP apart, at most {bound.most:g} allowed"
    try:
        if got.shape == expected.shape == ():
            got, expected = got.reshape(1), expected.reshape(1)
        assert_same(_one_nan(got), _one_nan(expected), "")
    except AssertionError as error:
        return 0, str(error)
    return 0, ""


def _one_nan(array: Array) -> Array:
    """Every NaN the same: its sign and payload are the processor's affair."""
    if array.dtype != np.float32:
        return array
    return np.where(np.isnan(array), np.float32(np.nan), array)


def _equal(one: Result, other: Result) -> bool:
    if one.refusal != other.refusal or len(one.outputs) != len(other.outputs):
        return False
    pairs = [
        (a, b)
        for mine, theirs in zip(one.outputs, other.outputs, strict=True)
        for a, b in zip(mine, theirs, strict=True)
    ]
    for mine, theirs in zip(one.tensors, other.tensors, strict=True):
        pairs += [(mine[i], theirs[i]) for i in mine]
    return all(a.tobytes() == b.tobytes() for a, b in pairs)
