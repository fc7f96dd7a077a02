"""Observations made from a golden, as a perfect device would give them, and ways to spoil them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import pyref
from hil import job
from hil.observation import (
    ArenaObservation,
    LinkStats,
    Observation,
    OperatorObservation,
    TargetIdentity,
)

if TYPE_CHECKING:
    import numpy as np

FIXTURES = Path(__file__).parents[2] / "fixtures"

TARGET = TargetIdentity(
    kind="emulator",
    board="stm32h747i_disco",
    firmware_sha256="f" * 64,
    kernels="reference",
    engine="hil-engine 1",
    core=0x411FC271,
    clock_hz=400_000_000,
    caches="I+D",
    cycles_kind="modelled",
)


def dense() -> tuple[pyref.Model, pyref.Golden]:
    """A small model and its golden."""
    model = pyref.Model.from_file(FIXTURES / "dense.tflite")
    return model, job.make_golden(model, seed=0)


def perfect(golden: pyref.Golden) -> Observation:
    """What a device that computes the golden reports."""
    plan = golden.plan
    return Observation(
        target=TARGET,
        model_sha256=golden.model_sha256,
        operators=tuple(
            OperatorObservation(
                index=o.index,
                op=o.op,
                digests={t: pyref.digest(a) for t, a in o.outputs.items()},
                cycles=1000 + o.index,
                instructions=900 + o.index,
            )
            for o in golden.operators
        ),
        arena=ArenaObservation(
            used_bytes=plan["arena_used_bytes"],
            offsets={int(t): o for t, o in plan["tensor_offsets"].items()},
            region="AXI SRAM",
        ),
        link=LinkStats(bytes=4096, retries=0),
    )


def spoil(
    golden: pyref.Golden, observation: Observation, operator: int, values: np.ndarray
) -> Observation:
    """The observation with another value of one operator's only output, captured."""
    (tensor,) = golden.operators[operator].outputs
    operators = list(observation.operators)
    operators[operator] = dataclasses.replace(
        operators[operator], digests={tensor: pyref.digest(values)}
    )
    return dataclasses.replace(
        observation,
        operators=tuple(operators),
        captured={(operator, tensor): values.tobytes()},
    )
