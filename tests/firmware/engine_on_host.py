"""Builds the engine for the host and runs it: the sanitizers' build unless said otherwise.

The driver is `boards/firmware/host/engine_host.c`; its header says what it prints.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.public_models import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

FIRMWARE = ROOT / "boards" / "firmware"
FIXTURES = ROOT / "fixtures"
ARENA_SIZE = 4 << 20

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed: no host build to test")

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def sources() -> list[str]:
    """The engine's C files."""
    return sorted(str(path) for path in (FIRMWARE / "engine").glob("*.c"))


#: Programs built in this process; removed when it ends.
_BUILT = TemporaryDirectory(prefix="engine-host-")


@cache
def build(*flags: str) -> Path:
    """An engine_host built with `SANITIZED` and more flags; `-O2` first replaces them."""
    assert GCC is not None
    program = Path(_BUILT.name, "-".join(["engine", *(flag.strip("-") for flag in flags)]))
    kind = list(flags) if flags[:1] == ("-O2",) else [*SANITIZED, *flags]
    include = f"-I{FIRMWARE / 'engine'}"
    host = str(FIRMWARE / "host" / "engine_host.c")
    command = [GCC, *STRICT, "-ffp-contract=off", *kind, include, *sources(), host]
    done = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr
    return program


@dataclass
class EngineRun:
    """What the engine did with one model.

    Attributes:
        error: the error's line, None where it ran.
        outputs: operator, TFLM's name, tensor and bytes of each output, in order of execution.
        offsets: planned tensors' offsets in the arena.
        arena: head, tail and smallest size in bytes.
        engine: its name, version, kernel set and build flags.
    """

    error: str | None = None
    outputs: list[tuple[int, str, int, bytes]] = field(default_factory=list)
    offsets: dict[int, int] = field(default_factory=dict)
    arena: tuple[int, int, int] = (0, 0, 0)
    engine: str = ""

    @property
    def status(self) -> str:
        """The error's status name, or "OK"."""
        return "OK" if self.error is None else self.error.split()[1]

    def number(self, name: str) -> int:
        """A number of the error's line: op, tensor, position, expected or got."""
        assert self.error is not None
        words = self.error.split(":")[0].split()
        return int(words[words.index(name) + 1])


def run_program(program: Path, *arguments: str, stdin: str = "") -> str:
    """Runs the driver; it, and the sanitizers, must have nothing to complain about."""
    environment = os.environ | {
        # The driver leaves its buffers to the system; the engine allocates none.
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    done = subprocess.run(  # noqa: PLW1510 - looked at just below
        [str(program), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert not done.stderr, done.stderr[-4000:]
    return done.stdout


def input_bytes(inputs: Iterable[NDArray[Any]]) -> bytes:
    """Input tensors' bytes, one after the other."""
    return b"".join(np.ascontiguousarray(a).tobytes() for a in inputs)


def run(
    model: bytes,
    inputs: Sequence[NDArray[Any]] = (),
    *,
    program: Path | None = None,
    arena_size: int = ARENA_SIZE,
    poison: int = 0xA5,
    misalign: int = 0,
) -> EngineRun:
    """Runs a model once, with the arena filled with `poison` before."""
    folder = Path(mkdtemp(prefix="engine-run-"))
    names = [str(folder / name) for name in ("model", "inputs", "outputs")]
    Path(names[0]).write_bytes(model)
    Path(names[1]).write_bytes(input_bytes(inputs))
    try:
        arguments = [*names, str(arena_size), str(poison), str(misalign)]
        text = run_program(program or build(), "run", *arguments)
        return _parse(text, Path(names[2]).read_bytes())
    finally:
        shutil.rmtree(folder)


def _parse(text: str, raw: bytes) -> EngineRun:
    result = EngineRun()
    at = 0
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "error":
            result.error = line
        elif kind == "engine":
            result.engine = line
        elif kind == "arena":
            head, tail, needed = map(int, words)
            result.arena = (head, tail, needed)
        elif kind == "tensor":
            result.offsets[int(words[0])] = int(words[1])
        elif kind == "output":
            length = int(words[3])
            result.outputs.append((int(words[0]), words[1], int(words[2]), raw[at : at + length]))
            at += length
    assert at == len(raw)
    return result


def damage(
    model: bytes,
    inputs: Sequence[NDArray[Any]],
    damages: Sequence[str],
    *,
    program: Path | None = None,
    invoke: bool = True,
    arena_size: int = ARENA_SIZE,
) -> list[str]:
    """Runs damaged copies of a model; one result a damage, "ok CRC32" or the error's line."""
    folder = Path(mkdtemp(prefix="engine-damage-"))
    (folder / "model").write_bytes(model)
    (folder / "inputs").write_bytes(input_bytes(inputs))
    names = [str(folder / "model"), str(folder / "inputs")]
    try:
        arguments = [*names, str(arena_size), str(int(invoke))]
        text = run_program(
            program or build(), "damage", *arguments, stdin="".join(f"{d}\n" for d in damages)
        )
    finally:
        shutil.rmtree(folder)
    lines = text.splitlines()
    assert len(lines) == len(damages)
    return lines


def apply_damage(model: bytes, line: str) -> bytes:
    """The same damage as the driver's."""
    data = bytearray(model)
    for step in line.split(";"):
        kind, *numbers = step.split()
        position, value = int(numbers[0]), int(numbers[-1])
        if kind == "cut":
            del data[position:]
        elif kind == "flip":
            data[position] ^= value
        else:
            data[position : position + 4] = value.to_bytes(4, "little")
    return bytes(data)


def crc_of(arrays: Iterable[NDArray[Any]]) -> str:
    """The result line of a run whose operators gave these outputs."""
    crc = 0
    for array in arrays:
        crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
    return f"ok {crc:08x}"
