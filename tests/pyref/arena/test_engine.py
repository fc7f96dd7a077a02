"""The arena of this project's own engine, release "hil-1"."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pyref
from pyref.arena import engine, offline
from tests.pyref.arena.cases import CASES

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "boards" / "firmware" / "engine"
COMPILER = shutil.which("arm-none-eabi-gcc")

#: Files that hold a structure, where it is not the kernel's own.
FILES = {
    "AVERAGE_POOL_2D": "pooling",
    "MAX_POOL_2D": "pooling",
    "engine_value": "conv",
    "engine_node": "conv",
    "fixed_factor": "conv",
    "buffer": "planner",
}

#: head, tail and smallest arena in bytes, as the emulated board reported them.
REPORTED = {
    "odd": (1296, 1948, 3248),
    "dense": (32, 540, 768),
    "c2_bn": (768_000, 4560, 772_560),
}


def load(name):
    return pyref.Model.from_bytes(CASES[name]())


def hil_1(model, **more):
    return pyref.plan(model, tflm=engine.NAME, **more)


def structures():
    yield from ((FILES[name], name, size) for name, size in engine.SIZES.items())
    for op, data in engine.KERNEL_DATA.items():
        if data is not None:
            yield (FILES.get(op, op.lower().removesuffix("_2d")), *data)


def source_of(stem):
    found = sorted(SOURCES.glob(f"{stem}*.c"))
    assert len(found) == 1, (stem, found)
    return found[0]


@pytest.mark.skipif(COMPILER is None, reason="arm-none-eabi-gcc is not installed")
def test_sizes_are_the_compilers(tmp_path):
    for stem, name, size in sorted(set(structures())):
        probe = tmp_path / f"{stem}-{name}.c"
        probe.write_text(
            f'#include "{source_of(stem)}"\n'
            f"typedef char size_of[sizeof({name}) == {size} ? 1 : -1];\n"
            "extern size_of unused;\n"
        )
        flags = ["-std=c99", "-mcpu=cortex-m7", "-mthumb", "-fsyntax-only", f"-I{SOURCES}"]
        done = subprocess.run(  # noqa: PLW1510 - the compiler's text says more
            [COMPILER, *flags, str(probe)], capture_output=True, text=True
        )
        assert done.returncode == 0, f"sizeof({name}) is not {size}\n{done.stderr}"


def test_kernels_are_the_engines():
    text = (SOURCES / "README.md").read_text()
    listed = re.search(r"^Operators: ([A-Z0-9_,\s]+)\.", text, re.MULTILINE)
    assert listed is not None
    assert set(re.split(r",\s+", listed[1])) == engine.KERNEL_DATA.keys()


@pytest.mark.parametrize("name", REPORTED)
def test_fixtures_are_as_the_board_reported(name):
    plan = hil_1(pyref.Model.from_file(ROOT / "fixtures" / f"{name}.tflite"))
    assert (plan.head_bytes, plan.tail_bytes, plan.smallest_arena_bytes) == REPORTED[name]
    assert plan.arena_used_bytes == plan.head_bytes + plan.tail_bytes
    assert plan.warnings == ()


def test_head_is_laid_out_as_the_reference_kernels_do():
    for name in ("chain", "CONV_2D-3x3-int8", "SOFTMAX-int8", "ADD-int8"):
        model = load(name)
        reference = pyref.plan(model, kernels="reference")
        assert hil_1(model).tensor_offsets == reference.tensor_offsets


def test_tail_names_its_consumers():
    plan = hil_1(load("CONV_2D-3x3-int8"))
    assert [(c.part, c.op, c.detail, c.used) for c in plan.consumers] == [
        ("tensors", "", "", 4 * 16),
        ("operators", "", "", 20),
        ("tensor lists", "CONV_2D", "inputs and outputs", 16),
        ("op data", "CONV_2D", "conv_data", 72),
        ("persistent buffers", "CONV_2D", "factors", 8 * 4),
    ]
    assert plan.recording["sections"]["tensors"] == {"count": 1, "requested": 64, "used": 64}
    assert plan.recording["tail"] == sum(c.used for c in plan.consumers) == plan.tail_bytes
    assert plan.recording["total"] == plan.arena_used_bytes


def test_an_arena_that_is_too_small_or_unaligned():
    model = load("CONV_2D-3x3-int8")
    need = hil_1(model).smallest_arena_bytes
    assert hil_1(model, arena_size=need).refusal(need) is None
    assert hil_1(model).refusal(need - 16) == "the arena is too small"
    assert hil_1(model).refusal(need, base=8) == "the arena's address is no multiple of 16"
    with pytest.raises(pyref.ArenaTooSmallError, match=f"{need} bytes needed, {need - 1} given"):
        hil_1(model, arena_size=need - 1)
    with pytest.raises(pyref.PlanError, match="no multiple of 16: 0x8"):
        hil_1(model, base=8)


def test_what_the_engine_would_refuse_is_told():
    (lacking,) = hil_1(load("SVDF-int8")).warnings
    assert lacking == "hil-1 has no kernel for SVDF: what it would keep is not counted"
    assert any("several subgraphs" in w for w in hil_1(load("while")).warnings)


def with_plan(model, offsets):
    return pyref.Model.from_bytes(offline.write(model, {(0, i): at for i, at in offsets.items()}))


def test_an_offline_plan_is_kept():
    model = load("chain")
    before = hil_1(model)
    moved = {i: at + 64 for i, at in before.tensor_offsets.items()}
    after = hil_1(with_plan(model, moved))
    assert after.tensor_offsets == moved
    assert after.head_bytes == before.head_bytes + 64
    assert after.tail_bytes == before.tail_bytes
    assert not any("offline" in w for w in after.warnings)


def test_an_offline_plan_that_the_engine_refuses_is_told():
    model = load("chain")
    first, second, *_ = hil_1(model).tensor_offsets
    assert (
        f"hil-1 refuses it: offline plan: tensor {first} and tensor {second} share memory while "
        "both are in use"
    ) in hil_1(with_plan(model, {first: 0, second: 0})).warnings


def test_every_case_has_a_plan():
    for make in CASES.values():
        plan = hil_1(pyref.Model.from_bytes(make()))
        assert plan.smallest_arena_bytes % 16 == 0
        assert plan.smallest_arena_bytes >= plan.arena_used_bytes
