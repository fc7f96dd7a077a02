import dataclasses
import json

import numpy as np
import pytest
from rich.console import Console

import pyref
from hil import compare, cycles, report
from hil.errors import ProtocolError, UsageError, WrongModelError
from hil.report.document import document
from hil.report.page import render
from tests.hil.observations import dense, perfect, spoil


@pytest.fixture(scope="module")
def golden():
    return dense()[1]


def judged(golden, observation, **settings):
    return compare.compare(golden, observation, plan=golden.plan, **settings)


def printed(comparison):
    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    report.print_comparison(comparison, console)
    return console.export_text()


def test_equal_everywhere_passes(golden):
    result = judged(golden, perfect(golden))
    assert result.verdict == "pass"
    assert result.reasons == ()
    assert result.first_difference is None
    assert all(t.match and t.mismatches == 0 for o in result.operators for t in o.tensors)


def test_first_difference_names_operator_tensor_index_and_values(golden):
    (tensor,) = golden.operators[1].outputs
    expected = golden.operators[1].outputs[tensor]
    values = expected.copy()
    values.flat[3] = expected.flat[3] - 1 if expected.flat[3] > 0 else expected.flat[3] + 1
    values.flat[5] = expected.flat[5] + (7 if expected.flat[5] < 0 else -7)
    result = judged(golden, spoil(golden, perfect(golden), 1, values))
    assert result.reasons == ("outputs differ",)
    operator, found = result.first_difference
    assert (operator.index, found.tensor, found.mismatches) == (1, tensor, 2)
    assert found.max_abs_diff == 7
    index = tuple(int(i) for i in np.unravel_index(3, expected.shape))
    assert found.first_difference == compare.Difference(
        index, int(expected.flat[3]), int(values.flat[3])
    )
    text = printed(result)
    assert f"first difference: operator 1 ({operator.op}), tensor {tensor}" in text
    assert f"index {list(index)}: expected {expected.flat[3]}, got {values.flat[3]}" in text
    assert f"operator 1 ({operator.op})" in render(result)


def test_int8_difference_does_not_wrap(golden):
    (tensor,) = golden.operators[1].outputs
    expected = golden.operators[1].outputs[tensor]
    changed = dataclasses.replace(
        golden.operators[1], outputs={tensor: np.full(expected.shape, -128, np.int8)}
    )
    operators = [*golden.operators[:1], changed, *golden.operators[2:]]
    stretched = dataclasses.replace(golden, operators=operators)
    seen = spoil(stretched, perfect(stretched), 1, np.full(expected.shape, 127, np.int8))
    assert judged(stretched, seen).operators[1].tensors[0].max_abs_diff == 255


def test_uncaptured_difference_is_reported_by_digest(golden):
    values = np.zeros_like(next(iter(golden.operators[2].outputs.values())))
    seen = dataclasses.replace(spoil(golden, perfect(golden), 2, values), captured={})
    result = judged(golden, seen)
    assert result.operators[2].tensors[0].mismatches is None
    assert "digest expected" in printed(result)


def test_second_run_that_agrees_blames_memory(golden):
    (tensor,) = golden.operators[1].outputs
    right = golden.operators[1].outputs[tensor]
    seen = spoil(golden, perfect(golden), 1, np.zeros_like(right))
    seen = dataclasses.replace(seen, captured={(1, tensor): right.tobytes()})
    result = judged(golden, seen)
    assert result.verdict == "fail"
    assert "suspect memory or caches, not the kernel" in printed(result)


def test_other_model_is_never_compared(golden):
    seen = dataclasses.replace(perfect(golden), model_sha256="0" * 64)
    with pytest.raises(WrongModelError, match="another model"):
        judged(golden, seen)


@pytest.mark.parametrize("spoiled", ["missing-operator", "other-tensor"])
def test_partial_observation_is_never_compared(golden, spoiled):
    seen = perfect(golden)
    if spoiled == "missing-operator":
        seen = dataclasses.replace(seen, operators=seen.operators[:-1])
    else:
        last = dataclasses.replace(seen.operators[-1], digests={99: b"12345678"})
        seen = dataclasses.replace(seen, operators=(*seen.operators[:-1], last))
    with pytest.raises(ProtocolError):
        judged(golden, seen)


def test_short_capture_is_never_compared(golden):
    (tensor,) = golden.operators[1].outputs
    seen = spoil(golden, perfect(golden), 1, np.zeros_like(golden.operators[1].outputs[tensor]))
    seen = dataclasses.replace(seen, captured={(1, tensor): b"\0"})
    with pytest.raises(ProtocolError):
        judged(golden, seen)


def test_arena_offsets_are_compared(golden):
    seen = perfect(golden)
    tensor = max(seen.arena.offsets, key=lambda t: seen.arena.offsets[t])
    offsets = {**seen.arena.offsets, tensor: seen.arena.offsets[tensor] + 16}
    seen = dataclasses.replace(seen, arena=dataclasses.replace(seen.arena, offsets=offsets))
    result = judged(golden, seen)
    assert result.reasons == ("arena differs",)
    assert f"first tensor {tensor}" in printed(result)


