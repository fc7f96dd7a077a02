"""pyref's answer to an instance, and how it compares with TFLM's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

import pyref
from pyref.errors import ModelError, RefusedError
from tests.property import ulp
from tests.property.written import WRITTEN
from tests.pyref.equal import assert_same
from tests.tflm import Result, _reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.property.instance import Instance, Stored

    Array = NDArray[Any]


#: Checks of releases after 2026-08, which pyref follows: it may refuse in words of its own.
NEWER_CHECKS = (
    "space_to_depth.cc block_size > 0 was not true.",
    "squeeze.cc out_idx < output_dims->size",
    "unsupported decode type 127",
)
#: How pyref says that it refuses on purpose what TFLM runs, reading or writing what it should not.
UNCHECKED = re.compile(
    "TFLM does not check|unchecked in TFLM|would misread|would go beyond|undefined|takes it for 0"
)


class Outcome(Enum):
    """How pyref and TFLM compare on one instance."""

    SAME = "compared"
    PARTLY = "compared but for elements that TFLM did not write"
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
        interpreter = pyref.Interpreter(pyref.Model.from_bytes(instance.data))
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


def compare(instance: Instance | Stored, expected: Result, again: Result | None = None) -> Verdict:
    """pyref against a result of TFLM that did not crash.

    Args:
        instance: what was run.
        expected: TFLM's answer.
        again: its answer with other bytes in fresh memory: where the two differ, TFLM is not
            held to have said anything.
    """
    try:
        got = run_pyref(instance)
    except Exception as error:  # noqa: BLE001 - a difference like any other, to be shrunk
        return Verdict(Outcome.DIFFERENT, f"pyref raised {type(error).__name__}: {error}")
    if again is not None and expected.refusal != again.refusal:
        return Verdict(Outcome.UNDEFINED, "TFLM refuses or not by memory it did not write")
    verdict = _refusals(got, expected)
    if verdict is not None:
        if again is not None and got.refusal is not None and not _equal(expected, again):
            return Verdict(Outcome.UNDEFINED, verdict.why)
        return verdict
    most, hidden, count = 0.0, 0, 0
    for name, mine, theirs, other in _tensors(instance.operator, got, expected, again):
        known = mine
        if other is not None and mine.shape == theirs.shape == other.shape:
            open_ = _bits(theirs) != _bits(other)
            hidden += int(open_.sum())
            known = np.where(open_, theirs, mine).astype(mine.dtype)
        count += theirs.size
        distance, why = _distance(instance.operator, known, theirs)
        most = max(most, distance)
        if why:
            return Verdict(Outcome.DIFFERENT, f"{name}: {why}", most)
    if expected.refusal is not None:
        return Verdict(Outcome.REFUSED, one_line(expected.refusal), most)
    if hidden and hidden == count:
        return Verdict(Outcome.UNDEFINED, "every element")
    return Verdict(Outcome.PARTLY if hidden else Outcome.SAME, ulp=most)


def _refusals(got: Answer, expected: Result) -> Verdict | None:
    """What refusals alone decide."""
    if expected.refusal is not None:
        said = one_line(expected.refusal)
        if got.refusal is None:
            return Verdict(Outcome.DIFFERENT, f"TFLM refuses ({said}), pyref runs")
        newer = any(check in said for check in NEWER_CHECKS) or UNCHECKED.search(got.refusal)
        if _reason(expected.log) and got.refusal not in said and not newer:
            return Verdict(Outcome.DIFFERENT, f"TFLM says {said!r}, pyref {got.refusal!r}")
        if len(got.outputs) != len(expected.outputs):
            return Verdict(Outcome.DIFFERENT, "refused in different invocations")
    elif got.refusal is not None:
        unchecked = UNCHECKED.search(got.refusal)
        outcome = Outcome.UNCHECKED if unchecked else Outcome.DIFFERENT
        return Verdict(outcome, f"TFLM runs, pyref refuses: {got.refusal}")
    return None


def _tensors(
    operator: str, got: Answer, expected: Result, again: Result | None
) -> list[tuple[str, Array, Array, Array | None]]:
    """Every tensor of every invocation: name, pyref's, TFLM's, TFLM's second."""
    result: list[tuple[str, Array, Array, Array | None]] = []
    written = WRITTEN.get(operator)
    for k, theirs in enumerate(expected.outputs):
        if written is not None and got.outputs[k][-1].tobytes() == theirs[-1].tobytes():
            masks = written(theirs)
            for i, (a, b, mask) in enumerate(zip(got.outputs[k], theirs, masks, strict=True)):
                result.append(
                    (f"invocation {k}, output {i}, where written", a[mask], b[mask], None)
                )
            continue
        others = again.outputs[k] if again else [None] * len(theirs)
        for i, (a, b, c) in enumerate(zip(got.outputs[k], theirs, others, strict=True)):
            result.append((f"invocation {k}, output {i}", a, b, c))
        inner = expected.tensors[k] if k < len(expected.tensors) else {}
        for i, b in inner.items():
            if i in got.tensors[k]:  # an aborted invocation writes only some
                c = again.tensors[k][i] if again else None
                result.append((f"invocation {k}, tensor {i}", got.tensors[k][i], b, c))
    return result


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
        return 0, str(error).removeprefix(": ")
    return 0, ""


def _one_nan(array: Array) -> Array:
    """Every NaN the same: its sign and payload are the processor's affair."""
    if array.dtype != np.float32:
        return array
    return np.where(np.isnan(array), np.float32(np.nan), array)


def _equal(one: Result, other: Result) -> bool:
    """Whether TFLM said the same twice."""
    pairs = zip(one.outputs, other.outputs, strict=True)
    flat = [(a, b) for x, y in pairs for a, b in zip(x, y, strict=True)]
    return all(a.tobytes() == b.tobytes() for a, b in flat)


def _bits(array: Array) -> Array:
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(f"u{array.dtype.itemsize}").reshape(array.shape)
