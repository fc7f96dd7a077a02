"""Kinds of failure that people reported: the arena's part (numbered as in the collection)."""

from __future__ import annotations

import re

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, build
from pyref.arena import ArenaTooSmallError, releases
from pyref.arena.lifetimes import tensor_bytes
from tests.pyref.arena.cases import CASES, const, conv_case, fc_case, ints, q, transpose_conv_case

MESSAGES = re.compile(
    r"Failed to (allocate tail memory|allocate temp memory|resize buffer)\. "
    r"Requested: \d+, available \d+, missing: \d+|Too many buffers \(max is \d+\)"
)


def load(name):
    return pyref.Model.from_bytes(CASES[name]())


def scratch(make, tflm="2026-08", kernels="cmsis_nn"):
    """Sizes of the scratch buffers that a model's operators ask for."""
    plan = pyref.plan(pyref.Model.from_bytes(make()), tflm=tflm, kernels=kernels)
    return [p.buffer.bytes for p in plan.placed if p.buffer.kind == "scratch"]


def five_layers():
    tensors, operators = [q([1, 8, 8, 4])], []
    for i in range(5):
        tensors += [
            const([4, 3, 3, 4], np.int8, [0.1] * 4, zero_point=[0] * 4),
            const([4], np.int32, 0.05),
            q([1, 8, 8, 4]),
        ]
        operators.append(
            Operator(
                "CONV_2D",
                [3 * i, 3 * i + 1, 3 * i + 2],
                [3 * i + 3],
                {"stride_w": 1, "stride_h": 1},
            )
        )
    return pyref.Model.from_bytes(build(Model([SubGraph(tensors, operators, [0], [15])])))


def test_2_if_by_the_old_code_field_has_no_lifetimes_in_its_branches():
    plan = pyref.plan(load("if-pre_2_4"))
    branches = [p.buffer for p in plan.placed if p.buffer.subgraph > 0]
    assert {(b.first_use, b.last_use) for b in branches} == {(-1, -1)}
    assert any("deprecated_builtin_code alone" in w for w in plan.warnings)
    assert not pyref.plan(load("if")).warnings


def test_8_a_size_beyond_2_gib_is_diagnosed_as_a_bad_model():
    with pytest.raises(ArenaTooSmallError, match="a misread model, not a small arena"):
        pyref.plan(
            pyref.Model.from_bytes(
                build(
                    Model(
                        [
                            SubGraph(
                                [q([1, 1 << 30]), q([1, 1 << 30]), q([1, 1 << 30])],
                                [Operator("ADD", [0, 1], [2], {})],
                                [0, 1],
                                [2],
                            )
                        ]
                    )
                )
            )
        )


def test_16_and_41_fully_connected_of_rank_3_runs_as_a_1x1_convolution():
    assert scratch(fc_case([1, 2, 8], [3, 8], [1, 2, 3])) == [24]
    assert scratch(fc_case([1, 2, 8], [3, 8], [1, 2, 3], per_channel=True)) == []
    assert scratch(fc_case([1, 2, 8], [3, 8], [1, 2, 3]), tflm="2024-06") == []
    assert scratch(fc_case([1, 2, 8], [3, 8], [1, 2, 3]), kernels="reference") == []


@pytest.mark.parametrize(
    ("tflm", "kernels", "kind"),
    [
        ("2024-06", "reference", "int8"),
        ("2024-06", "cmsis_nn", "int8"),
        ("2026-08", "cmsis_nn", "int16"),
    ],
)
def test_16_weights_by_channel_are_refused_where_the_kernel_does(tflm, kernels, kind):
    model = pyref.Model.from_bytes(fc_case([1, 8], [3, 8], [1, 3], kind=kind, per_channel=True)())
    with pytest.raises(pyref.RefusedError):
        pyref.plan(model, tflm=tflm, kernels=kernels)


def test_20_the_row_buffer_of_a_1_by_2_stride_is_the_too_small_272_bytes():
    case = transpose_conv_case(
        [1, 1, 9, 4], [4, 4, 1, 4], [1, 1, 17, 4], stride=(1, 2), padding="VALID"
    )
    assert scratch(case) == [1088, 0]
    case = transpose_conv_case(
        [1, 1, 9, 4], [4, 1, 1, 4], [1, 1, 17, 4], stride=(1, 2), padding="VALID"
    )
    assert scratch(case) == [272, 0]


def test_21_transpose_conv_always_makes_two_requests():
    case = transpose_conv_case([1, 4, 4, 20], [4, 5, 5, 20], [1, 12, 12, 4], stride=(3, 3))
    model = pyref.Model.from_bytes(case())
    plan = pyref.plan(model)
    assert scratch(case)[1] == 0
    handles = [c for c in plan.consumers if c.part == "scratch buffer handles"]
    assert [c.requested for c in handles] == [8]


