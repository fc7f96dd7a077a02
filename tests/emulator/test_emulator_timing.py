"""The pipeline model against the figures it is built on (`emulator/timing.py` names them)."""

from __future__ import annotations

import pytest

from emulator.blocks import BlockDecoder, instruction_starts
from emulator.native import layout
from tests.emulator.emulator_programs import FLASH, programs

# Blocks of programs/pipeline.s: instructions, cycles.
BLOCKS = {
    "alu_independent": (8, 4),
    "load_sequential": (8, 4),
    "smlad_one_accumulator": (4, 4),
    "sxtb16_independent": (4, 4),
    "load_post_index": (4, 4),
    "load_byte_post_index": (4, 4),
    "store_byte_post_index": (4, 4),
    "push_four": (1, 2),
    "load_multiple_four": (1, 2),
    "pointer_chase": (4, 10),
    "pointer_chase_loop": (2, 3),
    "count_loop": (2, 1),
    "divide_chain": (2, 8),
    "fused_multiply_add_chain": (4, 10),
    "divide_float": (2, 17),
    "multiply_double_chain": (2, 8),
    "nops": (4, 2),
    "wait_for_loaded_multiplicand": (2, 3),
    "loaded_but_not_multiplied": (2, 1),
    "push_doubles": (1, 2),
    "dot_product_of_bytes": (8, 7),
}


def block(name):
    program = programs()["pipeline"]
    start, end = (program["symbols"][n] - FLASH for n in (name, f"end_{name}"))
    return bytes.fromhex(program["code"])[start:end]


@pytest.mark.parametrize("name", BLOCKS)
def test_modelled_cycles(name):
    assert BlockDecoder().describe(0, block(name))[:2] == BLOCKS[name]


def test_floating_point_blocks_are_flagged():
    flagged = {n for n in BLOCKS if BlockDecoder().describe(0, block(n))[2] & layout.FLAG_FP}
    assert flagged == {
        "fused_multiply_add_chain",
        "divide_float",
        "multiply_double_chain",
        "push_doubles",
    }


def test_blocks_that_need_alignment_are_flagged():
    flagged = {n for n in BLOCKS if BlockDecoder().describe(0, block(n))[2] & layout.FLAG_ALIGNED}
    assert flagged == {"push_four", "load_multiple_four", "push_doubles"}


def test_instruction_boundaries():
    code = bytes.fromhex("00bfbff34f8f006820fb0144fee7")
    assert list(instruction_starts(code)) == [0, 2, 6, 8, 12]


def test_an_unknown_encoding_still_counts():
    assert BlockDecoder().describe(0, bytes.fromhex("fff7ffaf"))[0] == 1
