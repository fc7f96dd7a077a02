"""Offline plans from `hil plan --write` to the board: what is written is what stands there."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

import pyref
from fixtures.writer import Metadata, Model, Operator, SubGraph, Tensor, build
from hil import cli, job, resources
from hil.errors import DeviceError
from hil.targets import open_target
from pyref.arena import offline
from tests.bench.arena_table import x86_64
from tests.hil.public_models import FIXTURES, public_model
from tests.tflm import Case, needs_tflm, run_many

PUBLIC = {
    "vww_96_int8": "mlperf_tiny/vww_96_int8.tflite",
    "kws_ref_model": "mlperf_tiny/kws_ref_model.tflite",
    "person_detect": "tflm/person_detect.tflite",
    "pretrainedResnet": "mlperf_tiny/pretrainedResnet_quant.tflite",
}
MODELS = ("c2_bn", *PUBLIC)

#: Head and arena with the plan that `hil plan MODEL --tflm hil-1 --kernels reference` writes.
PLANNED = {
    "c2_bn": (768_000, 772_560),
    "vww_96_int8": (55_296, 81_600),
    "kws_ref_model": (16_000, 22_324),
    "person_detect": (55_296, 81_628),
    "pretrainedResnet": (49_152, 54_096),
}
GREEDY_HEAD_OF_VWW = 73_728

#: The protocol's code and the engine's own (engine.h).
INVALID = ("MODEL_REFUSED", 7)
UNSUPPORTED = ("ALLOCATE_FAILED", 9)
TOO_SMALL = ("ARENA_TOO_SMALL", 12)


def path_of(name):
    return public_model(PUBLIC[name]) if name in PUBLIC else FIXTURES / f"{name}.tflite"


def upside_down(model):
    """The greedy plan mirrored: as large, and nearly every offset another."""
    plan = pyref.plan(model, tflm=job.ENGINE_RELEASE, kernels="reference")
    return {
        (p.buffer.subgraph, p.buffer.index): plan.head_bytes - p.end
        for p in plan.placed
        if p.buffer.kind == "tensor"
    }


def every_other(model):
    """Every other tensor of it fixed, 64 bytes above; the planner works around them."""
    fixed = sorted(upside_down(model).items())[::2]
    return {tensor: offset + 64 for tensor, offset in fixed}


def written_by_the_command(*options):
    def write(name, path):
        assert cli.execute(["plan", str(path_of(name)), "--write", str(path), *options]) == 0

    return write


def written_from(offsets_of):
    def write(name, path):
        model = pyref.Model.from_file(path_of(name))
        path.write_bytes(offline.write(model, offsets_of(model)))

    return write


WRITERS = {
    "best": written_by_the_command(),
    "best_for_our_engine": written_by_the_command(
        "--tflm", job.ENGINE_RELEASE, "--kernels", "reference"
    ),
    "upside_down": written_from(upside_down),
    "every_other": written_from(every_other),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Path of a model with a plan; each is written once."""
    folder = tmp_path_factory.mktemp("planned")

    def get(name, kind):
        path = folder / f"{name}-{kind}.tflite"
        if not path.exists():
            WRITERS[kind](name, path)
        return path

    return get


@pytest.fixture(scope="module")
def link():
    with open_target("emulator", board=resources.board("stm32h747i_disco")) as target:
        yield target.link


def allocated(link, data):
    link.upload(data)
    return link.allocate()


@pytest.mark.parametrize("name", MODELS)
def test_the_written_model_runs_as_planned(name, written, tmp_path, capsys):
    report = tmp_path / "report.json"
    code = cli.execute(["run", str(written(name, "best")), "--json", str(report)])
    out = capsys.readouterr().out
    assert code == 0, out
    assert "PASS: " in out
    found = json.loads(report.read_text())
    assert found["verdict"] == "pass"
    assert all(t["match"] for o in found["operators"] for t in o["tensors"])
    arena = found["arena"]
    assert arena["predicted"] == arena["reported"]
    assert arena["offsets_differing"] == []
    assert arena["offsets_compared"] > len(found["operators"])


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("name", MODELS)
def test_every_offset_is_the_written_one(name, kind, written, link):
    model = pyref.Model.from_file(written(name, kind))
    got = allocated(link, model.data)
    plan = offline.read(model)
    fixed = {i: plan[i] for i in got.offsets if plan[i] != offline.ONLINE}
    assert {i: got.offsets[i] for i in fixed} == fixed
    if kind != "every_other":
        assert fixed == got.offsets
    predicted = pyref.plan(model, tflm=job.ENGINE_RELEASE, kernels="reference")
    assert predicted.warnings == ()
    assert got.offsets == dict(predicted.tensor_offsets)
    assert (got.head_bytes, got.tail_bytes) == (predicted.head_bytes, predicted.tail_bytes)
    assert got.arena_used_bytes == predicted.arena_used_bytes


