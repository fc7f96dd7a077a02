"""Golden files: every tensor of one inference and the arena plan, with who produced them.

A golden is a folder: `golden.json` says what it belongs to and names each tensor with its digest,
`tensors.npz` holds the values, `plan.json` the arena plan. Digests are the first 8 bytes of
SHA-256, as a device computes them right after each operator. `golden.json` ends in a seal over
itself and the plan: goldens are regenerated, never edited.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.errors import GoldenError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from pyref.interpreter import Run
    from pyref.model import Model

    Array = NDArray[Any]

FORMAT = 2
DIGEST_BYTES = 8
#: Whose values are compared byte by byte. LiteRT, for one, requantises FULLY_CONNECTED otherwise.
PRODUCERS = ("pyref", "tflm")


def digest(array: Array) -> bytes:
    """First 8 bytes of the SHA-256 of the array's bytes in C order, little endian."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).digest()[:DIGEST_BYTES]


@dataclass(frozen=True, slots=True, eq=False)
class GoldenOperator:
    """One operator's outputs: tensor index to value right after the operator."""

    op: str
    subgraph: int
    index: int
    outputs: Mapping[int, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Golden:
    """Every tensor of one inference.

    Attributes:
        model_sha256: hex digest of the model file.
        producer: who computed the values: "pyref", or "tflm" for figures of TFLM itself.
        tflm: TFLM release whose arithmetic this is.
        kernels: "reference" or "cmsis_nn".
        seed: of the inputs, None where they were given.
        inputs: arrays of subgraph 0's inputs.
        operators: in order of completion.
        plan: the arena plan as JSON data, None where none was made.
    """

    model_sha256: str
    producer: str
    tflm: str
    kernels: str
    seed: int | None
    inputs: Sequence[Array]
    operators: Sequence[GoldenOperator]
    plan: Mapping[str, Any] | None = None

    @classmethod
    def from_run(
        cls,
        model: Model,
        inputs: Sequence[Array],
        run: Run,
        *,
        kernels: str = "reference",
        tflm: str = "2026-08",
        seed: int | None = None,
        plan: Mapping[str, Any] | None = None,
    ) -> Golden:
        """The golden of one `pyref.run`."""
        return cls(
            model_sha256=model.sha256,
            producer="pyref",
            tflm=tflm,
            kernels=kernels,
            seed=seed,
            inputs=list(inputs),
            operators=[
                GoldenOperator(o.op, o.subgraph, o.index, dict(o.outputs)) for o in run.operators
            ],
            plan=plan,
        )

    def write(self, folder: Path) -> None:
        """Writes `golden.json`, `tensors.npz` and, with a plan, `plan.json`.

        Raises:
            GoldenError: the folder cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            about = self.describe()
            about["seal"] = _seal(about)
            (folder / "golden.json").write_text(_dump(about), encoding="utf-8")
            np.savez_compressed(folder / "tensors.npz", allow_pickle=False, **self._arrays())
            plan_path = folder / "plan.json"
            if self.plan is None:
                plan_path.unlink(missing_ok=True)
            else:
                plan_path.write_text(_dump(self.plan), encoding="utf-8")
        except OSError as error:
            raise GoldenError(
                f"{folder}: cannot be written ({error.strerror}); choose another --out"
            ) from error

    def check_model(self, model: Model) -> None:
        """Refuses to be compared with runs of another model.

        Raises:
            GoldenError: it is another model's, or holds a tensor in another dtype or size than
                the model has it (uint8 for int8, say).
        """
        if self.model_sha256 != model.sha256:
            raise GoldenError(
                f"the golden is of model {self.model_sha256[:16]}, this is {model.sha256[:16]}; "
                "write one with `hil golden MODEL --out DIR`"
            )
        if len(model.subgraphs) == 1:
            mine = [o.op for o in self.operators]
            if mine != [o.op for o in model.subgraphs[0].operators]:
                raise GoldenError(
                    f"the golden has {len(mine)} operators, which are not the model's "
                    f"{len(model.subgraphs[0].operators)}; write the golden again"
                )
        for operator in self.operators:
            tensors = model.subgraphs[operator.subgraph].tensors
            for index, array in operator.outputs.items():
                tensor = tensors[index]
                if array.dtype != tensor.dtype or array.size != tensor.size:
                    raise GoldenError(
                        f"operator {operator.index} ({operator.op}), tensor {index}: the golden "
                        f"has {array.dtype} {list(array.shape)}, the model {tensor.dtype} "
                        f"{list(tensor.shape)}; write the golden again"
                    )

    def describe(self) -> dict[str, Any]:
        """What `golden.json` holds: everything but the values."""
        return {
            "format": FORMAT,
            "model": self.model_sha256,
            "producer": self.producer,
            "tflm": self.tflm,
            "kernels": self.kernels,
            "seed": self.seed,
            "inputs": [_describe(a) for a in self.inputs],
            "operators": [
                {
                    "op": o.op,
                    "subgraph": o.subgraph,
                    "index": o.index,
                    "outputs": {str(t): _describe(a) for t, a in o.outputs.items()},
                }
                for o in self.operators
            ],
            "plan": None if self.plan is None else _seal(self.plan),
        }

    def _arrays(self) -> dict[str, Array]:
        arrays = {f"input_{k}": a for k, a in enumerate(self.inputs)}
        for position, operator in enumerate(self.operators):
            for tensor, array in operator.outputs.items():
                arrays[_key(position, tensor)] = array
        return arrays

    @classmethod
    def read(cls, folder: Path) -> Golden:
        """Reads a golden folder and checks each value against its digest.

        Raises:
            GoldenError: a file is missing, not of this format, or does not match its digest.
        """
        path = folder / "golden.json"
        about = _load(path, folder)
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise GoldenError(f"{path}: expected format {FORMAT}; write the golden again")
        if about.pop("seal", None) != _seal(about):
            raise GoldenError(
                f"{path}: changed after it was written (its seal does not match); "
                "write the golden again"
            )
        if about.get("producer") not in PRODUCERS:
            raise GoldenError(
                f"{path}: made by {about.get('producer')!r}, whose arithmetic is not TFLM's; bytes "
                f"are compared with goldens of {' or '.join(PRODUCERS)} only"
            )
        plan = None if about.get("plan") is None else _load(folder / "plan.json", folder)
        try:
            with np.load(folder / "tensors.npz", allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            golden = cls._assemble(about, arrays, plan)
            same = golden.describe() == about
        except FileNotFoundError as error:
            raise _missing(error.filename, folder) from error
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise GoldenError(
                f"{folder / 'tensors.npz'}: cannot be read ({error}); write the golden again"
            ) from error
        except (KeyError, TypeError, AttributeError) as error:
            raise GoldenError(
                f"{folder}: {type(error).__name__} {error}; write the golden again"
            ) from error
        if not same:
            raise GoldenError(
                f"{folder}: tensors.npz or plan.json does not match the digests in golden.json; "
                "write the golden again"
            )
        return golden

    @classmethod
    def _assemble(
        cls, about: dict[str, Any], arrays: dict[str, Array], plan: dict[str, Any] | None
    ) -> Golden:
        return cls(
            model_sha256=about["model"],
            producer=about["producer"],
            tflm=about["tflm"],
            kernels=about["kernels"],
            seed=about["seed"],
            inputs=[arrays[f"input_{k}"] for k in range(len(about["inputs"]))],
            operators=[
                GoldenOperator(
                    o["op"],
                    o["subgraph"],
                    o["index"],
                    {int(t): arrays[_key(position, int(t))] for t in o["outputs"]},
                )
                for position, o in enumerate(about["operators"])
            ],
            plan=plan,
        )

    def differences(self, other: Golden) -> list[str]:
        """What a regenerated golden has otherwise, one sentence each; empty where equal."""
        mine, theirs = self.describe(), other.describe()
        found = [
            f"{key}: stored {mine[key]!r}, regenerated {theirs[key]!r}"
            for key in mine
            if key not in {"inputs", "operators", "plan"} and mine[key] != theirs[key]
        ]
        if mine["plan"] != theirs["plan"]:
            found.append("plan.json: stored plan differs from the regenerated one")
        if mine["inputs"] != theirs["inputs"]:
            found.append("inputs: stored values differ from the regenerated ones")
        if len(self.operators) != len(other.operators):
            found.append(f"{len(self.operators)} operators stored, {len(other.operators)} run")
        for a, b in zip(mine["operators"], theirs["operators"], strict=False):
            if a != b:
                tensors = ", ".join(
                    t for t, value in a["outputs"].items() if b["outputs"].get(t) != value
                )
                found.append(
                    f"operator {a['index']} ({a['op']}): stored values of tensor {tensors} differ "
                    "from the regenerated ones"
                    if a["op"] == b["op"] and tensors
                    else f"operator {a['index']} ({a['op']}): regenerated {b['op']}"
                )
        return found


def _load(path: Path, folder: Path) -> Any:
    """JSON data of one file of a golden folder."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise _missing(path, folder) from error
    except (OSError, ValueError) as error:
        raise GoldenError(f"{path}: cannot be read ({error}); write the golden again") from error


def _missing(path: object, folder: Path) -> GoldenError:
    return GoldenError(
        f"{path}: no such file; write the golden with `hil golden MODEL --out {folder}`"
    )


def _seal(data: object) -> str:
    """Hex SHA-256 of JSON data in a form that does not depend on white space or order."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _describe(array: Array) -> dict[str, Any]:
    return {
        "dtype": array.dtype.name,
        "shape": list(array.shape),
        "digest": digest(array).hex(),
    }


def _key(position: int, tensor: int) -> str:
    return f"operator_{position}_tensor_{tensor}"


def _dump(data: object) -> str:
    return json.dumps(data, indent=1, sort_keys=False) + "\n"
