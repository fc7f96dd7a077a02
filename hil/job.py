"""The main job: a golden, a target, an observation of it, and the comparison of the two."""

from __future__ import annotations

import dataclasses
import hashlib
import time
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

import pyref
from hil import compare, cycles, resources
from hil.errors import UsageError
from hil.observation import (
    ArenaObservation,
    LinkStats,
    Observation,
    OperatorObservation,
    TargetIdentity,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hil.compare import Comparison
    from hil.targets import Target

    Array = NDArray[Any]

#: Release name of our own engine in `pyref.plan`.
ENGINE_RELEASE = "hil-1"

#: Outputs that are fetched byte by byte when their digest differs; later ones usually only
#: inherit the first difference, and each costs another inference.
CAPTURES = 4


def load_inputs(model: pyref.Model, path: Path) -> list[Array]:
    """Reads inputs from an `.npz` file: by tensor name, or by position in the file.

    Raises:
        UsageError: the file cannot be read, or lacks an input.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file of inputs; write one with numpy.savez") from error
    except (OSError, ValueError, EOFError, AttributeError, TypeError, BadZipFile) as error:
        raise UsageError(
            f"{path}: not an .npz file of inputs ({error}); write one with numpy.savez"
        ) from error
    names = [t.name for t in model.inputs]
    if len(set(names)) == len(names) and set(names) <= set(arrays):
        return [arrays[name] for name in names]
    if len(arrays) == len(names) and all(name.startswith("arr_") for name in arrays):
        return [arrays[f"arr_{k}"] for k in range(len(names))]
    wanted = ", ".join(f"{k}: {name!r}" for k, name in enumerate(names))
    held = ", ".join(sorted(arrays)) or "nothing"
    raise UsageError(
        f"{path} holds {held}; expected the inputs by name ({wanted}) or by "
        "position (numpy.savez(file, first, second ...))"
    )


def make_golden(
    model: pyref.Model, *, seed: int | None, inputs: Sequence[Array] | None = None
) -> pyref.Golden:
    """Computes a golden with the reference interpreter.

    Args:
        model: the model.
        seed: of the inputs where none are given.
        inputs: arrays of subgraph 0's inputs, or None for seeded ones.

    Raises:
        pyref.RefusedError: TFLM would refuse the model.
        pyref.InputError: the inputs do not fit.
    """
    if inputs is None:
        seed = seed or 0
        inputs = pyref.seeded_inputs(model, seed)
    else:
        seed = None
    run = pyref.run(model, inputs)
    return pyref.Golden.from_run(model, inputs, run, seed=seed, plan=plan_of(model))


def plan_of(model: pyref.Model, engine: str = ENGINE_RELEASE) -> dict[str, Any]:
    """The arena plan that our engine should report, as JSON data."""
    plan = pyref.plan(model, tflm=engine, kernels="reference")
    return {
        "release": engine,
        "kernels": "reference",
        "warnings": list(plan.warnings),
        "arena_used_bytes": plan.arena_used_bytes,
        "tensor_offsets": {str(t): o for t, o in plan.tensor_offsets.items()},
    }


def inputs_digest(inputs: Sequence[Array]) -> str:
    """Hex digest over all inputs, to tell runs with other inputs apart."""
    return hashlib.sha256(b"".join(pyref.digest(a) for a in inputs)).hexdigest()[:16]


def cycle_golden_path(model: pyref.Model, folder: Path | None) -> Path:
    """Where cycle goldens of a model are: in its golden folder, or among the fixtures."""
    if folder is not None:
        return folder / "cycles.json"
    return resources.fixture(f"cycles/{model.sha256[:16]}.json")


def observe(
    model: pyref.Model,
    inputs: Sequence[Array],
    target: Target,
    *,
    on_upload: Callable[[int, int], None] | None = None,
    on_operator: Callable[[int], None] | None = None,
) -> Observation:
    """Runs a model once on a target.

    Args:
        model: the model to send; skipped where the device already holds it.
        inputs: arrays of the model's inputs.
        target: an open target.
        on_upload: called with bytes sent and bytes in all.
        on_operator: called with the number of operators done.

    Raises:
        hil.errors.HilError: the target could not run it.
    """
    spent = _Spent(target)
    link = target.link
    hello = target.hello
    link.upload(model.data, progress=on_upload)
    allocation = link.allocate()
    link.write_inputs([np.ascontiguousarray(a).tobytes() for a in inputs])
    results = link.invoke(on_operator=on_operator)
    return Observation(
        target=TargetIdentity(
            kind=target.kind,
            board=target.board,
            firmware_sha256=target.firmware_sha256,
            kernels=hello.kernels,
            engine=hello.engine,
            core=hello.core,
            clock_hz=hello.clock_hz,
            caches=hello.caches,
            cycles_kind=target.cycles_kind,
        ),
        model_sha256=link.model_sha256,
        operators=tuple(
            OperatorObservation(
                index=r.index,
                op=r.op,
                digests={o.tensor: o.digest for o in r.outputs},
                cycles=r.cycles,
                instructions=r.instructions,
            )
            for r in results
        ),
        arena=ArenaObservation(
            used_bytes=allocation.arena_used_bytes,
            offsets=allocation.offsets,
            region=allocation.region,
        ),
        link=spent.since(LinkStats(0, 0)),
    )


def capture(
    golden: pyref.Golden, observation: Observation, target: Target, *, most: int = CAPTURES
) -> Observation:
    """Fetches the bytes of outputs whose digest is not the golden's, by running again.

    Args:
        golden: its digests decide what to fetch.
        observation: made on `target` with the golden's inputs, which the link sends again.
        target: the target, still open.
        most: how many differing outputs to fetch at most, the first ones.

    Raises:
        hil.errors.HilError: the target could not run it.
    """
    spent = _Spent(target)
    captured = {
        (operator, tensor): target.link.capture(operator, tensor)
        for operator, tensor in compare.differing(golden, observation)[:most]
    }
    return dataclasses.replace(observation, captured=captured, link=spent.since(observation.link))


class _Spent:
    """What the conversation with a target has cost since this was made."""

    def __init__(self, target: Target) -> None:
        self._stats = target.link.stats
        self._bytes, self._retries = self._stats.bytes, self._stats.retries
        self._started = time.perf_counter()

    def since(self, before: LinkStats) -> LinkStats:
        """That, and what had been spent before."""
        return LinkStats(
            before.bytes + self._stats.bytes - self._bytes,
            before.retries + self._stats.retries - self._retries,
            before.seconds + time.perf_counter() - self._started,
        )


def judge(
    model: pyref.Model,
    golden: pyref.Golden,
    observation: Observation,
    *,
    folder: Path | None = None,
    cycles_tolerance: float = 0.0,
) -> Comparison:
    """Compares an observation with a golden, the plan and the cycle golden of its origin.

    Args:
        model: the model that ran.
        golden: what every tensor must be.
        observation: what the target did.
        folder: golden folder whose cycle goldens to use; None for those among the fixtures.
        cycles_tolerance: fraction of a golden count by which a count may differ.
    """
    origin = cycles.origin_of(observation, inputs_digest(golden.inputs))
    return compare.compare(
        golden,
        observation,
        plan=golden.plan,
        cycle_golden=cycles.find(cycles.read(cycle_golden_path(model, folder)), origin),
        cycles_tolerance=cycles_tolerance,
    )
