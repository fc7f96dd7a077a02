"""Running: reset, memories, counting, slicing, the console, idling, resets."""

from __future__ import annotations

import gc
import itertools
import weakref

import pytest

import emulator
from emulator import StopReason
from tests.emulator.emulator_programs import FLASH, board, machine, program_elf, registers


def test_reset_loads_the_vector_table():
    m = machine("count")
    assert m.pc == m.symbol("main").address
    assert m.register("sp") == 0x2001_0000
    assert m.register("lr") == 0xFFFF_FFFF
    assert m.register("xpsr") == 0x0100_0000
    assert (m.instructions, m.cycles, m.last_fault) == (0, 0, None)


def test_counts_every_instruction_of_a_loop():
    m = machine("count")
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.register("r0") == 1000
    assert m.instructions == 2 + 1000 * 3 + 1  # the WFI counts
    assert m.cycles < m.instructions


def test_reset_starts_over():
    m = machine("count")
    m.run()
    before = m.instructions, m.cycles
    m.write_memory(0x2000_0100, b"left over")
    m.reset()
    assert m.read_memory(0x2000_0100, 9) == bytes(9)
    m.run()
    assert (m.instructions, m.cycles) == before


@pytest.mark.parametrize("slice_instructions", [1, 2, 3, 4, 5, 7, 100])
@pytest.mark.parametrize("name", ["if_then", "count"])
def test_slicing_changes_nothing(name, slice_instructions):
    whole, sliced = machine(name), machine(name)
    whole.run()
    for _ in range(5000):
        if sliced.run(max_instructions=slice_instructions) is StopReason.WAITING_FOR_INPUT:
            break
    else:
        pytest.fail("never finished")
    every = [f"r{i}" for i in range(13)] + ["sp", "lr", "pc", "xpsr"]
    assert [sliced.register(n) for n in every] == [whole.register(n) for n in every]
    assert (sliced.instructions, sliced.cycles) == (whole.instructions, whole.cycles)


def test_counts_instructions_that_a_condition_turns_off_and_nops():
    m = machine("if_then")
    m.run()
    assert registers(m, 1, 2, 3) == [2, 5, 7]
    assert m.instructions == 3 + 7 + 3 + 1


def test_an_instruction_limit_stops_at_the_next_block():
    m = machine("count")
    assert m.run(max_instructions=10) is StopReason.INSTRUCTIONS
    assert m.instructions == 11  # 2 + 3 a turn
    assert m.pc == m.symbol("loop").address


def test_a_time_limit_stops_an_endless_loop():
    m = machine("silent")
    assert m.run(timeout_s=0.05) is StopReason.SLICE
    assert m.instructions > 1000


def test_the_console_carries_bytes_both_ways():
    m = machine("echo")
    m.write(b"early")
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.read() == b"ready" + b"fbsmz"
    data = bytes(i % 256 for i in range(300_000))
    for start in range(0, len(data), 70_000):
        m.write(data[start : start + 70_000])
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.read() == bytes((i + 1) % 256 for i in data)
    assert m.read() == b""


def test_nothing_is_lost_when_more_is_sent_than_the_buffer_holds():
    m = machine("echo")
    data = bytes(i % 251 for i in range(3 << 20))
    m.write(data)
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.read() == b"ready" + bytes((i + 1) % 256 for i in data)


def test_output_can_be_had_as_it_comes():
    m = machine("echo")
    m.write(bytes(20_000))
    assert m.run(until_output=2) is StopReason.OUTPUT
    assert m.run(until_output=2) is StopReason.OUTPUT  # still unread
    first = m.read()
    assert 2 <= len(first) < 10_000
    total = len(first)
    while m.run(until_output=1) is StopReason.OUTPUT:
        total += len(m.read())
    assert total + len(m.read()) == 5 + 20_000


def test_instructions_between_arrivals_at_a_function_are_exact():
    m, seen = machine("echo"), []
    m.run(max_instructions=3)
    m.on_arrival("put", lambda: seen.append(m.instructions))
    m.run()
    # put: 5, next: 4, whatever the block boundaries
    assert [b - a for a, b in itertools.pairwise(seen)] == [5 + 4] * 4
    with pytest.raises(KeyError):
        m.on_arrival("nothing", seen.clear)


def test_polling_between_work_is_not_idling():
    m = machine("poll_between")
    assert m.run(max_instructions=50_000) is StopReason.INSTRUCTIONS
    assert m.register("r6") > 90
    m.write(b"x")
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.pc == m.symbol("done").address + 2


