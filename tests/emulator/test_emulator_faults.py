"""Faults: cause, exact PC, address and width; delivery to the firmware, return, escalation."""

from __future__ import annotations

import struct

import pytest

import emulator
from emulator import FaultKind, StopReason
from tests.emulator.emulator_programs import FLASH, machine, registers

FORCED = 1 << 30
BFARVALID = 1 << 15

# letter: name, kind, access, address, width, PC (None: `at_<name>`)
FAULTS = {
    "a": ("read_word", FaultKind.PRECISERR, "read", 0x6000_0000, 4, None),
    "b": ("read_half", FaultKind.PRECISERR, "read", 0x6000_0006, 2, None),
    "c": ("read_byte", FaultKind.PRECISERR, "read", 0x6000_0003, 1, None),
    "d": ("write_byte", FaultKind.PRECISERR, "write", 0x6000_0000, 1, None),
    "e": ("write_pair", FaultKind.PRECISERR, "write", 0x6000_0008, 4, None),
    "f": ("flash_word", FaultKind.PRECISERR, "write", 0x0800_1000, 4, None),
    "g": ("flash_half", FaultKind.PRECISERR, "write", 0x0800_1002, 2, None),
    "h": ("fetch_unmapped", FaultKind.IBUSERR, "fetch", 0x6000_0000, 2, 0x6000_0000),
    "i": ("fetch_never", FaultKind.IACCVIOL, "fetch", 0xD000_0100, 2, 0xD000_0100),
    "j": ("fetch_register", FaultKind.IACCVIOL, "fetch", 0x4001_1000, 2, 0x4001_1000),
    "k": ("undefined", FaultKind.UNDEFINSTR, "", None, None, None),
    "l": ("even", FaultKind.INVSTATE, "", None, None, "even"),
    "m": ("coprocessor", FaultKind.NOCP, "", None, None, None),
    "n": ("breakpoint", FaultKind.DEBUGEVT, "", None, None, None),
    "o": ("narrow_read", FaultKind.PRECISERR, "read", 0x5200_2000, 1, None),
    "p": ("narrow_write", FaultKind.PRECISERR, "write", 0x5200_2004, 2, None),
    "q": ("if_then", FaultKind.PRECISERR, "read", 0x6000_0000, 4, None),
    "r": ("across", FaultKind.PRECISERR, "read", 0x2408_0000, 4, None),
    "s": ("usart_narrow", FaultKind.PRECISERR, "read", 0x4001_101C, 1, None),
}
IDS = [f[0] for f in FAULTS.values()]


def pc_of(m, name, pc):
    if isinstance(pc, int):
        return pc
    return m.symbol(pc or f"at_{name}").address


@pytest.mark.parametrize("letter", FAULTS, ids=IDS)
def test_a_fault_says_what_happened_where(letter):
    name, kind, access, address, width, pc = FAULTS[letter]
    m = machine("faults", raise_faults=True)
    m.run()
    m.write(letter.encode())
    with pytest.raises(emulator.FaultError) as caught:
        m.run(max_instructions=10_000)
    fault = caught.value.fault
    assert fault == m.last_fault
    expected = (kind, pc_of(m, name, pc), access, address, width)
    assert (fault.kind, fault.pc, fault.access, fault.address, fault.width_bytes) == expected
    if FLASH <= fault.pc < FLASH + 0x10_0000:
        assert fault.symbol == (pc or f"at_{name}")
    assert f"{kind.name} at pc {fault.pc:#010x}" in str(fault)


@pytest.mark.parametrize("enabled", [False, True], ids=["escalated", "enabled"])
@pytest.mark.parametrize("letter", FAULTS, ids=IDS)
def test_a_fault_reaches_the_firmware_which_reports_and_goes_on(letter, enabled):
    name, kind, _, address, _, pc = FAULTS[letter]
    m = machine("faults")
    m.run()
    m.write(b"B" * enabled + letter.encode())
    assert m.run(max_instructions=10_000) is StopReason.WAITING_FOR_INPUT
    ipsr, cfsr, hfsr, bfar, stacked = struct.unpack("<5I", m.read())
    assert stacked == pc_of(m, name, pc)
    if kind is FaultKind.DEBUGEVT:
        assert (ipsr, cfsr, hfsr) == (3, 0, 1 << 31)
    else:
        precise = kind is FaultKind.PRECISERR
        assert ipsr == (kind.exception if enabled else 3)
        assert cfsr == kind.status_bit | (BFARVALID if precise else 0)
        assert hfsr == (0 if enabled else FORCED)
        assert not precise or bfar == address
    m.write(letter.encode())  # and again: the first left nothing behind
    assert m.run(max_instructions=10_000) is StopReason.WAITING_FOR_INPUT
    assert len(m.read()) == 20


def test_a_flash_write_changes_nothing_and_is_explained():
    m = machine("faults")
    before = m.read_memory(0x0800_1000, 8)
    m.run()
    m.write(b"f")
    m.run()
    assert m.read_memory(0x0800_1000, 8) == before
    assert "write of 4 bytes at 0x08001000 (FLASH, rx)" in str(m.last_fault)


def test_only_completed_instructions_count():
    m = machine("faults", raise_faults=True)
    m.run()
    m.write(b"a")
    before = m.instructions
    with pytest.raises(emulator.FaultError):
        m.run()
    # one turn of `again`: 3; read, compare, dispatch: 9; the NOP before the access: 1
    assert m.instructions - before == 13


def test_a_fault_in_the_hard_fault_handler_locks_up():
    m = machine("lockup")
    with pytest.raises(emulator.LockupError) as caught:
        m.run()
    fault, first = caught.value.fault, caught.value.first_fault
    assert (fault.pc, fault.access) == (m.symbol("second").address, "write")
    assert first is not None
    assert (first.pc, first.access) == (m.symbol("first").address, "read")
    assert str(caught.value).startswith("core locked up: BusFault PRECISERR at pc 0x")
    assert "while handling: BusFault PRECISERR" in str(caught.value)


def test_stack_overflow_is_a_stacking_error_too():
    m = machine("bad_stack")
    assert m.run() is StopReason.WAITING_FOR_INPUT
    assert m.last_fault is not None
    assert (m.last_fault.pc, m.last_fault.access) == (m.symbol("at_push").address, "write")
    assert m.register("ipsr") & 0x1FF == 3


def test_a_supervisor_call_returns_with_everything_as_it_was():
    m = machine("supervisor")
    m.run()
    assert m.last_fault is None
    assert registers(m, 0, 1, 2, 3, 12) == [10, 11, 12, 13, 13]
    assert (m.register("s0"), m.register("s15")) == (0x3FC0_0000, 0x4020_0000)
    control, ipsr, apsr = registers(m, 5, 6, 7)
    assert (control & 2, ipsr, apsr >> 28) == (2, 0, 0b1000)
    number, exc_return, stacked = registers(m, 8, 9, 10)
    assert (number, stacked) == (11, m.symbol("after").address)
    assert exc_return in (0xFFFF_FFED, 0xFFFF_FFFD)  # thread mode, PSP


def test_floating_point_needs_cpacr():
    m = machine("no_coprocessor")
    m.run()
    assert registers(m, 5, 6) == [4, 1]
    assert m.register("r7") == FaultKind.NOCP.status_bit
    assert m.last_fault is not None
    assert m.last_fault.pc == m.symbol("at_vmov").address
    assert "set CPACR.CP10, CP11" in str(m.last_fault)
