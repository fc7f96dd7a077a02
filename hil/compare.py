"""Golden against observation: every tensor by digest, what differs by bytes, cycles and arena."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import pyref
from hil import cycles as cycle_goldens
from hil.errors import ProtocolError, WrongModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hil.cycles import CycleComparison, CycleGolden
    from hil.observation import Observation, OperatorObservation

    Array = NDArray[Any]


#: Kernel sets of engines to the TFLM kernel set whose bytes they compute.
ARITHMETIC = {"portable": "reference"}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first element that differs: its index in the tensor, and both values."""

    index: tuple[int, ...]
    expected: float | int
    got: float | int


@dataclass(frozen=True, slots=True)
class TensorComparison:
    """One output tensor.

    Attributes:
        match: the digests are equal.
        mismatches: differing elements; None where only digests were compared.
        max_abs_diff: largest absolute difference, in units of the tensor's dtype; None likewise.
        first_difference: None likewise, or where the captured bytes equal the golden although the
            digest did not.
        digest_expected: golden's digest.
        digest_got: device's digest.
    """

    tensor: int
    match: bool
    digest_expected: bytes
    digest_got: bytes
    mismatches: int | None = None
    max_abs_diff: float | int | None = None
    first_difference: Difference | None = None

    @property
    def unstable(self) -> bool:
        """A second run gave the golden's bytes: memory or link is to blame, not the kernel."""
        return not self.match and self.mismatches == 0


@dataclass(frozen=True, slots=True)
class OperatorComparison:
    """One operator: its tensors, and its counts against their golden where there is one."""

    index: int
    op: str
    tensors: tuple[TensorComparison, ...]
    cycles: int
    instructions: int | None
    cycles_golden: CycleComparison | None

    @property
    def match(self) -> bool:
        """Whether every output tensor is equal."""
        return all(t.match for t in self.tensors)


@dataclass(frozen=True, slots=True)
class ArenaComparison:
    """Predicted and reported arena.

    Attributes:
        predicted: bytes that pyref's plan for this engine gives; None where it makes none.
        reported: bytes that the device reports.
        offsets: (tensor, predicted offset, reported offset or None) where the two disagree.
        compared: number of tensor offsets compared.
        region: memory that holds the arena.
    """

    predicted: int | None
    reported: int
    offsets: tuple[tuple[int, int, int | None], ...]
    compared: int
    region: str

    @property
    def match(self) -> bool:
        """Whether bytes and offsets agree with the plan."""
        return not self.offsets and self.predicted in {None, self.reported}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result that is reported: see `reasons` for why it is not good."""

    observation: Observation
    operators: tuple[OperatorComparison, ...]
    arena: ArenaComparison
    cycles_note: str

    @property
    def first_difference(self) -> tuple[OperatorComparison, TensorComparison] | None:
        """The first operator and tensor that differ, in execution order."""
        for operator in self.operators:
            for tensor in operator.tensors:
                if not tensor.match:
                    return operator, tensor
        return None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the verdict is not "pass", one word group each; empty where it is."""
        found = []
        if any(not o.match for o in self.operators):
            found.append("outputs differ")
        if not self.arena.match:
            found.append("arena differs")
        if any(o.cycles_golden and not o.cycles_golden.within for o in self.operators):
            found.append("cycles outside tolerance")
        return tuple(found)

    @property
    def verdict(self) -> str:
        """Either "pass" or "fail"."""
        return "fail" if self.reasons else "pass"


def differing(golden: pyref.Golden, observation: Observation) -> list[tuple[int, int]]:
    """(operator index, tensor index) of every output whose digest differs, in execution order.

    Raises:
        WrongModelError: the device ran another model.
        ProtocolError: it ran other operators or reports other outputs than the golden's.
    """
    return [
        (seen.index, tensor)
        for expected, seen in _pairs(golden, observation)
        for tensor, array in expected.outputs.items()
        if pyref.digest(array) != seen.digests[tensor]
    ]


