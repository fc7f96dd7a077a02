"""What engine.h promises besides results: states, arguments, strings, no static state."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware.engine_on_host import (
    FIRMWARE,
    FIXTURES,
    SANITIZED,
    STRICT,
    needs_gcc,
    run_program,
    sources,
)

CROSS = shutil.which("arm-none-eabi-gcc")
M7 = ["-mcpu=cortex-m7", "-mthumb", "-mfpu=fpv5-d16", "-mfloat-abi=hard"]


@needs_gcc
def test_states_arguments_and_two_engines_at_once(tmp_path):
    """The C program checks with asserts; see interface_check.c."""
    program = tmp_path / "interface_check"
    check = Path(__file__).with_name("interface_check.c")
    command = ["gcc", *STRICT, *SANITIZED, f"-I{FIRMWARE / 'engine'}", *sources(), str(check)]
    done = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr
    assert run_program(program, str(FIXTURES / "odd.tflite")) == "ok\n"


@needs_gcc
def test_header_is_c99_and_cpp_by_itself():
    for language in (["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]):
        if language[1] == "c++" and shutil.which("g++") is None:
            pytest.skip("g++ is not installed: the header is checked as C only")
        header = str(FIRMWARE / "engine" / "engine.h")
        subprocess.run(["gcc", *language, "-fsyntax-only", "-Wall", "-Werror", header], check=True)


@pytest.mark.skipif(CROSS is None, reason="arm-none-eabi-gcc is not installed")
@pytest.mark.parametrize("level", ["-O2", "-O3", "-Os", "-O0"])
def test_cross_compiles_without_warnings_or_static_state(level, tmp_path):
    command = [CROSS, *STRICT, *M7, level, "-ffreestanding", "-c", *sources()]
    subprocess.run(command, cwd=tmp_path, check=True)
    objects = [str(path) for path in tmp_path.glob("*.o")]
    sizes = subprocess.run(
        ["arm-none-eabi-size", *objects], capture_output=True, text=True, check=True
    ).stdout
    for line in sizes.splitlines()[1:]:
        _, data, bss, *_ = line.split()
        assert (data, bss) == ("0", "0"), line
    names = subprocess.run(
        ["arm-none-eabi-nm", "-u", *objects], capture_output=True, text=True, check=True
    ).stdout
    wanted = {name.split()[-1] for name in names.splitlines() if name.strip().startswith("U ")}
    defined = subprocess.run(
        ["arm-none-eabi-nm", "--defined-only", *objects], capture_output=True, text=True, check=True
    ).stdout
    own = {line.split()[-1] for line in defined.splitlines() if len(line.split()) == 3}
    # Nothing from libm or the heap: only what a freestanding compiler itself asks for.
    foreign = {name for name in wanted - own if not name.startswith("__aeabi")}
    assert foreign <= {"memcpy", "memset", "memcmp", "memmove"}


def test_status_names_are_the_headers():
    header = (FIRMWARE / "engine" / "engine.h").read_text()
    statuses = re.findall(r"^  ENGINE_([A-Z_]+) = (\d+)", header, re.MULTILINE)
    assert [int(number) for _, number in statuses] == list(range(len(statuses)))
    source = (FIRMWARE / "engine" / "engine_query.c").read_text()
    table = source.split("names[] = {")[1].split("};")[0]
    assert re.findall(r'"([A-Z_]+)"', table) == [name for name, _ in statuses]