def test_arena_bytes_are_compared(golden):
    seen = perfect(golden)
    arena = dataclasses.replace(seen.arena, used_bytes=seen.arena.used_bytes + 4)
    result = judged(golden, dataclasses.replace(seen, arena=arena))
    assert result.reasons == ("arena differs",)
    assert f"planned {golden.plan['arena_used_bytes']:,}" in printed(result)


@pytest.mark.parametrize(
    ("extra", "tolerance", "within"),
    [(0, 0.0, True), (1, 0.0, False), (10, 0.01, True), (11, 0.01, False), (-11, 0.01, False)],
)
def test_cycles_are_held_to_the_tolerance(golden, extra, tolerance, within):
    seen = perfect(golden)
    stored = cycles.golden_of(seen, "inputs")
    first = dataclasses.replace(seen.operators[0], cycles=seen.operators[0].cycles + extra)
    seen = dataclasses.replace(seen, operators=(first, *seen.operators[1:]))
    result = judged(golden, seen, cycle_golden=stored, cycles_tolerance=tolerance)
    assert result.operators[0].cycles_golden.within is within
    assert result.reasons == (() if within else ("cycles outside tolerance",))


@pytest.mark.parametrize("field", ["kind", "board", "firmware", "clock_hz", "caches", "inputs"])
def test_cycles_of_another_origin_are_not_found(golden, tmp_path, field):
    stored = cycles.golden_of(perfect(golden), "inputs")
    path = tmp_path / "cycles.json"
    cycles.write(path, stored)
    assert cycles.find(cycles.read(path), stored.origin) == stored
    other = dataclasses.replace(stored.origin, **{field: 1 if field == "clock_hz" else "other"})
    assert cycles.find(cycles.read(path), other) is None


def test_cycle_golden_of_the_same_origin_is_replaced(golden, tmp_path):
    path = tmp_path / "cycles.json"
    stored = cycles.golden_of(perfect(golden), "inputs")
    newer = dataclasses.replace(stored, cycles=tuple(c + 1 for c in stored.cycles))
    cycles.write(path, stored)
    cycles.write(path, newer)
    assert cycles.read(path) == [newer]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 9, "entries": []}',
        '{"format": 1, "entries": [{"origin": {}, "cycles": ["x"], "instructions": [1]}]}',
        '{"format": 1, "entries": [{"origin": {}, "cycles": [1, 2], "instructions": [1]}]}',
    ],
)
def test_broken_cycle_golden_file_is_refused(tmp_path, text):
    path = tmp_path / "cycles.json"
    path.write_text(text)
    with pytest.raises(pyref.GoldenError, match="record it again"):
        cycles.read(path)


def test_a_cycle_golden_of_other_operators_is_refused(golden):
    stored = cycles.golden_of(perfect(golden), "inputs")
    short = dataclasses.replace(stored, cycles=stored.cycles[:-1])
    with pytest.raises(pyref.GoldenError, match="counts 4 operators, the model has 5"):
        judged(golden, perfect(golden), cycle_golden=short)
    assert cycles.differences(short, stored) == ["cycles.json: 4 operators, 5 ran"]


def test_a_golden_of_another_kernel_set_is_refused(golden):
    other = dataclasses.replace(golden, kernels="cmsis_nn")
    with pytest.raises(pyref.GoldenError, match="follows TFLM's cmsis_nn kernels"):
        judged(other, perfect(golden))


def test_cycle_goldens_of_another_model_are_forgotten(golden, tmp_path):
    path = tmp_path / "cycles.json"
    stored = cycles.golden_of(perfect(golden), "inputs")
    cycles.write(path, stored)
    cycles.forget_other_models(path, stored.origin.model)
    assert cycles.read(path) == [stored]
    cycles.forget_other_models(path, "another")
    assert not path.exists()


def test_document_has_the_contract_keys(golden, tmp_path):
    path = tmp_path / "report.json"
    report.write_json(judged(golden, perfect(golden)), path)
    data = json.loads(path.read_text())
    assert data["model"] == golden.model_sha256
    assert {"kind", "board", "firmware", "kernels"} <= data["target"].keys()
    assert data["verdict"] == "pass"
    assert data["cycles_kind"] == "modelled"
    assert data["arena"]["predicted"] == data["arena"]["reported"]
    assert data["link"] == {"bytes": 4096, "retries": 0}
    first = data["operators"][0]
    assert {"index", "op", "tensors", "cycles", "instructions"} <= first.keys()
    assert set(first["tensors"][0]) == {
        "tensor",
        "match",
        "mismatches",
        "max_abs_diff",
        "first_difference",
    }


def test_document_is_strict_json_with_nan(golden):
    (tensor,) = golden.operators[0].outputs
    shape = golden.operators[0].outputs[tensor].shape
    operators = [
        dataclasses.replace(golden.operators[0], outputs={tensor: np.zeros(shape, np.float32)}),
        *golden.operators[1:],
    ]
    floats = dataclasses.replace(golden, operators=operators)
    values = np.full(shape, np.nan, np.float32)
    result = judged(floats, spoil(floats, perfect(floats), 0, values))
    text = json.dumps(document(result), allow_nan=False)
    assert json.loads(text)["operators"][0]["tensors"][0]["first_difference"]["got"] == "nan"


def test_report_into_a_missing_folder_is_a_usage_error(golden, tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        report.write_json(judged(golden, perfect(golden)), tmp_path / "no" / "report.json")
