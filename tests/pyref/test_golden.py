"""Golden folders: what is written comes back, what differs is told, damage is refused."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator

X = Tensor([1, 4], "INT8", scale=0.5, zero_point=-3)
MODEL = pyref.Model.from_bytes(build(one_operator("ABS", [X], [X])))


def golden(seed=0, **more):
    inputs = pyref.seeded_inputs(MODEL, seed)
    return pyref.Golden.from_run(MODEL, inputs, pyref.run(MODEL, inputs), seed=seed, **more)


def test_what_is_written_is_read(tmp_path):
    written = golden(plan={"arena_used_bytes": 640})
    written.write(tmp_path / "new" / "folder")
    read = pyref.Golden.read(tmp_path / "new" / "folder")
    assert read.describe() == written.describe()
    assert read.plan == {"arena_used_bytes": 640}
    assert written.differences(read) == []
    np.testing.assert_array_equal(read.inputs[0], written.inputs[0])
    np.testing.assert_array_equal(read.operators[0].outputs[1], written.operators[0].outputs[1])


def test_it_says_what_it_belongs_to():
    about = golden(kernels="cmsis_nn", seed=3).describe()
    assert about["model"] == MODEL.sha256
    assert {k: about[k] for k in ("producer", "tflm", "kernels", "seed")} == {
        "producer": "pyref",
        "tflm": "2026-08",
        "kernels": "cmsis_nn",
        "seed": 3,
    }
    assert about["operators"][0]["op"] == "ABS"
    assert about["operators"][0]["outputs"]["1"]["dtype"] == "int8"


def test_a_digest_is_the_first_8_bytes_of_sha_256_in_c_order():
    x = np.array([[1, 2], [3, 4]], np.int8)
    assert pyref.digest(x).hex() == "9f64a747e1b97f13"  # of the bytes 01 02 03 04
    assert pyref.digest(x.T) == pyref.digest(np.array([[1, 3], [2, 4]], np.int8))
    assert pyref.digest(x.astype(np.int16)) != pyref.digest(x)


def test_writing_twice_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        golden().write(tmp_path / name)
    first, second = ((tmp_path / n / "golden.json").read_bytes() for n in ("a", "b"))
    assert first == second


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 1}, "seed: stored 0, regenerated 1"),
        ({"kernels": "cmsis_nn"}, "kernels: stored 'reference', regenerated 'cmsis_nn'"),
        ({"operators": []}, "1 operators stored, 0 run"),
        ({"inputs": [np.zeros((1, 4), np.int8)]}, "inputs: stored values differ"),
        ({"plan": {"arena_used_bytes": 2}}, "plan.json: stored plan differs"),
    ],
    ids=["seed", "kernels", "operators", "inputs", "plan"],
)
def test_a_difference_is_one_sentence(change, words):
    stored = golden(plan={"arena_used_bytes": 1})
    found = stored.differences(dataclasses.replace(stored, **change))
    assert len(found) == 1
    assert words in found[0]


def test_a_differing_operator_is_named():
    found = golden(seed=0).differences(golden(seed=1))
    assert any(text.startswith("operator 0 (ABS): stored ") for text in found)


def test_no_folder_says_what_to_do(tmp_path):
    with pytest.raises(pyref.GoldenError, match=r"no such file; write the golden with `hil golden"):
        pyref.Golden.read(tmp_path / "absent")


def test_a_value_that_does_not_match_its_digest_is_refused(tmp_path):
    golden().write(tmp_path)
    path = tmp_path / "golden.json"
    about = json.loads(path.read_text())
    about["operators"][0]["outputs"]["1"]["digest"] = "00" * 8
    path.write_text(json.dumps(about))
    with pytest.raises(pyref.GoldenError, match="changed after it was written"):
        pyref.Golden.read(tmp_path)


def test_values_of_another_golden_are_refused(tmp_path):
    golden().write(tmp_path / "a")
    golden(seed=1).write(tmp_path / "b")
    (tmp_path / "b" / "tensors.npz").replace(tmp_path / "a" / "tensors.npz")
    with pytest.raises(pyref.GoldenError, match="does not match the digests"):
        pyref.Golden.read(tmp_path / "a")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda p: p.unlink(), "no such file"),
        (lambda p: p.write_text("null"), "does not match the digests"),
        (lambda p: p.write_text('{"arena_used_bytes": "x"}'), "does not match the digests"),
        (lambda p: p.write_text("{"), r"plan.json: cannot be read"),
    ],
    ids=["missing", "null", "edited", "cut"],
)
def test_a_damaged_plan_is_refused(tmp_path, damage, words):
    golden(plan={"arena_used_bytes": 640}).write(tmp_path)
    damage(tmp_path / "plan.json")
    with pytest.raises(pyref.GoldenError, match=words):
        pyref.Golden.read(tmp_path)


def test_a_golden_without_a_plan_leaves_none_behind(tmp_path):
    golden(plan={"arena_used_bytes": 640}).write(tmp_path)
    golden().write(tmp_path)
    assert not (tmp_path / "plan.json").exists()
    assert pyref.Golden.read(tmp_path).plan is None


def test_another_format_is_refused(tmp_path):
    golden().write(tmp_path)
    path = tmp_path / "golden.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(pyref.GoldenError, match="expected format 2; write the golden again"):
        pyref.Golden.read(tmp_path)


def test_another_interpreters_values_are_refused(tmp_path):
    """Field failure 15: LiteRT computes another FULLY_CONNECTED."""
    dataclasses.replace(golden(), producer="litert").write(tmp_path)
    with pytest.raises(pyref.GoldenError, match="made by 'litert', whose arithmetic is not TFLM's"):
        pyref.Golden.read(tmp_path)


def test_another_models_golden_is_refused():
    stored = golden()
    stored.check_model(MODEL)
    with pytest.raises(pyref.GoldenError, match="the golden is of model 0000000000000000, this is"):
        dataclasses.replace(stored, model_sha256="0" * 64).check_model(MODEL)


def test_a_value_of_another_dtype_is_refused():
    """Field failure 35: uint8 compared with int8."""
    stored = golden()
    (ran,) = stored.operators
    bits = {1: ran.outputs[1].view(np.uint8)}
    spoiled = dataclasses.replace(stored, operators=[dataclasses.replace(ran, outputs=bits)])
    with pytest.raises(
        pyref.GoldenError,
        match=r"tensor 1: the golden has uint8 \[1, 4\], the model int8 \[1, 4\]",
    ):
        spoiled.check_model(MODEL)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(pyref.GoldenError):
        golden().write(tmp_path / "file")
