"""TFLM itself (the `tflite-micro` package, x86-64) as a witness, always in a process of its own.

The interpreter prints to stdout and can take its process down, so cases are handed in batches
to a worker; one that crashes is recorded as such and the batch goes on after it::

    from tests.tflm import Case, run_many

    for result in run_many([Case(model_bytes, [[x], [y]])]):
        result.refusal      # what TFLM printed if it would not take the model, else None
        result.outputs      # per invocation: the model's outputs
        result.tensors      # per invocation: {tensor index: array} of subgraph 0's operators
"""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

AVAILABLE = find_spec("tflite_micro") is not None

#: Mark of a test that needs TFLM.
needs_tflm = pytest.mark.skipif(
    not AVAILABLE, reason="the tflite-micro package is not installed (Linux x86-64 only)"
)


@dataclass
class Case:
    """One model and the inputs of its invocations, in order, state kept from one to the next.

    Attributes:
        model: a `.tflite` file's bytes.
        invocations: for each invocation, the model's inputs in order.
        preserve: read every operator's outputs too (TFLM's kPreserveAllTensors).
        arena_size: bytes; by default generous.
        repeat: time this many further invocations of the last inputs.
    """

    model: bytes
    invocations: Sequence[Sequence[NDArray[Any]]] = ()
    preserve: bool = True
    arena_size: int | None = None
    repeat: int = 0


@dataclass
class Result:
    """What TFLM did with a case.

    Attributes:
        refusal: what it printed where it refused (in AllocateTensors or Invoke), or
            "crashed: ..." where it took its process down; None where it ran.
        outputs: outputs of each invocation.
        tensors: tensors written by subgraph 0's operators, by index, after each invocation.
        log: everything it printed.
        best_s: seconds of the fastest of `repeat` invocations.
    """

    refusal: str | None = None
    outputs: list[list[NDArray[Any]]] = field(default_factory=list)
    tensors: list[dict[int, NDArray[Any]]] = field(default_factory=list)
    log: str = ""
    best_s: float | None = None


def run(model: bytes, *invocations: Sequence[NDArray[Any]]) -> Result:
    """Runs one model on the inputs of one or more invocations."""
    return run_many([Case(model, invocations)])[0]


def run_many(cases: Sequence[Case], *, timeout_s: float = 600) -> list[Result]:
    """Runs cases in as few processes as crashes allow."""
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        todo, done = Path(folder, "cases"), Path(folder, "results")
        while len(results) < len(cases):
            todo.write_bytes(pickle.dumps(list(cases[len(results) :])))
            done.write_bytes(b"")
            environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
            process = subprocess.run(
                [sys.executable, "-m", "tests.tflm", str(todo), str(done)],
                cwd=Path(__file__).parent.parent,
                env=environment,
                capture_output=True,
                timeout=timeout_s,
                check=False,
            )
            before = len(results)
            results += _read(done)
            if len(results) < len(cases):
                said = (process.stdout + process.stderr).decode(errors="replace").strip()
                if process.returncode > 0:  # an exception of ours, not a signal
                    raise RuntimeError(said)
                results.append(Result(refusal=f"crashed: status {process.returncode}", log=said))
            assert len(results) > before
    return results


def _read(path: Path) -> list[Result]:
    results = []
    with path.open("rb") as stream, contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            results.append(pickle.load(stream))  # noqa: S301 - written by our own worker
    return results


def _worker(todo: Path, done: Path) -> None:
    cases = pickle.loads(todo.read_bytes())  # noqa: S301 - written by run_many
    with done.open("ab") as stream:
        for case in cases:
            pickle.dump(_run_case(case), stream)
            stream.flush()


def _run_case(case: Case) -> Result:
    from tflite_micro.python.tflite_micro import runtime

    config = runtime.InterpreterConfig
    result = Result()
    printed = bytearray()
    with _captured(printed):
        try:
            interpreter = runtime.Interpreter.from_bytes(
                case.model,
                arena_size=case.arena_size or 40 * len(case.model) + 2_000_000,
                intrepreter_config=config.kPreserveAllTensors
                if case.preserve
                else config.kAllocationRecording,
            )
            written, n_outputs = _written(case.model)
            for inputs in case.invocations:
                _invoke(interpreter, inputs)
                result.outputs.append([interpreter.get_output(i) for i in range(n_outputs)])
                if case.preserve:
                    result.tensors.append(
                        {i: interpreter.GetTensor(i, 0)["tensor_data"].copy() for i in written}
                    )
            if case.repeat:
                result.best_s = _time(interpreter, case.repeat)
        except (RuntimeError, ValueError) as error:
            result.refusal = str(error)
    result.log = printed.decode(errors="replace").strip()
    if result.refusal is not None:
        result.refusal = _reason(result.log) or result.refusal
    return result


def _invoke(interpreter: Any, inputs: Sequence[np.ndarray[Any, Any]]) -> None:
    for i, value in enumerate(inputs):
        interpreter.set_input(value, i)
    interpreter.invoke()


def _time(interpreter: Any, repeat: int) -> float:
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        interpreter.invoke()
        best = min(best, time.perf_counter() - start)
    return best


def _written(data: bytes) -> tuple[list[int], int]:
    """Tensors that subgraph 0's operators write, without RESOURCE ones; number of outputs."""
    import tflite

    graph = tflite.Model.GetRootAs(data, 0).Subgraphs(0)
    resource = tflite.TensorType.RESOURCE
    written = {
        int(i)
        for k in range(graph.OperatorsLength())
        for i in (graph.Operators(k).Outputs(j) for j in range(graph.Operators(k).OutputsLength()))
        if i >= 0 and graph.Tensors(i).Type() != resource
    }
    return sorted(written), graph.OutputsLength()


def _reason(log: str) -> str:
    """The lines that say why, without the interpreter's own last words."""
    noise = re.compile(r"^(Node .* \(number \d+.*\) failed to (prepare|invoke).*|MicroPrintf.*|)$")
    return "\n".join(line for line in log.splitlines() if not noise.match(line.strip()))


@contextlib.contextmanager
def _captured(printed: bytearray) -> Iterator[None]:
    """Appends what this process writes to its stdout and stderr, C code included."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as sink:
        saved = os.dup(1), os.dup(2)
        os.dup2(sink.fileno(), 1)
        os.dup2(sink.fileno(), 2)
        try:
            yield
        finally:
            printed += os.pread(sink.fileno(), 1 << 20, 0)
            os.dup2(saved[0], 1)
            os.dup2(saved[1], 2)
            for descriptor in saved:
                os.close(descriptor)


if __name__ == "__main__":
    # Unpickled cases belong to the importable module, not to __main__.
    from tests import tflm

    tflm._worker(Path(sys.argv[1]), Path(sys.argv[2]))