def compare(
    golden: pyref.Golden,
    observation: Observation,
    *,
    plan: Mapping[str, Any] | None = None,
    cycle_golden: CycleGolden | None = None,
    cycles_tolerance: float = 0.0,
) -> Comparison:
    """Judges an observation.

    Args:
        golden: what every tensor must be.
        observation: what the target did.
        plan: `arena_used_bytes` and `tensor_offsets` that the engine should report.
        cycle_golden: counts of the same origin, or None.
        cycles_tolerance: fraction of a golden count by which a count may differ.

    Raises:
        WrongModelError: golden and observation are of different models.
        GoldenError: a golden of another kernel set, or a cycle golden of other operators.
        ProtocolError: they are not of the same operators.
    """
    kernels = observation.target.kernels
    if golden.kernels != ARITHMETIC.get(kernels, kernels):
        raise pyref.GoldenError(
            f"the golden follows TFLM's {golden.kernels} kernels, the firmware's engine "
            f"{kernels}; write a golden for that kernel set"
        )
    if cycle_golden is not None and len(cycle_golden.cycles) != len(golden.operators):
        raise pyref.GoldenError(
            f"the cycle golden counts {len(cycle_golden.cycles)} operators, the model has "
            f"{len(golden.operators)}; record it again"
        )
    operators = []
    for position, (expected, seen) in enumerate(_pairs(golden, observation)):
        counted = None
        if cycle_golden is not None:
            counted = cycle_goldens.compare(
                cycle_golden.cycles[position], seen.cycles, cycles_tolerance
            )
        operators.append(
            OperatorComparison(
                index=seen.index,
                op=expected.op,
                tensors=tuple(
                    _compare_tensor(t, a, seen, observation) for t, a in expected.outputs.items()
                ),
                cycles=seen.cycles,
                instructions=seen.instructions,
                cycles_golden=counted,
            )
        )
    kind = observation.target.cycles_kind
    note = (
        f"{kind} cycles compared with a golden of the same origin"
        if cycle_golden is not None
        else f"{kind} cycles: no golden of this board, firmware, clock and inputs to compare with"
    )
    return Comparison(observation, tuple(operators), _compare_arena(plan, observation), note)


def _pairs(
    golden: pyref.Golden, observation: Observation
) -> list[tuple[pyref.GoldenOperator, OperatorObservation]]:
    if observation.model_sha256 != golden.model_sha256:
        raise WrongModelError(expected=golden.model_sha256, got=observation.model_sha256)
    if len(golden.operators) != len(observation.operators):
        raise ProtocolError(
            "operators reported", expected=len(golden.operators), got=len(observation.operators)
        )
    pairs = list(zip(golden.operators, observation.operators, strict=True))
    for expected, seen in pairs:
        if expected.index != seen.index or set(expected.outputs) != set(seen.digests):
            raise ProtocolError(
                f"outputs of operator {expected.index} ({expected.op})",
                expected=f"tensors {sorted(expected.outputs)}",
                got=f"operator {seen.index} with tensors {sorted(seen.digests)}",
            )
    return pairs


def _compare_tensor(
    tensor: int, expected: Array, seen: OperatorObservation, observation: Observation
) -> TensorComparison:
    wanted, got = pyref.digest(expected), seen.digests[tensor]
    if wanted == got:
        return TensorComparison(
            tensor, match=True, digest_expected=wanted, digest_got=got, mismatches=0, max_abs_diff=0
        )
    captured = observation.captured.get((seen.index, tensor))
    if captured is None:
        return TensorComparison(tensor, match=False, digest_expected=wanted, digest_got=got)
    if len(captured) != expected.nbytes:
        raise ProtocolError(
            f"capture of tensor {tensor} of operator {seen.index}",
            expected=f"{expected.nbytes} bytes",
            got=f"{len(captured)} bytes",
        )
    values = np.frombuffer(captured, expected.dtype).reshape(expected.shape)
    return _compare_values(tensor, np.ascontiguousarray(expected), values, wanted, got)


def _compare_values(
    tensor: int, expected: Array, values: Array, wanted: bytes, got: bytes
) -> TensorComparison:
    # By bytes, so that two NaNs of the same pattern are equal and -0.0 is not 0.0.
    width = expected.dtype.itemsize
    unequal = (
        expected.reshape(-1).view(np.uint8).reshape(-1, width)
        != values.reshape(-1).view(np.uint8).reshape(-1, width)
    ).any(axis=1)
    places = np.flatnonzero(unequal)
    first = None
    largest: float | int = 0
    if places.size:
        index = np.unravel_index(int(places[0]), expected.shape) if expected.ndim else ()
        first = Difference(
            tuple(int(i) for i in index), expected[index].item(), values[index].item()
        )
        a, b = expected.reshape(-1)[places], values.reshape(-1)[places]
        wide = np.float64 if expected.dtype.kind == "f" else np.int64
        largest = np.abs(a.astype(wide) - b.astype(wide)).max().item()
    return TensorComparison(
        tensor,
        match=False,
        digest_expected=wanted,
        digest_got=got,
        mismatches=int(places.size),
        max_abs_diff=largest,
        first_difference=first,
    )


def _compare_arena(plan: Mapping[str, Any] | None, observation: Observation) -> ArenaComparison:
    reported = observation.arena
    offsets = {} if plan is None else {int(t): o for t, o in plan["tensor_offsets"].items()}
    return ArenaComparison(
        predicted=None if plan is None else plan["arena_used_bytes"],
        reported=reported.used_bytes,
        offsets=tuple(
            (t, o, reported.offsets.get(t))
            for t, o in sorted(offsets.items())
            if reported.offsets.get(t) != o
        ),
        compared=len(offsets),
        region=reported.region,
    )
