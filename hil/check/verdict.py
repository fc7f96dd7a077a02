"""`hil check`'s answer for one model, board, release and kernel set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hil.check import arena, firmware, placement
from hil.check.refusal import plan_or_refusal

if TYPE_CHECKING:
    from pathlib import Path

    import pyref
    from emulator import Board


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a model can be flashed, and everything that says so.

    Attributes:
        model_bytes: size of the file.
        refusal: TFLM's reason for not taking the model, or None.
        need: None where AllocateTensors refuses the model.
        placement: None likewise.
        plan: None likewise.
        arena_size_bytes: the size that was given to be judged, or None.
        allocation_failure: TFLM's message with an arena of that size at a multiple of 16, or None.
        findings: what the firmware tells, or None without an ELF.
        warnings: what TFLM does otherwise than the file says, in silence.
    """

    model_sha256: str
    model_bytes: int
    board: str
    tflm: str
    kernels: str
    refusal: str | None
    need: arena.ArenaNeed | None
    placement: placement.Placement | None
    plan: pyref.Plan | None
    arena_size_bytes: int | None
    allocation_failure: str | None
    findings: firmware.FirmwareFindings | None
    warnings: tuple[str, ...]
    unplaceable: bool = False

    @property
    def missing_bytes(self) -> int:
        """What the given arena size lacks of the smallest arena that allocates; 0 if nothing."""
        if self.arena_size_bytes is None or self.need is None:
            return 0
        return arena.missing_bytes(self.need.smallest_bytes, self.arena_size_bytes)

    @property
    def arena_size_note(self) -> str | None:
        """What to know of a given arena size that does only at a multiple of 16."""
        if self.arena_size_bytes is None or self.need is None or self.missing_bytes:
            return None
        # TFLM skips 15 bytes at worst, of an arena that begins one byte after a multiple of 16.
        at_worst = arena.missing_bytes(self.need.smallest_bytes, self.arena_size_bytes, base=1)
        if not at_worst:
            return None
        return (
            f"an arena of {self.arena_size_bytes:,} bytes does only with alignas(16): elsewhere "
            f"up to {at_worst} bytes would be missing"
        )

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the model should not be flashed like this; empty where it can be."""
        found = []
        if self.refusal is not None:
            found.append(f"TFLM {self.tflm} does not take the model: {self.refusal}")
        if self.placement is not None and self.placement.model is None:
            found.append(f"no memory of {self.board} has room for the model")
        if self.placement is not None and self.placement.arena is None:
            found.append(f"no memory of {self.board} has room for the arena")
        if self.unplaceable and self.placement is not None and self.placement.arena is not None:
            found.append(
                f"no memory of {self.board} holds an arena of {self.arena_size_bytes:,} bytes"
            )
        if self.missing_bytes:
            found.append(
                f"an arena of {self.arena_size_bytes:,} bytes is too small: "
                f"{self.missing_bytes:,} bytes are missing "
                f'(TFLM: "{self.allocation_failure}")'
            )
        if self.findings is not None:
            found += self.findings.reasons
        return tuple(found)


def check(
    model: pyref.Model,
    board: Board,
    *,
    tflm: str = "2026-08",
    kernels: str = "cmsis_nn",
    arena_size_bytes: int | None = None,
    elf: Path | None = None,
) -> Verdict:
    """Judges a model for a board, before anything is flashed.

    Args:
        model: the model.
        board: where it is to run.
        tflm: TFLM's release, as `pyref.plan` names it.
        kernels: kernel set of the build.
        arena_size_bytes: an arena size to judge, for an arena at a multiple of 16.
        elf: firmware to read.

    Raises:
        UsageError: there is no such ELF.
        FirmwareFileError: the ELF cannot be read.
        pyref.PlanError: no such release or kernel set, or a model that cannot be planned.
    """
    plan, found = plan_or_refusal(model, tflm, kernels, invoke=True)
    warnings = (*model.warnings, *found.warnings, *(plan.warnings if plan is not None else ()))
    need = placed = failure = findings = None
    unplaceable = False
    if plan is not None:
        need = arena.need(model, plan)
        placed = placement.place(board, len(model.data), need.recommended_bytes)
        if arena_size_bytes is not None:
            failure = plan.refusal(arena_size_bytes)
            unplaceable = placement.place(board, len(model.data), arena_size_bytes).arena is None
        if elf is not None:
            findings = firmware.examine(elf, model, board, plan)
    return Verdict(
        model_sha256=model.sha256,
        model_bytes=len(model.data),
        board=board.name,
        tflm=tflm,
        kernels=kernels,
        refusal=found.reason,
        need=need,
        placement=placed,
        plan=plan,
        arena_size_bytes=arena_size_bytes,
        allocation_failure=failure,
        findings=findings,
        warnings=tuple(dict.fromkeys(warnings)),
        unplaceable=unplaceable,
    )
