"""Field failure 43: unaligned accesses that fault on the chip and never in Unicorn."""

from __future__ import annotations

import pytest

import emulator
from emulator import FaultKind, StopReason
from tests.emulator.emulator_programs import machine

SDRAM = {
    "b": ("word_in_sdram", "read", 0xD000_0001, 4),
    "c": ("half_in_sdram", "read", 0xD000_0003, 2),
    "d": ("store_in_sdram", "write", 0xD000_0005, 4),
}
STRICT = {
    "e": ("load_multiple", "read", 0x2400_0002, 4),
    "f": ("load_pair", "read", 0x2400_0002, 4),
    "g": ("store_pair", "write", 0x2400_000A, 4),
    "h": ("load_double", "read", 0x2400_0002, 8),
}
SINGLE = {"a": ("word_in_sram", "read", 0x2400_0002, 4)}


def run(letters, *, check):
    m = machine("unaligned", raise_faults=True, check_alignment=check)
    m.run()
    m.write(letters.encode())
    assert m.run(max_instructions=10_000) is StopReason.WAITING_FOR_INPUT
    return m


def fault(letters):
    m = machine("unaligned", raise_faults=True, check_alignment=True)
    m.run()
    m.write(letters.encode())
    with pytest.raises(emulator.FaultError) as caught:
        m.run(max_instructions=10_000)
    found = caught.value.fault
    assert found.kind is FaultKind.UNALIGNED
    return found.symbol.removeprefix("at_"), found.access, found.address, found.width_bytes


@pytest.mark.parametrize("letter", [*SDRAM, *STRICT])
def test_an_access_that_must_be_aligned_faults(letter):
    assert fault(letter) == {**SDRAM, **STRICT}[letter]


def test_a_single_access_to_normal_memory_does_not():
    assert run("aai", check=True).register("r6") == 3


def test_sdram_as_normal_memory_takes_single_accesses():
    assert run("N" + "".join(SDRAM), check=True).register("r6") == 3
    for letter, expected in STRICT.items():
        assert fault(f"N{letter}") == expected


def test_the_trap_bit_makes_all_fault():
    assert fault("Ta") == SINGLE["a"]
    assert fault("NTb") == SDRAM["b"]


def test_without_the_check_all_complete():
    letters = "".join([*SDRAM, *STRICT, *SINGLE])
    assert run(letters, check=False).register("r6") == len(letters)


def test_checking_changes_no_count():
    plain, checked = run("aai", check=False), run("aai", check=True)
    assert (plain.instructions, plain.cycles) == (checked.instructions, checked.cycles)