@pytest.mark.parametrize("name", MODELS)
def test_the_arena_with_the_best_plan(name, written, link):
    got = allocated(link, written(name, "best_for_our_engine").read_bytes())
    assert (got.head_bytes, got.arena_used_bytes) == PLANNED[name]


def test_the_best_plan_saves_a_quarter_of_the_head_on_the_board(link):
    got = allocated(link, path_of("vww_96_int8").read_bytes())
    assert got.head_bytes == GREEDY_HEAD_OF_VWW
    assert PLANNED["vww_96_int8"][0] == GREEDY_HEAD_OF_VWW * 3 // 4


@pytest.mark.parametrize("kind", ["upside_down", "every_other"])
@pytest.mark.parametrize("name", ["vww_96_int8", "pretrainedResnet", "odd", "dense"])
def test_plans_that_no_planner_would_make_compute_the_same(name, kind, written, tmp_path, capsys):
    report = tmp_path / "report.json"
    code = cli.execute(["run", str(written(name, kind)), "--json", str(report)])
    assert code == 0, capsys.readouterr().out
    arena = json.loads(report.read_text())["arena"]
    assert arena["predicted"] == arena["reported"]


@needs_tflm
@pytest.mark.parametrize("kind", ["best", "every_other"])
@pytest.mark.parametrize("name", MODELS)
def test_tflm_accepts_each_with_equal_outputs(name, kind, written):
    path = written(name, kind)
    model = pyref.Model.from_file(path)
    inputs = pyref.seeded_inputs(model, 0)
    files = (path_of(name).read_bytes(), model.data)
    old, new = run_many([Case(data, [inputs], preserve=False) for data in files])
    assert new.refusal is None
    for a, b, c in zip(
        old.outputs[0], new.outputs[0], pyref.run(model, inputs).outputs, strict=True
    ):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(b, c)


@needs_tflm
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("name", MODELS)
def test_tflms_head_is_the_boards(name, kind, written, link):
    """The package has reference kernels, so its head is the planned one on any machine."""
    path = written(name, kind)
    _, head, _ = x86_64(path)
    assert head == f"{allocated(link, path.read_bytes()).head_bytes:,}"


def chain(*words, cut=0):
    """Four tensors of 64 bytes in a row, with a plan of these words."""
    data = struct.pack(f"<{len(words)}i", *words)
    tensors = [Tensor([64], scale=0.5) for _ in range(4)]
    operators = [Operator("RESHAPE", [i], [i + 1], {}) for i in range(3)]
    metadata = [Metadata(offline.METADATA, data[: len(data) - cut])]
    return build(Model([SubGraph(tensors, operators, [0], [3])], metadata=metadata))


BROKEN = {
    "count": (chain(1, 0, 3, 0, 64, 0), INVALID, None, (4, 3)),
    "cut": (chain(1, 0, 4, 0, 64, 0), INVALID, None, (28, 24)),
    "byte": (chain(1, 0, 4, 0, 64, 0, 64, cut=1), INVALID, None, (28, 27)),
    "header": (chain(1, 0), INVALID, None, (12, 8)),
    "negative": (chain(1, 0, 4, 0, -16, 0, 64), INVALID, 1, (-1, -16)),
    "unaligned": (chain(1, 0, 4, 0, 72, 0, 64), UNSUPPORTED, 1, (16, 72)),
    "overlap": (chain(1, 0, 4, 0, 64, 48, 0), UNSUPPORTED, 2, (-1, 1)),
    "beyond": (chain(1, 0, 4, 0, 64, 0, 0x7FFFFFF0), TOO_SMALL, 3, None),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plan_is_the_devices_typed_error(link, name):
    data, status, tensor, numbers = BROKEN[name]
    with pytest.raises(DeviceError) as caught:
        allocated(link, data)
    error = caught.value
    assert (error.code, error.detail) == status
    assert error.tensor == tensor
    assert numbers is None or (error.expected, error.got) == numbers


def test_the_device_goes_on_after_broken_plans(link):
    with pytest.raises(DeviceError):
        allocated(link, chain(1, 0, 4, 0, 0, 0, 0))
    assert allocated(link, chain(1, 0, 4, 64, 0, 64, 0)).offsets == {0: 64, 1: 0, 2: 64, 3: 0}
