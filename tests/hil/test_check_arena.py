"""The arena's numbers, and whether the sentences that explain them are true."""

from __future__ import annotations

import pytest

import pyref
from fixtures.writer import Tensor, build, one_operator
from hil.check import arena
from tests.hil.public_models import FIXTURES, public_model

#: name, kernels, smallest - used, whether a temporary peak is the cause, who asks.
CASES = [
    ("c2_bn", "cmsis_nn", 0, False, ""),
    ("c2_bn", "reference", -4, False, ""),
    ("mlperf_tiny/kws_ref_model", "cmsis_nn", 4, False, ""),
    ("mlperf_tiny/ad01_fp32", "cmsis_nn", -12, False, ""),
    ("tflm/hello_world_int8", "cmsis_nn", 384, True, "memory planner"),
    ("micro_wake_word/vad", "cmsis_nn", 288, True, "memory planner"),
]


def load(name):
    local = FIXTURES / f"{name}.tflite"
    return pyref.Model.from_file(local if local.exists() else public_model(f"{name}.tflite"))


def need_of(name, kernels="cmsis_nn"):
    model = load(name)
    plan = pyref.plan(model, kernels=kernels)
    return arena.need(model, plan), plan, model


@pytest.mark.parametrize(
    ("name", "kernels", "difference", "temporary", "owner"),
    CASES,
    ids=[f"{c[0].rsplit('/', 1)[-1]}-{c[1]}" for c in CASES],
)
def test_numbers_and_reasons(name, kernels, difference, temporary, owner):
    need, plan, _ = need_of(name, kernels)
    assert need.smallest_bytes - need.used_bytes == difference
    assert bool(need.temporary_bytes) == temporary
    why = " ".join(need.why)
    if temporary:
        assert owner in why
        assert need.limit_message in why
        assert f"{need.temporary_bytes:,} of the {need.smallest_bytes:,} bytes" in why
        assert "counted down from the arena's last" not in why
    elif difference:
        assert "persistent blocks are aligned by absolute address" in why
        assert f"{need.used_in_smallest_bytes:,} in use" in why
    assert plan.refusal(need.smallest_bytes - 4) == need.limit_message
    assert f"give {need.recommended_unaligned_bytes:,}" in need.why[-1]


@pytest.mark.parametrize("name", ["c2_bn", "dense", "mlperf_tiny/kws_ref_model"])
def test_what_is_said_of_alignment_holds(name):
    need, plan, model = need_of(name)
    smallest = need.smallest_bytes
    assert all(plan.refusal(smallest + k) is None for k in range(33)), "every larger one allocates"
    for size in (need.recommended_bytes, need.recommended_bytes + 16):
        assert pyref.plan(model, arena_size=size).arena_used_bytes == need.used_bytes
    in_smallest = pyref.plan(model, arena_size=smallest)
    assert in_smallest.arena_used_bytes == need.used_in_smallest_bytes
    for base in range(16):
        assert plan.refusal(need.recommended_unaligned_bytes, base=base) is None


@pytest.mark.parametrize("base", range(16))
def test_missing_bytes_counts_what_tflm_skips(base):
    _, plan, _ = need_of("dense")
    smallest = plan.smallest_arena_bytes
    for size in (0, smallest - 4, smallest, smallest + 3, smallest + 12, smallest + 15):
        missing = arena.missing_bytes(smallest, size, base=base)
        assert (plan.refusal(size, base=base) is None) == (missing == 0), (base, size)
        if missing:
            assert plan.refusal(size + missing, base=base) is None
            assert plan.refusal(size + missing - 4, base=base) is not None


def test_sections_and_consumers():
    need, plan, _ = need_of("c2_bn")
    assert need.sections == plan.recording["sections"]
    assert [c.bytes for c in need.head_consumers] == [614_400, 153_600]
    assert len(need.tail_consumers) == 5
    assert [c.bytes for c in need.tail_consumers] == sorted(
        (c.bytes for c in need.tail_consumers), reverse=True
    )
    assert need.tail_consumers[0].name == "CONV_2D (operator 4)"


def test_alternatives_are_the_other_three_builds():
    need, _, model = need_of("dense")
    assert [(a.tflm, a.kernels) for a in need.alternatives] == [
        ("2026-08", "reference"),
        ("2024-06", "reference"),
        ("2024-06", "cmsis_nn"),
    ]
    for a in need.alternatives:
        other = pyref.plan(model, tflm=a.tflm, kernels=a.kernels)
        assert (a.used_bytes, a.smallest_bytes) == (
            other.arena_used_bytes,
            other.smallest_arena_bytes,
        )


def test_an_alternative_that_refuses_says_why():
    reverse = one_operator(
        "REVERSE_V2",
        inputs=[Tensor([1, 4], type="FLOAT32", scale=None), axis()],
        outputs=[Tensor([1, 4], type="FLOAT32", scale=None)],
    )
    model = pyref.Model.from_bytes(build(reverse))
    need = arena.need(model, pyref.plan(model))
    by_release = {(a.tflm, a.kernels): a for a in need.alternatives}
    assert by_release["2026-08", "reference"].refusal is None
    old = by_release["2024-06", "cmsis_nn"]
    assert "Didn't find op for builtin opcode 'REVERSE_V2'" in old.refusal
    assert old.smallest_bytes is None


def axis():
    import numpy as np

    return Tensor(data=np.array([1], np.int32), scale=None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("short", "tensor 3 short"),
        ("", "tensor 3"),
        ("a" * 40 + "/Conv2D", "tensor 3 ..." + "a" * 25 + "/Conv2D"),
    ],
    ids=["short", "none", "long"],
)
def test_labels_keep_the_end_of_a_name(name, expected):
    buffer = pyref.arena.Buffer("tensor", 0, 3, 1, 16, 0, 0, name=name)
    assert arena.label(buffer) == expected


def test_labels_name_subgraph_and_scratch():
    assert "of subgraph 2" in arena.label(pyref.arena.Buffer("tensor", 2, 3, 1, 16, 0, 0))
    scratch = pyref.arena.Buffer("scratch", 0, 0, 1, 16, 0, 0, op="CONV_2D", node=4)
    assert arena.label(scratch) == "scratch of CONV_2D (operator 4)"
