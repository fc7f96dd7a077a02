"""The command line: exit codes, outputs and what errors say."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hil import cli, resources
from hil.cli import group
from tests.hil.observations import FIXTURES

DENSE = str(FIXTURES / "dense.tflite")
ODD = str(FIXTURES / "odd.tflite")
IMAGES = resources.board("stm32h747i_disco") / "firmware"


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """Another current folder, where none of the files named exists."""
    monkeypatch.chdir(tmp_path)


def hil(capsys, *arguments):
    """Exit code, standard output and standard error of a command line."""
    code = cli.execute([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_run_passes_and_writes_its_reports(capsys, tmp_path):
    report, page = tmp_path / "report.json", tmp_path / "report.html"
    code, out, _ = hil(capsys, "run", ODD, "--json", report, "--html", page)
    assert code == 0, out
    assert "PASS: 13 of 13 operators match on stm32h747i_disco (emulator)" in out
    assert "took " in out
    data = json.loads(report.read_text())
    assert data["verdict"] == "pass"
    assert data["arena"]["predicted"] == data["arena"]["reported"]
    assert all(t["match"] for o in data["operators"] for t in o["tensors"])
    assert all(o["instructions"] > 0 for o in data["operators"])
    assert data["operators"][0]["op"] in page.read_text()


def test_run_without_a_model_runs_c2_bn(capsys):
    code, out, _ = hil(capsys, "run")
    assert code == 0, out
    assert "c2_bn.tflite" in out
    assert "PASS: 16 of 16 operators match" in out
    assert "cycles  modelled cycles compared with a golden of the same origin" in out


def test_single_rounding_is_found_at_its_first_operator(capsys, tmp_path):
    report = tmp_path / "report.json"
    code, out, _ = hil(
        capsys,
        "run",
        "--firmware",
        IMAGES / "hil-agent-single-rounding.elf",
        "--json",
        report,
    )
    assert code == 1
    assert "first difference: operator 0 (CONV_2D), tensor 15, index [" in out.replace("\n", " ")
    first = json.loads(report.read_text())["operators"][0]["tensors"][0]
    assert first["mismatches"] > 0
    assert first["max_abs_diff"] == 1
    difference = first["first_difference"]
    assert abs(difference["expected"] - difference["got"]) == 1
    assert len(difference["index"]) == 4


def test_a_fault_on_the_device_names_the_function(capsys):
    code, _, err = hil(capsys, "run", DENSE, "--firmware", IMAGES / "hil-agent-fault.elf")
    assert code == 3
    assert "the device faulted during operator" in err
    assert "BusFault" in err
    assert "(0x08" in err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["run", "nowhere.tflite"], 2, "'nowhere.tflite' does not exist"),
        (["run", DENSE, "--seed", "1", "--input", "x.npz"], 2, "--seed or --input, not both"),
        (["run", DENSE, "--input", "nowhere.npz"], 2, "no such file of inputs"),
        (["run", DENSE, "--board", "toaster"], 2, "board 'toaster' is not known"),
        (["run", DENSE, "--baud", "115200"], 2, "leave out --baud"),
        (["run", DENSE, "--target", "/dev/nowhere"], 3, "cannot use port /dev/nowhere"),
        (["run", DENSE, "--firmware", DENSE], 3, "not an ELF file"),
        (["run", DENSE, "--golden", "nowhere"], 3, "hil golden MODEL --out nowhere"),
        (["run", DENSE, "--json", "no/such/folder.json"], 2, "cannot be written"),
        (["run", DENSE, "--seed", "-1"], 2, "is not in the range"),
        (["golden", DENSE], 2, "Missing option '--out'"),
        (["emulate"], 2, "give either --pty or --tcp"),
        (["emulate", "--pty", "--tcp", "0"], 2, "give either --pty or --tcp"),
        (["frobnicate"], 2, "No such command"),
        (["inspect", "nowhere.tflite"], 2, "'nowhere.tflite' does not exist"),
        (["inspect", __file__], 3, "expected the identifier"),
    ],
    ids=lambda v: " ".join(v[:1] + v[2:]) if isinstance(v, list) else None,
)
@pytest.mark.usefixtures("elsewhere")
def test_refusals_say_what_and_where(capsys, arguments, code, words):
    got, out, err = hil(capsys, *arguments)
    assert (got, out.count("Traceback"), err.count("Traceback")) == (code, 0, 0), err
    assert words in err.replace("\n", " ")


@pytest.mark.parametrize("cut", [0, 1, 8, 100, 2000, 2527])
def test_a_cut_model_is_refused_with_a_position(capsys, tmp_path, cut):
    path = tmp_path / "cut.tflite"
    path.write_bytes((FIXTURES / "dense.tflite").read_bytes()[:cut])
    code, _, err = hil(capsys, "run", path)
    assert code == 3
    assert err.startswith("error: ")


def test_golden_is_written_read_and_checked(capsys, tmp_path):
    folder = tmp_path / "golden"
    assert hil(capsys, "golden", ODD, "--out", folder, "--seed", 5)[0] == 0
    assert hil(capsys, "golden", ODD, "--out", folder, "--check")[0] == 0
    code, out, _ = hil(capsys, "run", ODD, "--golden", folder)
    assert code == 0, out
    code, out, _ = hil(capsys, "golden", ODD, "--out", folder, "--check", "--seed", 6)
    assert code == 1
    assert "seed: stored 5, regenerated 6" in out


def test_golden_records_cycles_that_run_then_compares(capsys, tmp_path):
    folder = tmp_path / "golden"
    code, out, _ = hil(capsys, "golden", DENSE, "--out", folder, "--target", "emulator")
    assert code == 0, out
    code, out, _ = hil(capsys, "run", DENSE, "--golden", folder)
    assert code == 0, out
    assert "compared with a golden of the same origin" in out
    stored = json.loads((folder / "cycles.json").read_text())
    stored["entries"][0]["cycles"][2] += 1
    (folder / "cycles.json").write_text(json.dumps(stored))
    code, out, _ = hil(capsys, "run", DENSE, "--golden", folder)
    assert code == 1
    assert "FAIL: cycles outside tolerance" in out
    assert hil(capsys, "run", DENSE, "--golden", folder, "--cycles-tolerance", "0.01")[0] == 0


def test_golden_check_with_a_target_compares_cycles(capsys, tmp_path):
    folder = tmp_path / "golden"
    arguments = ["golden", DENSE, "--out", folder, "--target", "emulator"]
    assert hil(capsys, *arguments)[0] == 0
    assert hil(capsys, *arguments, "--check")[0] == 0
    stored = json.loads((folder / "cycles.json").read_text())
    stored["entries"][0]["cycles"][2] += 1
    (folder / "cycles.json").write_text(json.dumps(stored))
    code, out, _ = hil(capsys, *arguments, "--check")
    assert code == 1
    assert "cycles.json: operator 2: stored" in out
    (folder / "cycles.json").unlink()
    code, out, _ = hil(capsys, *arguments, "--check")
    assert code == 1
    assert "no entry of this board" in out


def test_golden_of_another_model_is_refused(capsys, tmp_path):
    folder = tmp_path / "golden"
    hil(capsys, "golden", ODD, "--out", folder)
    code, _, err = hil(capsys, "run", DENSE, "--golden", folder)
    assert code == 3
    assert "the golden is of model" in err


@pytest.mark.parametrize("name", ["golden.json", "tensors.npz"])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "text"])
def test_damaged_golden_is_refused(capsys, tmp_path, name, damage):
    folder = tmp_path / "golden"
    hil(capsys, "golden", DENSE, "--out", folder)
    path = folder / name
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "text": b"hello"}[damage])
    code, _, err = hil(capsys, "run", DENSE, "--golden", folder)
    assert code == 3
    assert "golden" in err


def test_changed_golden_value_is_refused(capsys, tmp_path):
    folder = tmp_path / "golden"
    hil(capsys, "golden", DENSE, "--out", folder)
    with np.load(folder / "tensors.npz") as stored:
        arrays = dict(stored)
    name = min(n for n in arrays if n.startswith("operator"))
    arrays[name] = arrays[name] + 1
    np.savez(folder / "tensors.npz", **arrays)
    code, _, err = hil(capsys, "run", DENSE, "--golden", folder)
    assert code == 3
    assert "does not match the digests" in err


@pytest.mark.parametrize("by", ["name", "position"])
def test_inputs_from_a_file(capsys, tmp_path, by):
    import pyref

    model = pyref.Model.from_file(DENSE)
    values = pyref.seeded_inputs(model, 3)
    path = tmp_path / "inputs.npz"
    if by == "name":
        np.savez(path, **{t.name: v for t, v in zip(model.inputs, values, strict=True)})
    else:
        np.savez(path, *values)
    assert hil(capsys, "run", DENSE, "--input", path)[0] == 0


@pytest.mark.parametrize("wrong", ["shape", "dtype", "names"])
def test_inputs_that_do_not_fit_are_a_usage_error(capsys, tmp_path, wrong):
    import pyref

    (value,) = pyref.seeded_inputs(pyref.Model.from_file(DENSE), 0)
    path = tmp_path / "inputs.npz"
    if wrong == "shape":
        np.savez(path, value[..., :-1])
    elif wrong == "dtype":
        np.savez(path, value.astype(np.uint8))
    else:
        np.savez(path, first=value, second=value)
    code, _, err = hil(capsys, "run", DENSE, "--input", path)
    assert code == 2
    assert "expected" in err


def test_inspect_lists_operators_and_what_to_register(capsys, tmp_path):
    path = tmp_path / "model.json"
    code, out, _ = hil(capsys, "inspect", ODD, "--json", path)
    assert code == 0
    assert "resolver.AddDepthwiseConv2D();" in out
    assert json.loads(path.read_text())["resolver"]["count"] > 0


def test_inspect_bytes_walks_the_container(capsys):
    code, out, _ = hil(capsys, "inspect", FIXTURES / "c2_bn.tflite", "--bytes")
    assert code == 0
    assert "vtable of Model: 20 bytes, object 32 bytes" in out


def test_boards_lists_memories(capsys):
    code, out, _ = hil(capsys, "boards")
    assert code == 0
    assert "stm32h747i_disco" in out
    assert "0xD0000000" in out


def test_an_environment_variable_stands_for_its_option(capsys, monkeypatch):
    monkeypatch.setenv("HIL_BOARD", "toaster")
    code, _, err = hil(capsys, "run", DENSE)
    assert code == 2
    assert "toaster" in err


def test_every_option_has_an_environment_variable():
    import click

    context = click.Context(group.cli)
    for name in group.cli.list_commands(context):
        command = group.cli.get_command(context, name)
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert str(parameter.envvar).startswith("HIL_"), (name, parameter.name)


def test_interrupt_exits_with_130(monkeypatch, capsys):
    monkeypatch.setattr(group, "cli", _interrupted)
    assert cli.execute([]) == 130
    assert "interrupted" in capsys.readouterr().err


class _Interrupted:
    def main(self, **_):
        raise KeyboardInterrupt


_interrupted = _Interrupted()


INSTALLED = Path(sys.executable).with_name("hil")
needs_installed = pytest.mark.skipif(
    not INSTALLED.is_file(), reason="the package is not installed in this environment"
)


@needs_installed
def test_the_installed_command_answers():
    done = subprocess.run(
        [INSTALLED, "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("hil, version")


@needs_installed
def test_one_process_emulates_behind_a_pty_another_runs(tmp_path):
    report = tmp_path / "report.json"
    with subprocess.Popen(
        [INSTALLED, "emulate", "--pty"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as board:
        try:
            port = board.stdout.readline().strip()
            done = subprocess.run(
                [INSTALLED, "run", ODD, "--target", port, "--json", report],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        finally:
            board.terminate()
    assert done.returncode == 0, done.stdout + done.stderr
    data = json.loads(report.read_text())
    assert data["verdict"] == "pass"
    assert data["target"]["kind"] == "serial"
    assert data["cycles_kind"] == "modelled"


def test_every_command_is_in_the_table():
    files = Path(cli.__file__).parent.glob("*.py")
    commands = {p.stem for p in files if "def command(" in p.read_text(encoding="utf-8")}
    assert commands == set(cli.COMMANDS.values())


def test_a_narrow_terminal_cuts_nothing(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    _, boards, _ = hil(capsys, "boards")
    assert "0xD0000000" in boards
    _, checked, _ = hil(capsys, "check", DENSE)
    assert "backup_sram".upper() in checked
    assert "4,194,304" in checked
    _, ran, _ = hil(capsys, "run", DENSE)
    assert "FULLY_CONNECTED" in ran
    assert "…" not in boards + checked + ran


def test_an_error_leaves_no_older_result(capsys, tmp_path):
    path = tmp_path / "report.json"
    assert hil(capsys, "run", DENSE, "--json", path)[0] == 0
    fault = IMAGES / "hil-agent-fault.elf"
    assert hil(capsys, "run", DENSE, "--firmware", fault, "--json", path)[0] == 3
    data = json.loads(path.read_text())
    assert data["verdict"] == "error"
    assert data["error"]["type"] == "DeviceFaultError"


def test_two_reports_in_one_file_are_refused(capsys, tmp_path):
    path = tmp_path / "report"
    code, _, err = hil(capsys, "run", DENSE, "--json", path, "--html", path)
    assert code == 2
    assert "name the same file" in err


def test_a_tolerance_that_is_no_number_is_refused(capsys):
    code, _, err = hil(capsys, "run", DENSE, "--cycles-tolerance", "nan")
    assert code == 2
    assert "is not a number from 0 to 1" in err


def test_a_plan_is_never_written_over_its_model(capsys, tmp_path):
    path = tmp_path / "model.tflite"
    shutil.copy(DENSE, path)
    before = path.read_bytes()
    code, _, err = hil(capsys, "plan", path, "--write", path)
    assert code == 2
    assert "is MODEL itself" in err
    assert path.read_bytes() == before


def test_an_arena_that_no_memory_holds_does_not_fit(capsys):
    code, out, _ = hil(capsys, "check", DENSE, "--arena-size", str(10**12))
    assert code == 1
    assert "no memory of stm32h747i_disco holds an arena of 1,000,000,000,000 bytes" in out


def test_a_board_is_called_as_its_folder(tmp_path):
    from hil.errors import UsageError
    from hil.targets import load_board

    folder = tmp_path / "myboard"
    folder.mkdir()
    shutil.copy(IMAGES.parent / "board.yaml", folder)
    with pytest.raises(UsageError, match="its name must be its folder's, 'myboard'"):
        load_board(folder)


def test_inputs_in_another_numpy_file_are_refused(capsys, tmp_path):
    path = tmp_path / "inputs.npz"
    np.save(tmp_path / "inputs.npy", np.zeros(3))
    (tmp_path / "inputs.npy").rename(path)
    code, _, err = hil(capsys, "run", DENSE, "--input", path)
    assert code == 2
    assert "not an .npz file of inputs" in err
