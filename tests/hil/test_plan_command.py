"""`hil plan`: TFLM's plan, the best one, and the model that carries it."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, Tensor, build
from hil import cli
from hil.check.plans import plans
from pyref.arena import offline
from tests.hil.public_models import FIXTURES, public_model

C2_BN = FIXTURES / "c2_bn.tflite"
#: Channels of a chain of 1x1 convolutions over 4x4: of its tensors of 48, 32, 32, 64 and 16
#: bytes, 96 are alive at once, and greedy, which places 64 and 48 at 0, takes 128.
CHANNELS = (3, 2, 2, 4, 1)


def chain() -> Model:
    tensors = [Tensor([1, 4, 4, CHANNELS[0]], scale=0.5, zero_point=0, name="in")]
    ops = []
    for number, (have, want) in enumerate(itertools.pairwise(CHANNELS)):
        source = len(tensors) - 1
        weights = np.full([want, 1, 1, have], number + 1, np.int8)
        tensors += [
            Tensor(data=weights, scale=0.5, zero_point=0),
            Tensor([1, 4, 4, want], scale=0.5, zero_point=0, name=f"conv{number}"),
        ]
        weights_at, output = len(tensors) - 2, len(tensors) - 1
        options = {"padding": "SAME", "stride_w": 1, "stride_h": 1}
        ops.append(Operator("CONV_2D", [source, weights_at, -1], [output], options))
        # Weights stand between the activations, so the next source is the last tensor.
    return Model([SubGraph(tensors, ops, [0], [len(tensors) - 1])])


@pytest.fixture(scope="module")
def gap(tmp_path_factory):
    """A file whose greedy plan is larger than the best."""
    path = tmp_path_factory.mktemp("models") / "gap.tflite"
    path.write_bytes(build(chain()))
    return path


def run(*arguments):
    return cli.execute(["plan", *(str(a) for a in arguments)])


def test_the_gap_is_shown(gap, capsys):
    assert run(gap, "--kernels", "reference") == 0
    out = capsys.readouterr().out
    assert "the greedy plan takes 32 bytes (25.0 %) more than the optimum" in out
    assert "no smaller head exists" in out
    assert "Arena head: 128 bytes (greedy planner, TFLM 2026-08, reference kernels)" in out
    assert "Arena head: 96 bytes (offline plan, TFLM 2026-08, reference kernels)" in out
    assert "with --write: " in out


def test_the_written_model_has_the_plan_and_computes_the_same(gap, tmp_path, capsys):
    written = tmp_path / "planned.tflite"
    assert run(gap, "--kernels", "reference", "--write", written) == 0
    out = capsys.readouterr().out
    assert f"{written}: written with the best plan; " in out
    assert "its offsets are for 2026-08 with reference kernels" in out
    before, after = pyref.Model.from_file(gap), pyref.Model.from_file(written)
    plan = pyref.plan(after, kernels="reference")
    assert plan.head_bytes == 96
    fixed = [p.buffer.offline_offset for p in plan.placed if p.buffer.kind == "tensor"]
    assert all(offset >= 0 for offset in fixed)
    inputs = pyref.seeded_inputs(before, 3)
    np.testing.assert_array_equal(
        pyref.run(before, inputs).outputs[0], pyref.run(after, inputs).outputs[0]
    )


def test_a_model_with_a_plan_is_compared_with_the_online_one(gap, tmp_path, capsys):
    written = tmp_path / "planned.tflite"
    run(gap, "--kernels", "reference", "--write", written)
    capsys.readouterr()
    assert run(written, "--kernels", "reference") == 0
    out = capsys.readouterr().out
    assert "as in the file (offline plan)" in out
    assert "the greedy plan takes 32 bytes" in out
    found = plans(pyref.Model.from_file(written), kernels="reference")
    assert (found.online.head_bytes, found.as_is.head_bytes) == (128, 96)


def test_nothing_to_gain_is_written_all_the_same(tmp_path, capsys):
    written = tmp_path / "planned.tflite"
    assert run(C2_BN, "--write", written) == 0
    out = capsys.readouterr().out
    assert "the greedy plan is optimal: no plan of this head is smaller" in out
    assert "nothing gained: the smallest arena stays at 773,152 bytes" in out
    assert offline.read(pyref.Model.from_file(written)) is not None


def test_the_linear_planner(gap, capsys):
    assert run(gap, "--planner", "linear", "--kernels", "reference") == 0
    out = capsys.readouterr().out
    assert "the linear plan takes 96 bytes (50.0 %) more than the optimum" in out


def test_our_engine(gap, capsys):
    assert run(gap, "--tflm", "hil-1", "--kernels", "reference") == 0
    assert "engine hil-1" in capsys.readouterr().out


def test_no_time_to_search_claims_no_proof(gap):
    found = plans(pyref.Model.from_file(gap), kernels="reference", time_limit_s=0)
    if found.optimum.peak_bytes == found.online.head_bytes and not found.optimum.proven:
        assert "is not proven best" in found.verdict
    else:
        assert found.optimum.peak_bytes >= found.optimum.lower_bound_bytes


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 0),
        (["--planner", "fastest"], 2),
        (["--tflm", "2023-01"], 2),
        (["--time-limit", "-1"], 2),
        (["--write", "none/out.tflite"], 2),
        (["--json", "none/plan.json"], 2),
        (["--picture", "plan.jpg"], 2),
    ],
    ids=["good", "planner", "release", "time", "write", "json", "picture"],
)
def test_exit_codes(gap, arguments, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(gap, *arguments) == code


def test_what_is_no_model_could_not_run(capsys):
    assert run(__file__) == 3
    capsys.readouterr()


def test_json_keys(gap, tmp_path, capsys):
    path, written = tmp_path / "plan.json", tmp_path / "out.tflite"
    assert run(gap, "--kernels", "reference", "--json", path, "--write", written) == 0
    capsys.readouterr()
    found = json.loads(path.read_text())
    assert set(found) == {
        "model",
        "tflm",
        "kernels",
        "planner",
        "online",
        "as_is",
        "best",
        "lower_bound_bytes",
        "gain_bytes",
        "written",
    }
    shared = {"head_bytes", "arena_used_bytes", "smallest_arena_bytes", "buffers"}
    assert set(found["online"]) == shared
    assert set(found["best"]) == shared | {"proven", "method", "seconds"}
    assert (found["online"]["head_bytes"], found["best"]["head_bytes"]) == (128, 96)
    assert found["lower_bound_bytes"] == 96
    assert found["best"]["proven"] is True
    assert found["as_is"] is None
    assert found["written"] == str(written)
    assert {b["name"] for b in found["best"]["buffers"]} == {
        "in",
        "conv0",
        "conv1",
        "conv2",
        "conv3",
    }


def test_visual_wake_words_gains_a_quarter_of_its_head(capsys):
    model = pyref.Model.from_file(public_model("mlperf_tiny/vww_96_int8.tflite"))
    found = plans(model)
    assert (found.online.head_bytes, found.best.head_bytes) == (73_728, 55_296)
    assert found.optimum.proven
    assert found.gain == "smallest arena 82,280 bytes instead of 100,712: 18,432 less"
    capsys.readouterr()


def test_a_smaller_head_may_gain_nothing(capsys):
    model = pyref.Model.from_file(public_model("micro_wake_word/vad.tflite"))
    found = plans(model)
    assert found.best.head_bytes < found.online.head_bytes
    assert "what AllocateTensors needs for a while is its limit" in found.gain
    capsys.readouterr()