def test_26_mean_keeps_three_work_arrays_in_scratch():
    assert scratch(CASES["MEAN-int8"]) == [4 * 3, 4 * 4, 4 * 2]
    assert scratch(CASES["MEAN-int8"], tflm="2024-06") == [4 * 3]
    assert scratch(CASES["MEAN-float"]) == [4 * 4, 4 * 2]


def test_37_int4_counts_a_byte_an_element_and_only_the_reference_unpacks():
    assert tensor_bytes("INT4", (3, 3)) == 9
    case = fc_case([1, 3], [3, 3], [1, 3], kind="int4")
    assert scratch(case, kernels="reference") == [9]
    assert scratch(case) == []


@pytest.mark.parametrize("make", [lambda: load("FULLY_CONNECTED-int8"), five_layers])
def test_38_used_bytes_move_with_the_arenas_address(make):
    model = make()
    plan = pyref.plan(model)
    size = plan.smallest_arena_bytes + 64
    used = {
        (base, extra): pyref.plan(model, base=base, arena_size=size + extra).arena_used_bytes
        for base in (0, 4, 8)
        for extra in (0, 1, 4, 8, 15)
    }
    assert 0 < max(used.values()) - min(used.values()) <= 15
    for (base, extra), value in used.items():
        same = [v for (b, e), v in used.items() if (b + e) % 16 == (base + extra) % 16]
        assert set(same) == {value}
    assert plan.smallest_arena_bytes >= min(used.values())


def test_38_a_small_model_needs_more_to_allocate_than_it_uses():
    plan = pyref.plan(load("FULLY_CONNECTED-int8"))
    assert plan.smallest_arena_bytes > plan.arena_used_bytes
    assert plan.temp_peak_bytes > plan.head_bytes
    assert plan.refusal(plan.smallest_arena_bytes) is None
    assert plan.refusal(plan.smallest_arena_bytes - 4) is not None


def test_39_messages_of_every_size_are_tflms():
    model = five_layers()
    plan = pyref.plan(model)
    seen, available = set(), []
    for size in range(0, plan.smallest_arena_bytes + 16, 16):
        message = plan.refusal(size)
        if message is None:
            assert size >= plan.smallest_arena_bytes
            continue
        if "TFLM" in message:  # it goes on without noticing, and faults
            continue
        assert MESSAGES.fullmatch(message), message
        seen.add(message.split(".")[0].split(" (")[0])
        if found := re.search(r"available (\d+)", message):
            available.append(int(found[1]))
    assert seen >= {
        "Failed to allocate tail memory",
        "Failed to allocate temp memory",
        "Failed to resize buffer",
    }
    assert available != sorted(available)  # a bigger arena fails later, with less left there


#: Messages that TFLM printed on an emulated Cortex-M7 for "chain-branches", 2026-08 / cmsis_nn.
PRINTED = {
    100: "Failed to allocate tail memory. Requested: 36, available 20, missing: 16",
    300: "Failed to allocate tail memory. Requested: 120, available 24, missing: 96",
    1000: "Failed to allocate temp memory. Requested: 32, available 0, missing: 32",
}


@pytest.mark.parametrize("size", PRINTED)
def test_39_messages_as_printed(size):
    assert pyref.plan(load("chain-branches")).refusal(size) == PRINTED[size]
    with pytest.raises(ArenaTooSmallError) as caught:
        pyref.plan(load("chain-branches"), arena_size=size)
    assert caught.value.message == PRINTED[size]
    assert caught.value.arena_size == size


def test_40a_equal_sizes_last_added_first():
    plan = pyref.plan(load("chain"))
    # Tensor 3 is placed first.
    assert dict(plan.tensor_offsets) == {0: 64, 1: 0, 2: 64, 3: 0}
    assert plan.head_bytes == 128


def test_40b_an_unused_output_owns_memory_during_its_operator():
    split = next(p for p in pyref.plan(load("chain-branches")).placed if p.buffer.index == 3)
    assert (split.buffer.first_use, split.buffer.last_use) == (1, 1)
    assert split.buffer.size == 320


def test_40c_scratch_lives_in_its_step_and_overlaps_nothing_there():
    plan = pyref.plan(load("chain-branches"))
    scratches = [p for p in plan.placed if p.buffer.kind == "scratch"]
    assert [p.buffer.op for p in scratches] == ["CONV_2D", "AVERAGE_POOL_2D"] + ["MEAN"] * 3
    for p in scratches:
        assert p.buffer.first_use == p.buffer.last_use == p.buffer.node + 1
        for other in plan.placed:
            if other is not p and other.buffer.alive(p.buffer.first_use):
                assert p.end <= other.offset or other.end <= p.offset


