"""What the pytest plugin hands to a test: a model bound to a target, and an assertion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hil import job
from hil.errors import DeviceFaultError
from hil.report.terminal import describe_arena, describe_differences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    import pyref
    from hil.compare import Comparison
    from hil.targets import Target


@dataclass(frozen=True, eq=False)
class BoundModel:
    """A model on a target, as a test uses it.

    Attributes:
        model: the model.
        target: the open target.
        seed: of the inputs.
        golden_folder: golden to compare with; None computes it with pyref.
        cycles_tolerance: fraction by which cycles may differ from their golden.
    """

    model: pyref.Model
    target: Target
    seed: int = 0
    golden_folder: Path | None = None
    cycles_tolerance: float = 0.0

    @cached_property
    def golden(self) -> pyref.Golden:
        """The golden for `seed`, or the one read from `golden_folder`."""
        if self.golden_folder is not None:
            from pyref import Golden  # noqa: PLC0415 - pyref loads only when a model runs

            return Golden.read(self.golden_folder)
        return job.make_golden(self.model, seed=self.seed)

    def compare(self, inputs: Sequence[NDArray[Any]] | None = None) -> Comparison:
        """Runs once on the target and compares every tensor.

        Args:
            inputs: arrays of the model's inputs; None uses the golden's.

        Raises:
            hil.errors.HilError: the target could not run it.
        """
        golden = self.golden
        if inputs is not None:
            golden = job.make_golden(self.model, seed=None, inputs=inputs)
        golden.check_model(self.model)
        try:
            observation = job.observe(self.model, golden.inputs, self.target)
            observation = job.capture(golden, observation, self.target)
        except DeviceFaultError:
            # A faulted device answers only to a reset: the next test must find a sound one.
            self.target.reset()
            raise
        return job.judge(
            self.model,
            golden,
            observation,
            folder=self.golden_folder,
            cycles_tolerance=self.cycles_tolerance,
        )

    def check(self, inputs: Sequence[NDArray[Any]] | None = None) -> Comparison:
        """Like `compare`, and fails the test unless the verdict is "pass".

        Raises:
            AssertionError: names the first operator, tensor and element that differ.
        """
        comparison = self.compare(inputs)
        if comparison.reasons:
            raise AssertionError("\n".join(explain(comparison)))
        return comparison


def explain(comparison: Comparison) -> list[str]:
    """Why a comparison failed, as lines for a person."""
    lines = [", ".join(comparison.reasons), *describe_differences(comparison)]
    if not comparison.arena.match:
        lines.append(f"arena: {describe_arena(comparison.arena)}")
    lines += [
        f"operator {o.index} ({o.op}): {o.cycles_golden.got} cycles, golden "
        f"{o.cycles_golden.expected}"
        for o in comparison.operators
        if o.cycles_golden is not None and not o.cycles_golden.within
    ]
    return lines
