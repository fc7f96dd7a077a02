"""Models on which pyref once differed from TFLM: fixtures/regressions/<operator>-<hash>."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.property.table import STRATEGIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.property.compare import Verdict
    from tests.property.instance import Instance

FOLDER = Path(__file__).parents[2] / "fixtures" / "regressions"


def digest(instance: Instance) -> bytes:
    """What makes two instances distinct: the model file."""
    return hashlib.sha256(instance.data).digest()


def kind(verdict: Verdict) -> str:
    """A verdict without its numbers: differences of one kind are shrunk once."""
    return verdict.outcome.name + re.sub(r"-?\d[\d.e+-]*|\(.*?\)|np\.\w+", "#", verdict.why)[:90]


def write(instance: Instance, folder: Path = FOLDER) -> Path:
    """Writes `<operator>-<hash>.tflite`, and its inputs beside it as `.npz`.

    Returns:
        The model's path.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{instance.operator.lower()}-{digest(instance).hex()[:8]}.tflite"
    path.write_bytes(instance.data)
    arrays = {
        f"invocation{k}_input{i}": value
        for k, inputs in enumerate(instance.invocations)
        for i, value in enumerate(inputs)
    }
    arrays["invocations"] = np.array(len(instance.invocations))
    np.savez_compressed(path.with_suffix(".npz"), **arrays)  # type: ignore[arg-type]
    return path


def read(path: Path) -> tuple[bytes, list[list[NDArray[Any]]]]:
    """A model's bytes and the inputs of each invocation."""
    invocations: list[list[NDArray[Any]]] = []
    with np.load(path.with_suffix(".npz")) as file:
        for k in range(int(file["invocations"])):
            names = [n for n in file.files if n.startswith(f"invocation{k}_")]
            invocations.append([file[f"invocation{k}_input{i}"] for i in range(len(names))])
    return path.read_bytes(), invocations


def operator_of(name: str) -> str:
    """The operator that a file name stands for, as `table.STRATEGIES` spells it."""
    stem = name.rpartition("-")[0]
    return next((o for o in STRATEGIES if o.lower() == stem), stem)


def names(folder: Path = FOLDER) -> list[str]:
    """Names of the models in the folder, in order."""
    return sorted(p.name for p in folder.glob("*.tflite"))