def test_40d_an_input_is_given_up_after_its_last_use_and_an_output_never():
    plan = pyref.plan(load("chain"))
    lives = [(p.buffer.first_use, p.buffer.last_use) for p in plan.placed]
    assert lives == [(0, 1), (1, 2), (2, 3), (3, 3)]


def test_40e_a_branch_that_hands_its_input_on_gets_a_lifetime():
    plan = pyref.plan(load("if"))
    through = next(p.buffer for p in plan.placed if p.buffer.subgraph == 2)
    assert 0 < through.first_use <= through.last_use


def test_40g_variables_stand_in_the_tail():
    plan = pyref.plan(load("SVDF-int8"))
    variables = [c for c in plan.consumers if c.part == "variable tensors"]
    assert [c.requested for c in variables] == [48]
    assert plan.recording["sections"]["TfLiteTensor variable buffer data"]["count"] == 1
    assert 4 not in plan.tensor_offsets


def test_41_struct_sizes_of_a_cortex_m7_build():
    structs = releases.find("2026-08").structs
    assert {n: structs[n].size for n in (
        "TfLiteTensor", "TfLiteEvalTensor", "NodeAndRegistration", "AllocationInfo",
        "ScratchBufferRequest",
    )} == {
        "TfLiteTensor": 32, "TfLiteEvalTensor": 12, "NodeAndRegistration": 32,
        "AllocationInfo": 24, "ScratchBufferRequest": 12,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kernel", "dilation", "channels", "expected"),
    [(3, 1, 1, []), (3, 1, 3, []), (3, 1, 4, []), (5, 1, 3, [150]), (3, 2, 3, [])],
)
def test_41_depthwise_scratch_follows_the_wrapper(kernel, dilation, channels, expected):
    shape = [1, 9, 9, channels]
    case = conv_case(shape, [1, kernel, kernel, channels], shape, depthwise=True, dilation=dilation)
    assert scratch(case) == expected


@pytest.mark.parametrize("channels", [3, 4])
def test_41_a_1x1_convolution_needs_none(channels):
    assert scratch(conv_case([1, 5, 5, channels], [4, 1, 1, channels], [1, 5, 5, 4])) == []


def test_42_preserving_all_tensors_is_larger_and_says_which_planner():
    model = five_layers()
    usual, kept = pyref.plan(model), pyref.plan(model, preserve_all_tensors=True)
    assert (usual.planner, kept.planner) == ("greedy", "linear")
    assert kept.head_bytes == sum(p.buffer.size for p in kept.placed) > usual.head_bytes
    assert kept.arena_used_bytes > usual.arena_used_bytes + 4000  # LinearMemoryPlanner is 4108


def test_unknown_names_are_told():
    model = load("chain")
    with pytest.raises(pyref.PlanError, match='expected "reference" or "cmsis_nn", got \'simd\''):
        pyref.plan(model, kernels="simd")
    with pytest.raises(pyref.PlanError, match="expected one of greedy, linear, got 'best'"):
        pyref.plan(model, planner="best")


def test_an_operator_that_tflm_lacks():
    tensors = [q([1, 2]), ints(1, 2), q([1, 4])]
    data = build(Model([SubGraph(tensors, [Operator("TILE", [0, 1], [2], {})], [0], [2])]))
    with pytest.raises(pyref.RefusedError) as caught:
        pyref.plan(pyref.Model.from_bytes(data))
    assert caught.value.reason == "Didn't find op for builtin opcode 'TILE'"
    assert caught.value.phase == "resolve"


def test_custom_options_of_a_builtin_operator_are_refused():
    tensors = [q([4]), q([4])]
    operator = Operator("RELU", [0], [1], custom_options=b"1")
    data = build(Model([SubGraph(tensors, [operator], [0], [1])]))
    with pytest.raises(pyref.RefusedError, match="found builtin operator RELU with custom options"):
        pyref.plan(pyref.Model.from_bytes(data))


def test_consumers_add_up():
    plan = pyref.plan(load("chain-branches"))
    assert sum(c.used for c in plan.consumers) == plan.tail_bytes
    assert plan.arena_used_bytes == plan.head_bytes + plan.tail_bytes
    assert len(plan.largest_consumers()) == 5
    assert plan.largest_consumers()[0][1] >= plan.largest_consumers()[1][1]


def test_resource_variables_are_taken_once():
    plan = pyref.plan(load("call_once"))
    taken = [c for c in plan.consumers if c.detail.startswith("resource variable")]
    assert [(c.requested, c.op) for c in taken] == [(6, "ASSIGN_VARIABLE")]
