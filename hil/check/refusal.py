"""Would TFLM take the model, and if not, why in TFLM's words."""

from __future__ import annotations

from dataclasses import dataclass

import pyref
from hil.check import releases


@dataclass(frozen=True, slots=True)
class Refusal:
    """TFLM's answer.

    Attributes:
        reason: its words with the operator before them, or what it does wrong in silence; None
            where it takes the model.
        warnings: what it takes in silence although a later release would not.
    """

    reason: str | None
    warnings: tuple[str, ...] = ()


def refusal(model: pyref.Model, tflm: str, kernels: str, *, invoke: bool) -> Refusal:
    """Prepares the model as TFLM does and, with `invoke`, runs it once on seeded inputs."""
    older = releases.refusal_2024_06(model) if tflm == "2024-06" else None
    if older is not None:
        return Refusal(older)
    try:
        if invoke:
            pyref.run(model, pyref.seeded_inputs(model, 0), kernels=kernels)
        else:
            pyref.Interpreter(model, kernels=kernels)
    except pyref.RefusedError as error:
        later = releases.later_check(error.op, error.reason) if tflm == "2024-06" else None
        if later is not None:
            silence = (
                f"2024-06 does not check what 2026-08 refuses ({error}) and {later.consequence}"
            )
            return Refusal(silence) if later.harmful else Refusal(None, (silence,))
        return Refusal(str(error))
    return Refusal(None)


def plan_or_refusal(
    model: pyref.Model, tflm: str, kernels: str, *, invoke: bool = False
) -> tuple[pyref.Plan | None, Refusal]:
    """The plan where AllocateTensors gets that far, and what stands against the model.

    A model that Invoke refuses has both.
    """
    found = refusal(model, tflm, kernels, invoke=invoke)
    try:
        plan = pyref.plan(model, tflm=tflm, kernels=kernels)
    except (pyref.RefusedError, pyref.OfflinePlanError, pyref.ArenaTooSmallError) as error:
        return None, Refusal(found.reason or str(error), found.warnings)
    return plan, found
