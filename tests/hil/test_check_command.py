"""`hil check`: exit codes, what it prints, and the keys of its JSON."""

from __future__ import annotations

import json

import pytest

import pyref
from emulator import Board
from fixtures.writer import Tensor, build, one_operator
from hil import cli, resources
from hil.check import check
from hil.check.placement import holds_arena, holds_model, place
from tests.hil.elf_writer import Entry, elf
from tests.hil.public_models import FIXTURES, public_model

C2_BN = str(FIXTURES / "c2_bn.tflite")
DENSE = str(FIXTURES / "dense.tflite")
BOARD = Board.from_file(resources.board("stm32h747i_disco") / "board.yaml")
SMALLEST = 773_152


@pytest.fixture
def too_large(tmp_path):
    """A model whose input alone is larger than any memory of the board."""
    path = tmp_path / "large.tflite"
    shape = [1, 2048, 2048, 1]
    path.write_bytes(
        build(
            one_operator(
                "RELU",
                inputs=[Tensor(shape, scale=0.5, zero_point=0)],
                outputs=[Tensor(shape, scale=0.5, zero_point=0)],
            )
        )
    )
    return str(path)


def firmware_of(tmp_path, size):
    path = tmp_path / "app.elf"
    path.write_bytes(elf([Entry("tensor_arena", 0x2400_0000, size, "OBJECT")]))
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([C2_BN], 0),
        ([C2_BN, "--arena-size", str(SMALLEST)], 0),
        ([C2_BN, "--arena-size", str(SMALLEST + 1)], 0),
        ([C2_BN, "--arena-size", str(SMALLEST - 1)], 1),
        ([C2_BN, "--arena-size", "0"], 1),
        ([C2_BN, "--kernels", "reference", "--tflm", "2024-06"], 0),
        ([C2_BN, "--tflm", "2023-01"], 2),
        ([C2_BN, "--kernels", "fast"], 2),
        ([C2_BN, "--arena-size", "-1"], 2),
        ([C2_BN, "--board", "nonesuch"], 2),
        ([C2_BN, "--picture", "arena.jpg"], 2),
        ([C2_BN, "--firmware", "nonesuch.elf"], 2),
        ([C2_BN, "--firmware", __file__], 3),
        ([__file__], 3),
        (["nonesuch.tflite"], 2),
    ],
    ids=[
        "fits",
        "arena-exact",
        "arena-one-more",
        "arena-one-short",
        "arena-zero",
        "older-reference",
        "no-such-release",
        "no-such-kernels",
        "negative-size",
        "no-such-board",
        "no-such-picture",
        "no-elf",
        "bad-elf",
        "no-model",
        "no-file",
    ],
)
def test_exit_codes(arguments, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.execute(["check", *arguments]) == code
    capsys.readouterr()


def test_a_model_that_no_memory_holds_does_not_fit(too_large, capsys):
    assert cli.execute(["check", too_large]) == 1
    assert "FAIL: no memory of stm32h747i_disco has room for the arena" in capsys.readouterr().out


def test_a_refused_model_fails_in_tflms_words(capsys):
    path = public_model("coral/tools_split_concat.tflite")
    assert cli.execute(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert "FAIL: TFLM 2026-08 does not take the model: operator 0 (CONCATENATION)" in out


def test_the_gate_says_the_missing_bytes_and_tflms_words(capsys):
    assert cli.execute(["check", C2_BN, "--arena-size", "773140"]) == 1
    out = capsys.readouterr().out
    assert (
        "FAIL: an arena of 773,140 bytes is too small: 12 bytes are missing "
        '(TFLM: "Failed to allocate tail memory. Requested: 32, available 16, missing: 16")'
    ) in out


def test_the_gate_says_where_alignment_matters(capsys):
    assert cli.execute(["check", C2_BN, "--arena-size", str(SMALLEST + 8)]) == 0
    out = capsys.readouterr().out
    assert "an arena of 773,160 bytes does only with alignas(16): elsewhere up to 7 bytes" in out
    assert cli.execute(["check", C2_BN, "--arena-size", str(SMALLEST + 15)]) == 0
    assert "does only with alignas" not in capsys.readouterr().out


def test_the_firmware_s_arena_is_a_gate_too(tmp_path, capsys):
    need = pyref.plan(pyref.Model.from_file(DENSE)).smallest_arena_bytes
    assert cli.execute(["check", DENSE, "--firmware", firmware_of(tmp_path, need)]) == 0
    out = capsys.readouterr().out
    assert f"tensor_arena: {need:,} bytes at 0x24000000 (AXI_SRAM): large enough" in out
    assert cli.execute(["check", DENSE, "--firmware", firmware_of(tmp_path, need - 4)]) == 1
    assert f"tensor_arena has {need - 4:,} bytes: 4 are missing" in capsys.readouterr().out


def test_what_is_printed(capsys):
    assert cli.execute(["check", C2_BN, "--text-picture"]) == 0
    out = capsys.readouterr().out
    for words in (
        "put in the source: alignas(16) uint8_t arena[...]",
        "smallest that allocates",
        "used after AllocateTensors (arena_used_bytes)",
        "NodeAndRegistration struct",
        "largest in the head, at its peak",
        "CONV_2D (operator 4)",
        "TFLM 2024-06, cmsis_nn",
        "SDRAM2 <- arena",
        "FLASH <- model",
        "PASS: TFLM 2026-08 with cmsis_nn kernels takes the model, and it fits stm32h747i_disco",
        "peak: operator 1 (MAX_POOL_2D), 768,000 bytes alive",
    ):
        assert words in out


#: Keys that scripts rely on.
KEYS = {
    "": {
        "model",
        "model_bytes",
        "board",
        "tflm",
        "kernels",
        "verdict",
        "reasons",
        "refusal",
        "arena",
        "arena_size",
        "missing_bytes",
        "allocation_failure",
        "placement",
        "firmware",
        "warnings",
    },
    "arena": {
        "arena_used_bytes",
        "smallest_arena_bytes",
        "used_in_smallest_bytes",
        "recommended_bytes",
        "recommended_unaligned_bytes",
        "head_bytes",
        "tail_bytes",
        "temporary_bytes",
        "limit_owner",
        "limit_message",
        "why",
        "sections",
        "largest_consumers",
        "alternatives",
    },
    "placement": {"model", "arena", "memories", "notes"},
    "firmware": {
        "arenas",
        "model",
        "registrations",
        "memories",
        "has_symbols",
        "notes",
        "reasons",
    },
}


def test_json_keys(tmp_path, capsys):
    path = tmp_path / "check.json"
    firmware = firmware_of(tmp_path, 10_000)
    arguments = ["--arena-size", "1000", "--firmware", firmware, "--json", str(path)]
    assert cli.execute(["check", C2_BN, *arguments]) == 1
    capsys.readouterr()
    found = json.loads(path.read_text())
    for part, keys in KEYS.items():
        assert set(found[part] if part else found) == keys
    assert found["verdict"] == "fail"
    assert found["missing_bytes"] == SMALLEST - 1000
    assert found["arena"]["smallest_arena_bytes"] == SMALLEST
    assert found["arena"]["largest_consumers"]["head"][0]["bytes"] == 614_400
    assert found["placement"]["arena"] == "SDRAM2"
    assert found["firmware"]["arenas"][0]["memory"] == "AXI_SRAM"
    assert len(found["reasons"]) == 2


def test_json_of_a_refused_model(tmp_path, capsys):
    model = tmp_path / "refused.tflite"
    model.write_bytes(
        build(one_operator("TILE", inputs=[Tensor([4])], outputs=[Tensor([4])], options=None))
    )
    path = tmp_path / "check.json"
    assert cli.execute(["check", str(model), "--json", str(path), "--picture", "none.svg"]) == 1
    capsys.readouterr()
    found = json.loads(path.read_text())
    assert "Didn't find op for builtin opcode 'TILE'" in found["refusal"]
    assert found["arena"] is None
    assert found["placement"] is None


def test_environment_variables(monkeypatch, capsys):
    monkeypatch.setenv("HIL_ARENA_SIZE", "1000")
    assert cli.execute(["check", C2_BN]) == 1
    capsys.readouterr()


def test_json_that_cannot_be_written_is_a_usage_error(tmp_path, capsys):
    assert cli.execute(["check", DENSE, "--json", str(tmp_path / "none" / "x.json")]) == 2
    assert "name a file in a folder that exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model_bytes", "arena_bytes", "model", "arena"),
    [
        (50_000, 22_000, "FLASH", "DTCM"),
        (50_000, 0x20000, "FLASH", "DTCM"),
        (50_000, 0x20001, "FLASH", "AXI_SRAM"),
        (50_000, 0x80001, "FLASH", "SDRAM2"),
        (50_000, 0x400001, "FLASH", None),
        (0x200001, 22_000, "SDRAM2", "DTCM"),
        (0x200001, 0x300000, "SDRAM2", None),
        (0x400001, 22_000, None, "DTCM"),
    ],
)
def test_placement(model_bytes, arena_bytes, model, arena):
    placed = place(BOARD, model_bytes, arena_bytes)
    assert (placed.model, placed.arena) == (model, arena)
    by_name = {m.name: m for m in placed.memories}
    assert by_name["AXI_SRAM"].free_for_both_bytes == 0x80000 - model_bytes - arena_bytes
    assert by_name["FLASH"].free_for_arena_bytes is None
    taken = sum(m.size_bytes - m.free_as_placed_bytes for m in placed.memories)
    assert taken == (model_bytes if model else 0) + (arena_bytes if arena else 0)
    assert bool(placed.notes) == (arena == "SDRAM2")


def test_memories_that_hold_neither():
    kinds = {m.kind for m in BOARD.memories if not holds_arena(m) and not holds_model(m)}
    assert kinds == {"itcm", "backup_sram"}


def test_the_warnings_of_model_and_plan_are_shown_once(capsys):
    model = pyref.Model.from_file(C2_BN)
    verdict = check(model, BOARD)
    assert len(set(verdict.warnings)) == len(verdict.warnings)
    capsys.readouterr()
