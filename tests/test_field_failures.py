"""Which tests cover the failures that people reported, by the collection's numbers.

The collection is field_failures.md among the project's facts (HIL_FACTS, default ../shared/facts).
Sections A to C are the loader, the kernels and the arena; D the emulator, E the serial line. A
name in brackets is a case of a parametrised test.
"""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.public_models import FACTS, ROOT

COLLECTION = FACTS.with_name("field_failures.md")

PYREF = "tests/pyref/test_field_failures.py"
LOADER = "tests/pyref/test_loader.py"
HOSTILE = "tests/pyref/test_loader_hostile.py"
GOLDEN = "tests/pyref/test_golden.py"
INTERPRETER = "tests/pyref/test_interpreter.py"
OPERATORS = "tests/pyref/operators"
ARENA = "tests/pyref/arena"
PLANS = "tests/pyref/arena/test_field_failures.py"
MACHINE = "tests/emulator/test_emulator_run.py"
PORTS = "tests/hil/test_transports.py"
ENGINE = "tests/firmware/test_engine_field_failures.py"
LINK = "tests/hil/test_link.py"
CONTRACT = "tests/contract/test_contract.py"

#: Number in the collection to the tests that hold it.
COVERED: dict[str, tuple[str, ...]] = {
    "1": (
        f"{LOADER}::test_external_weights_equal_weights_in_the_file",
        f"{LOADER}::test_external_placeholder_is_empty",
        f"{LOADER}::test_external_past_the_end_names_the_buffer",
        f"{PYREF}::test_1_weights_outside_the_flatbuffer_compute_what_those_inside_do",
        f"{PYREF}::test_1_paddings_outside_the_flatbuffer_are_no_constant",
    ),
    "2": (
        f"{LOADER}::test_larger_operator_code_wins[placeholder-and-smaller]",
        f"{LOADER}::test_if_with_the_old_code_field_is_warned_of",
        f"{PYREF}::test_2_if_written_the_old_way_runs",
        f"{PLANS}::test_2_if_by_the_old_code_field_has_no_lifetimes_in_its_branches",
        f"{ENGINE}::test_2_the_larger_operator_code_wins",
    ),
    "3": (
        f"{LOADER}::test_operator_version_changes_nothing",
        f"{LOADER}::test_custom_without_a_code",
        f"{LOADER}::test_opcode_index_out_of_range",
        f"{INTERPRETER}::test_an_operator_that_tflm_does_not_have",
        "tests/pyref/test_inspect.py::test_c2_bn_resolver",
        "tests/hil/test_check_firmware.py::test_registrations",
        f"{ENGINE}::test_3_operator_version_does_not_matter",
        f"{ENGINE}::test_3_operator_that_is_not_registered",
        f"{ENGINE}::test_3_custom_operator_without_a_code",
        f"{ENGINE}::test_3_opcode_index_out_of_range",
    ),
    "4": (
        f"{LOADER}::test_schema_version",
        f"{LOADER}::test_identifier",
        f"{ENGINE}::test_4_schema_version",
        f"{ENGINE}::test_4_identifier",
    ),
    "5": (
        f"{HOSTILE}::test_no_model",
        f"{HOSTILE}::test_small_model_cut",
        f"{HOSTILE}::test_every_word_replaced",
        f"{HOSTILE}::test_random_flips",
        f"{ENGINE}::test_5_not_a_model",
        "tests/contract/test_damaged_models.py",
    ),
    "6": (
        f"{LOADER}::test_buffer_index",
        f"{LOADER}::test_tensor_index_of_an_operator",
        f"{LOADER}::test_overflow",
        f"{LOADER}::test_constant_of_another_length_than_its_shape",
        f"{LOADER}::test_depthwise_filter_of_rank_3",
        f"{ENGINE}::test_6_buffer_index",
        f"{ENGINE}::test_6_shape_product_overflows",
        f"{ENGINE}::test_6_constant_does_not_fit_its_shape",
        f"{ENGINE}::test_6_depthwise_filter_of_rank_3",
    ),
    "7": (
        f"{ENGINE}::test_7_misaligned_model",
        "tests/hil/test_check_firmware.py::test_the_model_inside_the_elf",
        "tests/emulator/test_emulator_alignment.py::test_an_access_that_must_be_aligned_faults",
    ),
    "8": (
        f"{LOADER}::test_shape_signature_is_not_looked_at",
        f"{LOADER}::test_negative_dimension",
        f"{PLANS}::test_8_a_size_beyond_2_gib_is_diagnosed_as_a_bad_model",
        f"{ENGINE}::test_8_dynamic_shape",
    ),
    "10": (
        f"{LOADER}::test_zero_point_lists",
        f"{PYREF}::test_10_a_short_list_of_zero_points_changes_nothing",
        f"{PYREF}::test_10_scales_without_zero_points_are_no_quantization",
        f"{PYREF}::test_10_a_channel_of_scale_0_gives_the_zero_point",
        f"{OPERATORS}/test_depthwise_conv.py::test_like_tflm[refused-dimension-0]",
        f"{ENGINE}::test_10_lengths_of_zero_point",
        f"{ENGINE}::test_10_channel_scale_of_zero",
        f"{ENGINE}::test_10_depthwise_quantized_dimension",
    ),
    "11": (
        f"{LOADER}::test_ends_are_in_the_file_s_order_and_names_in_signatures",
        f"{INTERPRETER}::test_position_means_the_files_order_of_inputs_and_outputs",
        "tests/pyref/test_inspect.py::test_inputs_have_position_index_and_every_name",
        "tests/hil/test_cli.py::test_inputs_from_a_file",
        f"{ENGINE}::test_11_order_is_the_files",
    ),
    "14": (
        "tests/pyref/test_fixedpoint.py",
        f"{ENGINE}::test_14_rounds_twice",
        f"{ENGINE}::test_14_single_rounding_build_differs_in_one_of_a_hundred",
        "tests/hil/test_cli.py::test_single_rounding_is_found_at_its_first_operator",
    ),
    "15": (
        f"{OPERATORS}/test_fully_connected.py::test_rounds_twice",
        f"{GOLDEN}::test_another_interpreters_values_are_refused",
    ),
    "16": (
        f"{OPERATORS}/test_fully_connected.py::test_per_channel_outputs_follow_their_scales",
        f"{OPERATORS}/test_fully_connected.py::test_like_tflm[refused-int4-per-channel]",
        f"{OPERATORS}/test_fully_connected.py::test_like_tflm[int16-per-channel]",
        f"{OPERATORS}/test_fully_connected.py::test_cmsis_nn_refuses[int16-per-channel]",
        f"{PLANS}::test_16_and_41_fully_connected_of_rank_3_runs_as_a_1x1_convolution",
        f"{PLANS}::test_16_weights_by_channel_are_refused_where_the_kernel_does",
    ),
    "17": (
        f"{OPERATORS}/test_conv.py::test_asymmetric_same_padding_contributes_nothing",
        f"{ENGINE}::test_17_asymmetric_padding",
        f"{ENGINE}::test_17_fully_connected_does_not_depend_on_memory",
    ),
    "19": (
        f"{OPERATORS}/test_space_batch.py::test_stored_shape_of_ones_gives_the_first_phase_only",
        f"{LOADER}::test_stored_shape",
    ),
    "20": (
        f"{OPERATORS}/test_transpose_conv.py::test_like_tflm[field-failure-20a]",
        f"{OPERATORS}/test_transpose_conv.py::test_like_tflm[field-failure-20b]",
        f"{OPERATORS}/test_transpose_conv.py::test_like_tflm[3x3-stride2-same]",
        f"{OPERATORS}/test_transpose_conv.py::test_like_tflm[field-failure-20d]",
        f"{OPERATORS}/test_transpose_conv.py::test_like_tflm[field-failure-20e]",
        f"{PLANS}::test_20_the_row_buffer_of_a_1_by_2_stride_is_the_too_small_272_bytes",
    ),
    "21": (
        f"{OPERATORS}/test_transpose_conv.py::test_like_tflm[no-bias]",
        f"{OPERATORS}/test_transpose_conv.py::test_cmsis_nn_ignores_the_activation",
        f"{OPERATORS}/test_transpose_conv.py::test_cmsis_nn_refuses_int16_without_bias",
        f"{PLANS}::test_21_transpose_conv_always_makes_two_requests",
    ),
    "23": (f"{OPERATORS}/test_softmax.py::test_every_row_is_computed",),
    "26": (
        f"{OPERATORS}/test_reduce.py::test_mean_is_not_the_rounded_mean",
        f"{PLANS}::test_26_mean_keeps_three_work_arrays_in_scratch",
    ),
    "27": (
        f"{OPERATORS}/test_svdf.py::test_int8_state_wraps",
        f"{OPERATORS}/test_svdf.py::test_int8_state_of_cmsis_nn_knows_no_zero_point_and_wraps_sooner",
        f"{PYREF}::test_27_an_int8_state_wraps_and_an_int16_one_does_not",
    ),
    "29": (
        f"{OPERATORS}/test_concatenation.py::test_like_tflm[refused-scales]",
        f"{OPERATORS}/test_concatenation.py::test_like_tflm[refused-zero-points]",
        f"{OPERATORS}/test_concatenation.py::test_like_tflm[int16-scales-are-not-compared]",
        f"{OPERATORS}/test_concatenation.py::test_like_tflm[axis-minus-1]",
        f"{OPERATORS}/test_concatenation.py::test_like_tflm[refused-eleven]",
    ),
    "30": (
        f"{OPERATORS}/test_pad.py::test_border",
        f"{OPERATORS}/test_pad.py::test_like_tflm[refused-zero-point]",
        f"{OPERATORS}/test_pad.py::test_like_tflm[refused-int64-paddings]",
        f"{OPERATORS}/test_pad.py::test_like_tflm[refused-shape]",
        f"{PYREF}::test_30_paddings_of_int64_are_never_silent",
    ),
    "32": (
        f"{OPERATORS}/test_strided_slice.py::test_shrink_with_negative_begin_takes_the_last_row",
        f"{OPERATORS}/test_strided_slice.py::test_like_tflm[reversed]",
        f"{OPERATORS}/test_strided_slice.py::test_what_tflm_silently_ignores_is_refused",
        f"{OPERATORS}/test_strided_slice.py::test_like_tflm[refused-begin-fed]",
    ),
    "33": (
        f"{OPERATORS}/test_add_sub_mul.py::test_add_field_failure_33",
        f"{OPERATORS}/test_add_sub_mul.py::test_like_tflm",
        f"{OPERATORS}/test_add_sub_mul.py::test_shapes_that_do_not_broadcast_are_refused",
    ),
    "35": (
        f"{OPERATORS}/test_quantize.py::test_field_failure_35",
        f"{INTERPRETER}::test_int8_is_not_taken_for_uint8",
        f"{GOLDEN}::test_a_value_of_another_dtype_is_refused",
    ),
    "37": (
        f"{OPERATORS}/test_fully_connected.py::test_int4_low_nibble_first",
        f"{OPERATORS}/test_conv.py::test_like_tflm[int4-odd-count]",
        f"{OPERATORS}/test_depthwise_conv.py::test_like_tflm[int4-odd-count]",
        f"{LOADER}::test_packed_constants",
        f"{PLANS}::test_37_int4_counts_a_byte_an_element_and_only_the_reference_unpacks",
    ),
    "38": (
        f"{PLANS}::test_38_used_bytes_move_with_the_arenas_address",
        f"{PLANS}::test_38_a_small_model_needs_more_to_allocate_than_it_uses",
        "tests/hil/test_check_arena.py::test_numbers_and_reasons",
    ),
    "39": (
        f"{PLANS}::test_39_messages_of_every_size_are_tflms",
        f"{PLANS}::test_39_messages_as_printed",
    ),
    "40": (
        f"{PLANS}::test_40a_equal_sizes_last_added_first",
        f"{PLANS}::test_40b_an_unused_output_owns_memory_during_its_operator",
        f"{PLANS}::test_40c_scratch_lives_in_its_step_and_overlaps_nothing_there",
        f"{PLANS}::test_40d_an_input_is_given_up_after_its_last_use_and_an_output_never",
        f"{PLANS}::test_40e_a_branch_that_hands_its_input_on_gets_a_lifetime",
        f"{ARENA}/test_offline.py::test_broken_plans_are_refused",
        f"{ARENA}/test_offline.py::test_a_variable_of_a_later_subgraph_is_looked_up_by_its_own_index",
        f"{PLANS}::test_40g_variables_stand_in_the_tail",
        f"{ARENA}/test_shared.py::test_heads_are_shared_and_tails_add_up",
        f"{ARENA}/test_shared.py::test_a_failed_model_blocks_the_next",
    ),
    "41": (
        f"{PLANS}::test_41_struct_sizes_of_a_cortex_m7_build",
        f"{PLANS}::test_41_depthwise_scratch_follows_the_wrapper",
        f"{PLANS}::test_41_a_1x1_convolution_needs_none",
    ),
    "42": (
        f"{CONTRACT}::TestRefusals::test_running_without_writing_inputs_anew",
        f"{CONTRACT}::TestRefusals::test_reading_an_intermediate_tensor_after_the_run",
        f"{LINK}::test_inputs_are_written_again_before_every_inference",
        f"{PYREF}::test_42_what_an_operator_wrote_is_kept_though_memory_would_be_reused",
        f"{PLANS}::test_42_preserving_all_tensors_is_larger_and_says_which_planner",
        f"{ENGINE}::test_42_outputs_are_read_right_after_their_operator",
    ),
    "43": ("tests/emulator/test_emulator_alignment.py",),
    "44": (
        "tests/emulator/test_emulator_faults.py::test_floating_point_needs_cpacr",
        f"{MACHINE}::test_double_precision_runs",
    ),
    "45": (
        f"{MACHINE}::test_slicing_changes_nothing",
        f"{MACHINE}::test_counts_instructions_that_a_condition_turns_off_and_nops",
        f"{MACHINE}::test_an_instruction_limit_stops_at_the_next_block",
        "tests/hil/test_targets.py::TestInstructions::test_they_are_exact_and_repeat",
    ),
    "47": (
        f"{CONTRACT}::test_the_arenas_memory_changes_no_result",
        "tests/hil/test_compare.py::test_second_run_that_agrees_blames_memory",
    ),
    "49": (
        "tests/contract/test_bad_lines.py",
        f"{LINK}::test_a_byte_lost_on_the_way_back_is_repaired",
        f"{LINK}::test_boot_text_and_half_an_old_frame_are_passed_over",
        f"{LINK}::test_a_device_that_stops_for_good_is_a_timeout_with_facts",
    ),
    "50": (
        f"{LINK}::TestWrongDevice::test_no_answer",
        f"{LINK}::TestWrongDevice::test_another_baud_rate",
        f"{LINK}::TestWrongDevice::test_another_protocol_version",
        f"{LINK}::TestWrongDevice::test_another_core",
        f"{LINK}::TestWrongDevice::test_another_model",
        f"{PORTS}::TestSerialPipe::test_a_second_program_is_told_that_the_port_is_busy",
    ),
    "51": (
        f"{LINK}::TestCycleCounter::test_a_counter_that_does_not_count_is_refused",
        "tests/hil/test_targets.py::TestBrokenImages::test_a_locked_cycle_counter_is_refused_by_name",
    ),
}