def test_a_usart_that_is_off_sends_nothing():
    m = machine("silent")
    m.write(b"abc")
    assert m.run(max_instructions=10_000) is StopReason.INSTRUCTIONS
    assert m.read() == b""


def test_every_memory_of_the_board_is_there():
    m = machine("layout")
    m.run()
    assert m.last_fault is None
    assert m.register("r0") == 18


def test_the_firmware_can_reset_the_board():
    m = machine("reset_request")
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.resets == 2
    assert m.read_memory(0x2000_0000, 4) == b"\x03\0\0\0"


def test_code_changed_in_memory_runs_after_an_instruction_cache_invalidation():
    m = machine("patched")
    m.run()
    assert m.last_fault is None
    assert registers(m, 6, 7) == [1, 2]


def test_code_changed_by_the_host_runs_changed():
    m = machine("count")
    m.run()
    m.reset()
    main = m.symbol("main").address
    m.write_memory(main, b"\x63\x20")  # movs r0, #99
    m.run(max_instructions=1)
    assert m.read_memory(main, 2) == b"\x63\x20"
    assert m.register("r0") == 99 + 1  # the block goes on to the first `adds`


def test_board_initialisation_gets_through_its_ready_waits():
    m = machine("board_init")
    assert m.run(max_instructions=10_000) is StopReason.WAITING_FOR_INPUT
    assert m.last_fault is None
    assert m.register("r5") & 0xE000 == 0xE000  # ACTVOS 3, ACTVOSRDY
    assert m.register("r6") == 0x1000
    assert m.register("r7") & 0xFFF == 0x450


def test_double_precision_runs():
    m = machine("doubles")
    m.run()
    assert m.last_fault is None
    root = m.register("r3") << 32 | m.register("r2")
    assert registers(m, 0, 1) == [7, 13]
    assert root == 0x3FF6_A09E_667F_3BCD


def test_the_cycle_counter_obeys_its_lock_and_its_enables():
    m = machine("cycle_counter")
    m.run()
    assert m.last_fault is None
    locked, status_locked, counted, status_open, off = registers(m, 5, 6, 7, 8, 9)
    assert (locked, status_locked) == (0, 3)
    assert (status_open, off) == (1, 0)
    assert 1000 <= counted <= 1100


@pytest.mark.parametrize("slice_instructions", [1, 50])
def test_the_timer_interrupts(slice_instructions):
    m, whole = machine("tick"), machine("tick")
    assert whole.run() is StopReason.WAITING_FOR_INPUT
    while m.run(slice_instructions) is not StopReason.WAITING_FOR_INPUT:
        pass
    assert m.last_fault is None
    turns, ticks, in_handler, slept = registers(m, 4, 5, 6, 7)
    assert (ticks, in_handler, slept) == (5, 15, 2)
    assert 700 < turns < 1600
    assert (m.instructions, m.cycles) == (whole.instructions, whole.cycles)
    assert 5000 <= m.cycles <= 6000


def test_pendsv_waits_for_the_mask():
    m = machine("pend")
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.last_fault is None
    masked, after, ipsr, icsr = registers(m, 5, 6, 7, 8)
    assert (masked, after, ipsr, icsr) == (0, 1, 14, 1 << 28)


def test_host_access_to_memory_that_is_not_there():
    m = machine("count")
    with pytest.raises(emulator.MemoryAccessError, match="no memory holds all of 0x2001fffe"):
        m.read_memory(0x2001_FFFE, 4)
    with pytest.raises(emulator.MemoryAccessError):
        m.write_memory(0x6000_0000, b"x")


def test_symbols():
    m = machine("count")
    loop = m.symbol("loop")
    assert m.symbolize(loop.address) == "loop"
    assert m.symbolize(loop.address + 3) == "loop+0x2"
    assert m.symbolize(FLASH + 0x10_0000) == ""
    with pytest.raises(KeyError):
        m.symbol("nothing")


def test_many_machines_at_once_and_all_are_freed():
    machines = [machine("echo") for _ in range(4)]
    for i, m in enumerate(machines):
        m.write(bytes([i]))
    for i, m in enumerate(machines):
        m.run()
        assert m.read() == b"ready" + bytes([i + 1])
    dead = [weakref.ref(m) for m in machines]
    del m, machines
    gc.collect()
    assert [d() for d in dead] == [None] * 4


def test_a_machine_closes():
    with emulator.Machine(board(), program_elf("count")) as m:
        m.run()
    with pytest.raises(emulator.ClosedError, match="this machine was closed; make a new one"):
        m.run()
