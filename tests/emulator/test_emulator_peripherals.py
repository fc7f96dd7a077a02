"""Peripherals: each one's behaviour, and that no file is missing from the tables."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from emulator import peripherals
from emulator.peripherals import CORE_PERIPHERALS, PERIPHERALS
from emulator.peripherals.caches import CacheMaintenance
from emulator.peripherals.debug import CoreDebug
from emulator.peripherals.dwt import Dwt
from emulator.peripherals.fpu import Fpu
from emulator.peripherals.mpu import Mpu
from emulator.peripherals.nvic import Nvic
from emulator.peripherals.register_map import AccessWidthError, RegisterMap
from emulator.peripherals.scb import Scb
from emulator.peripherals.systick import SysTick

ALL = [*PERIPHERALS.values(), *CORE_PERIPHERALS]


class System:
    def __init__(self):
        self.cycles = 0
        self.done = []

    def request_reset(self):
        self.done.append("reset")

    def allow_floating_point(self, allowed):
        self.done.append(f"fp {allowed}")

    def pend(self, exception, *, pending=True):
        self.done.append((exception, pending))

    def is_pending(self, exception):
        return (exception, True) in self.done

    def set_timer(self, cycles):
        self.timer = cycles

    def memory_attributes_changed(self):
        pass

    def forget_code(self):
        self.done.append("forget")


def make(kind, *more):
    system = System()
    if kind is Dwt and not more:
        more = (CoreDebug(system, 0),)
    peripheral = kind(system, 0, *more)
    offsets = {r.name: r.offset for r in kind.REGISTERS}
    read = lambda name, width=4, lane=0: peripheral.read(offsets[name] + lane, width)  # noqa: E731

    def write(name, value, width=4, lane=0):
        peripheral.write(offsets[name] + lane, width, value)

    return system, read, write


def test_every_peripheral_file_is_in_a_table():
    folder = Path(inspect.getfile(peripherals)).parent
    found = set()
    for path in folder.glob("[a-z]*.py"):
        module = importlib.import_module(f"emulator.peripherals.{path.stem}")
        found |= {
            c
            for c in vars(module).values()
            if inspect.isclass(c) and issubclass(c, RegisterMap) and c.__module__ == module.__name__
        }
    assert found - {RegisterMap} == set(ALL)


@pytest.mark.parametrize("kind", ALL, ids=lambda k: k.__name__)
def test_register_tables_are_sound(kind):
    offsets = [r.offset for r in kind.REGISTERS]
    assert len(set(offsets)) == len(offsets)
    assert len({r.name for r in kind.REGISTERS}) == len(offsets)
    assert all(o % 4 == 0 and 0 <= o < kind.SIZE_BYTES for o in offsets)
    assert set(kind.READY) <= {r.name for r in kind.REGISTERS}
    assert inspect.getdoc(kind)
    for register in kind.REGISTERS:
        assert 0 <= make(kind)[1](register.name) <= 0xFFFF_FFFF


@pytest.mark.parametrize("kind", ALL, ids=lambda k: k.__name__)
def test_reserved_words_read_zero_and_widths_are_checked(kind):
    peripheral = kind(System(), 0, CoreDebug(System(), 0)) if kind is Dwt else kind(System(), 0)
    taken = {r.offset for r in kind.REGISTERS}
    for offset in sorted(set(range(0, kind.SIZE_BYTES, 4)) - taken)[:8]:
        peripheral.write(offset, 4, 0xFFFF_FFFF)
        assert peripheral.read(offset, 4) == 0
    for width in {1, 2, 4} - set(kind.WIDTHS):
        with pytest.raises(AccessWidthError):
            peripheral.read(0, width)
    with pytest.raises(AccessWidthError):
        peripheral.write(2, 4, 0)


def test_rcc_is_ready_when_on():
    _, read, write = make(PERIPHERALS["rcc"])
    assert read("CR") & 1 << 2  # HSIRDY after reset
    for on, ready in ((16, 17), (24, 25), (26, 27), (28, 29), (12, 13), (7, 8)):
        write("CR", 1)
        assert not read("CR") & 1 << ready
        write("CR", 1 | 1 << on)
        assert read("CR") & 1 << ready
    write("CFGR", 3)
    assert read("CFGR") == 3 | 3 << 3
    write("BDCR", 1)
    assert read("BDCR") == 3


def test_pwr_voltage_scaling_takes_effect():
    _, read, write = make(PERIPHERALS["pwr"])
    write("D3CR", 3 << 14)
    assert read("D3CR") == 3 << 14 | 1 << 13
    assert read("CSR1") == 3 << 14 | 1 << 13


def test_flash_latency_reads_back_and_is_never_busy():
    _, read, write = make(PERIPHERALS["flash"])
    write("ACR", 0x24)
    assert (read("ACR"), read("SR1"), read("SR2")) == (0x24, 0, 0)


def test_fmc_is_never_busy():
    _, read, write = make(PERIPHERALS["fmc"])
    write("SDCMR", 0x11)
    assert read("SDSR") == 0


def test_gpio_sets_resets_and_reads_outputs():
    _, read, write = make(PERIPHERALS["gpio"])
    write("MODER", 1 << 24)
    write("BSRR", 1 << 12 | 1 << 3)
    assert (read("ODR"), read("IDR"), read("BSRR")) == (1 << 12 | 1 << 3, 1 << 12, 0)
    write("BSRR", 1 << 12, width=2, lane=2)  # the upper half, as a halfword, resets
    assert read("ODR") == 1 << 3


def test_syscfg_compensation_cell():
    _, read, write = make(PERIPHERALS["syscfg"])
    write("CCCSR", 1)
    assert read("CCCSR") == 1 | 1 << 8


def test_dbgmcu_names_the_chip():
    assert make(PERIPHERALS["dbgmcu"])[1]("IDC") & 0xFFF == 0x450


def test_usart_without_a_far_end():
    _, read, write = make(PERIPHERALS["usart"])
    write("TDR", 0x41, width=1)
    assert read("ISR") == 0xC0


def test_scb_identifies_the_core():
    _, read, write = make(Scb)
    assert read("CPUID") == 0x411F_C271
    write("CPUID", 0)
    assert read("CPUID") == 0x411F_C271
    write("CSSELR", 0)
    ways, sets = (read("CCSIDR") >> 3 & 0x3FF) + 1, (read("CCSIDR") >> 13 & 0x7FFF) + 1
    assert ways * sets * 32 == 16 << 10
    write("CSSELR", 1)
    ways, sets = (read("CCSIDR") >> 3 & 0x3FF) + 1, (read("CCSIDR") >> 13 & 0x7FFF) + 1
    assert ways * sets * 32 == 16 << 10


def test_scb_reset_request_needs_its_key():
    system, read, write = make(Scb)
    write("AIRCR", 4)
    assert system.done == []
    write("AIRCR", 0x05FA_0304)
    assert system.done == ["reset"]
    assert read("AIRCR") == 0xFA05_0300


def test_scb_status_bits_clear_by_writing_one():
    _, read, write = make(Scb)
    scb = Scb(System(), 0)
    scb.values["CFSR"] = 0x0001_8200
    scb.write(0x28, 4, 0x8200)
    assert scb.read(0x28, 4) == 0x0001_0000
    scb.write(0x2A, 2, 1)
    assert scb.read(0x28, 4) == 0
    assert read("HFSR") == 0
    write("SHPR3", 0xE0, width=1, lane=3)
    assert read("SHPR3") == 0xE000_0000


def test_scb_cpacr_allows_floating_point():
    system, read, write = make(Scb)
    write("CPACR", 0xFFFF_FFFF)
    assert read("CPACR") == 0x00F0_0000
    write("CPACR", 0x0010_0000)
    assert system.done == ["fp True", "fp False"]


def test_dwt_is_locked_until_its_key_is_written():
    system = System()
    debug = CoreDebug(system, 0)
    dwt = Dwt(system, 0, debug)
    debug.write(0xC, 4, 1 << 24)
    dwt.write(0, 4, 1)
    system.cycles = 100
    assert (dwt.read(0, 4), dwt.read(4, 4), dwt.read(0xFB4, 4)) == (0x4000_0000, 0, 3)
    dwt.write(0xFB0, 4, 0xC5AC_CE55)
    assert dwt.read(0xFB4, 4) == 1
    dwt.write(0, 4, 1)
    system.cycles = 150
    assert dwt.read(4, 4) == 50
    debug.write(0xC, 4, 0)  # TRCENA off: stands still
    system.cycles = 170
    assert dwt.read(4, 4) == 50
    debug.write(0xC, 4, 1 << 24)
    system.cycles = 180
    assert dwt.read(4, 4) == 60
    dwt.write(4, 4, 0)
    system.cycles = (1 << 32) + 180 + 7
    assert dwt.read(4, 4) == 7  # 32 bits
    dwt.write(0xFB0, 4, 0)
    dwt.write(0, 4, 0)
    assert dwt.read(0, 4) == 0x4000_0001


def test_systick_counts_down():
    system, read, write = make(SysTick)
    write("LOAD", 99)
    write("VAL", 5)
    write("CTRL", 5)
    assert read("VAL") == 99
    system.cycles = 30
    assert read("VAL") == 69
    assert not read("CTRL") & 1 << 16
    system.cycles = 230
    assert read("VAL") == 69
    assert read("CTRL") == 1 << 16 | 5
    assert read("CTRL") == 5


def test_systick_raises_its_exception_when_due():
    system = System()
    tick = SysTick(system, 0)
    tick.write(4, 4, 99)
    assert (tick.due, system.timer) == (None, None)
    tick.write(0, 4, 7)
    assert system.timer == 100
    system.cycles = 99
    tick.on_timer()
    assert system.done == []
    system.cycles = 230
    tick.on_timer()
    assert (system.done, system.timer) == ([(15, True)], 300)
    tick.write(0, 4, 5)  # no TICKINT
    assert system.timer is None


def test_scb_pends_exceptions():
    system, read, write = make(Scb)
    write("ICSR", 1 << 28)
    write("ICSR", 1 << 25)
    assert system.done == [(14, True), (15, False)]
    assert read("ICSR") == 1 << 28


def test_nvic_set_and_clear_registers():
    _, read, write = make(Nvic)
    write("ISER1", 0b1100)
    write("ISER1", 0b0001)
    write("ICER1", 0b0100)
    assert (read("ISER1"), read("ICER1"), read("ISER0")) == (0b1001, 0b1001, 0)
    write("IPR3", 0x80, width=1, lane=2)
    assert read("IPR3") == 0x0080_0000


def test_mpu_regions_and_aliases():
    _, read, write = make(Mpu)
    assert read("TYPE") == 16 << 8
    write("RNR", 3)
    write("RBAR", 0xD000_0000)
    write("RASR", 0x0306_002B)
    write("RBAR_A1", 0x2400_0000 | 1 << 4 | 5)
    write("RASR_A1", 0x1234_0001)
    assert read("RNR") == 5
    assert (read("RBAR"), read("RASR")) == (0x2400_0005, 0x1234_0001)
    write("RNR", 3)
    assert (read("RBAR_A2"), read("RASR_A3")) == (0xD000_0003, 0x0306_002B)


def test_mpu_memory_types():
    mpu = Mpu(System(), 0)
    default = [(0x4000_0000, 0x6000_0000), (0xA000_0000, 1 << 32)]
    assert mpu.device_ranges() == default
    mpu.write(0x0C, 4, 0xD000_0000 | 1 << 4 | 1)
    mpu.write(0x10, 4, 0x030B_002B)  # 4 MB, Normal, full access
    assert mpu.device_ranges() == default  # not enabled yet
    mpu.write(0x04, 4, 5)
    assert mpu.device_ranges() == [
        (0x4000_0000, 0x6000_0000),
        (0xA000_0000, 0xD000_0000),
        (0xD040_0000, 1 << 32),
    ]
    # 4 GB without access, of which 0x60000000..0xDFFFFFFF is left on; region 1 wins over it
    mpu.write(0x0C, 4, 1 << 4)
    mpu.write(0x10, 4, 0x1004_873F)
    assert mpu.attributes(0x6000_0000) == (True, False, False)
    assert mpu.attributes(0xD000_0000) == (False, True, True)
    assert mpu.attributes(0x2400_0000) == (False, True, True)
    mpu.write(0x04, 4, 1)  # no default map any more
    assert mpu.attributes(0x2400_0000) == (True, False, False)
    assert mpu.attributes(0xE000_ED00) == (True, True, True)


def test_fpu_features_are_those_of_double_precision():
    _, read, _ = make(Fpu)
    assert (read("MVFR0"), read("MVFR1"), read("FPCCR")) == (0x1011_0221, 0x1200_0011, 0xC000_0000)


def test_cache_maintenance():
    system, read, write = make(CacheMaintenance)
    write("DCCIMVAC", 0x2400_0000)
    assert system.done == []
    write("ICIALLU", 0)
    write("ICIMVAU", 0x100)
    assert system.done == ["forget", "forget"]
    assert read("ICIALLU") == 0


def test_core_debug():
    system = System()
    debug, seen = CoreDebug(system, 0), []
    debug.on_change(lambda: seen.append(1))
    debug.write(0xC, 4, 1 << 24)
    assert (debug.read(0xC, 4), debug.read(0, 4), seen) == (1 << 24, 0, [1])