#: Sections whose every entry must be covered, and what issue 2 names besides.
REQUIRED_SECTIONS = "ABC"
REQUIRED_NUMBERS = ("45", "50", "51")


@cache
def defined_in(path):
    """`test` or `Class::test` of every test that a file defines, and the file's text."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{m.name}" for m in node.body if isinstance(m, ast.FunctionDef)}
    return found, text


@pytest.mark.parametrize("number", COVERED)
def test_the_tests_named_exist(number):
    assert COVERED[number]
    for identity in COVERED[number]:
        path, _, rest = identity.partition("::")
        name, _, case = rest.partition("[")
        defined, text = defined_in(path)
        if not rest:  # the whole file is about it
            continue
        assert name in defined, identity
        assert not case or f'"{case[:-1]}"' in text, identity


@pytest.mark.skipif(
    not COLLECTION.is_file(), reason=f"{COLLECTION} is absent: HIL_FACTS names its folder"
)
def test_every_entry_of_the_collection_is_covered():
    section, entries = "", {}
    for line in COLLECTION.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## ([A-Z])\. ", line):
            section = heading[1]
        elif entry := re.match(r"### (\d+) ", line):
            entries[entry[1]] = section
    required = {n for n, s in entries.items() if s in REQUIRED_SECTIONS} | {*REQUIRED_NUMBERS}
    assert sorted(required - set(COVERED)) == []
    assert sorted(set(COVERED) - set(entries)) == []
