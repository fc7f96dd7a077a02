"""`hil check`'s answer for one model, board, release and kernel set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyref
from hil.check import arena, firmware, placement

if TYPE_CHECKING:
    from pathlib import Path

    from emulator import Board


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a model can be flashed, and everything that says so.

    Attributes:
        refusal: TFLM's reason for not taking the model, or None.
        need: None where TFLM refuses the model.
        arena_size_bytes: the size that was given to be judged, or None.
        allocation_failure: TFLM's message with an arena of that size, or None.
        findings: what the firmware's symbols say, or None without an ELF.
    """

    model_sha256: str
    board: str
    tflm: str
    kernels: str
    refusal: str | None
    need: arena.ArenaNeed | None
    placement: placement.Placement | None
    arena_size_bytes: int | None
    allocation_failure: str | None
    findings: firmware.FirmwareFindings | None
    warnings: tuple[str, ...]

    @property
    def missing_bytes(self) -> int:
        """What the given arena size lacks of the smallest arena that allocates; 0 if nothing."""
        if self.arena_size_bytes is None or self.need is None:
            return 0
        return max(self.need.smallest_bytes - self.arena_size_bytes, 0)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the model should not be flashed like this; empty where it can be."""
        found = []
        if self.refusal is not None:
            found.append(f"TFLM refuses the model: {self.refusal}")
        if self.placement is not None and self.placement.model is None:
            found.append(f"no memory of {self.board} has room for the model")
        if self.placement is not None and self.placement.arena is None:
            found.append(f"no memory of {self.board} has room for the arena")
        if self.allocation_failure is not None:
            missing = f"{self.missing_bytes:,} bytes are missing" if self.missing_bytes else ""
            found.append(
                f"an arena of {self.arena_size_bytes:,} bytes does not do: "
                f"{missing or 'its end is not aligned to 16'} (TFLM: {self.allocation_failure})"
            )
        if self.findings is not None:
            found += _firmware_reasons(self.findings)
        return tuple(found)


def _firmware_reasons(findings: firmware.FirmwareFindings) -> list[str]:
    found = []
    if findings.arenas and findings.arenas[0].missing_bytes:
        symbol = findings.arenas[0]
        found.append(
            f"the firmware's {symbol.name} has {symbol.size_bytes:,} bytes: "
            f"{symbol.missing_bytes:,} are missing"
        )
    if findings.missing_operators:
        found.append(f"the firmware registers no {', '.join(findings.missing_operators)}")
    return found


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
        arena_size_bytes: an arena size to judge.
        elf: firmware whose symbols to read.

    Raises:
        emulator.EmulatorError: the ELF cannot be read.
        pyref.PlanError: no such release or kernel set.
    """
    settings: dict[str, Any] = {
        "model_sha256": model.sha256,
        "board": board.name,
        "tflm": tflm,
        "kernels": kernels,
        "arena_size_bytes": arena_size_bytes,
    }
    refusal = _refusal(model, kernels)
    plan = None
    if refusal is None:
        try:
            plan = pyref.plan(model, tflm=tflm, kernels=kernels)
        except pyref.RefusedError as error:
            refusal = str(error)
    if plan is None:
        return Verdict(
            **settings,
            refusal=refusal,
            need=None,
            placement=None,
            allocation_failure=None,
            findings=None,
            warnings=model.warnings,
        )
    need = arena.need(model, plan)
    return Verdict(
        **settings,
        refusal=None,
        need=need,
        placement=placement.place(board, len(model.data), need.recommended_bytes),
        allocation_failure=None if arena_size_bytes is None else plan.refusal(arena_size_bytes),
        findings=None if elf is None else _examine(elf, model, board, need.smallest_bytes),
        warnings=tuple(dict.fromkeys((*model.warnings, *plan.warnings))),
    )


def _refusal(model: pyref.Model, kernels: str) -> str | None:
    """TFLM's reason against the model, found by preparing it and running it once."""
    try:
        pyref.run(model, pyref.seeded_inputs(model, 0), kernels=kernels)
    except pyref.RefusedError as error:
        return str(error)
    return None


def _examine(
    elf: Path, model: pyref.Model, board: Board, arena_bytes: int
) -> firmware.FirmwareFindings:
    from emulator.elf import Image  # noqa: PLC0415 - only where an ELF is given

    symbols = tuple(Image.from_source(elf).symbols.values())
    return firmware.examine(symbols, model, board, arena_bytes)
