"""TFLM in a worker process that stays, with its memory filled, and survives crashes.

`tests.tflm.run_many` starts a process for each batch; shrinking asks for one model at a time, so
here the process stays. Memory that TFLM allocates is filled with a pattern (glibc's
MALLOC_PERTURB_): what it reads without having written it shows, and differs between two patterns.
"""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tflite

from tests.tflm import Case, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.property.instance import Instance, Stored

#: Two fillings of fresh memory. Bytes are the complement of these.
PATTERNS = (0x5A, 0xC3)
#: Longer than any model here takes; a WHILE that never ends takes longer.
TIMEOUT_S = 20


class Witness:
    """A worker process, started when first asked and again after a crash.

    Args:
        pattern: what memory is filled with.
    """

    def __init__(self, pattern: int = PATTERNS[0]) -> None:
        self._pattern = pattern
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Any = None

    def run(self, instance: Instance | Stored) -> Result:
        """TFLM's answer to one model."""
        return next(self.run_many([instance]))

    def run_many(self, instances: Sequence[Instance | Stored]) -> Iterator[Result]:
        """TFLM's answers, in order; it computes ahead while the caller works on them."""
        done = 0
        while done < len(instances):
            self._start()
            self._pipe.send([_case(i) for i in instances[done:]])
            while done < len(instances):
                done += 1
                try:
                    if not self._pipe.poll(TIMEOUT_S):
                        self.close()
                        yield Result(refusal=f"crashed: no answer within {TIMEOUT_S} s")
                        break
                    yield self._pipe.recv()
                except (EOFError, ConnectionResetError):
                    yield Result(refusal=f"crashed: status {self.close()}")
                    break

    def close(self) -> int:
        """Ends the process; its status."""
        if self._process is None:
            return 0
        self._pipe.close()
        try:
            status = self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._process = None
        return status

    def _start(self) -> None:
        if self._process is not None:
            return
        self._pipe, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.property.witness", str(theirs.fileno())],
            cwd=Path(__file__).parents[2],
            env=os.environ | {"MALLOC_PERTURB_": str(self._pattern), "OPENBLAS_NUM_THREADS": "1"},
            pass_fds=[theirs.fileno()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()


def _case(instance: Instance | Stored) -> Case:
    size = 60 * len(instance.data) + 4 * _tensor_bytes(instance) + 400_000
    return Case(instance.data, instance.invocations, arena_size=size)


def _tensor_bytes(instance: Instance | Stored) -> int:
    """An upper limit for what all tensors take, constants aside."""
    graphs = tflite.Model.GetRootAs(instance.data, 0)
    total = 0
    for k in range(graphs.SubgraphsLength()):
        graph = graphs.Subgraphs(k)
        for i in range(graph.TensorsLength()):
            shape = graph.Tensors(i).ShapeAsNumpy()
            total += 16 + 8 * int(np.prod(shape, dtype=np.int64))
    return total


def _work(pipe: Connection[Any, Any]) -> None:
    from tests import tflm

    try:
        while True:
            for case in pipe.recv():
                pipe.send(tflm._run_case(case))
    except EOFError:
        return


if __name__ == "__main__":
    _work(Connection(int(sys.argv[1])))
