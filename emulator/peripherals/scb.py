"""System Control Block (ARMv7-M ARM B3.2; Cortex-M7 TRM, chapter 3 for identification)."""

from __future__ import annotations

from typing import ClassVar

from emulator.peripherals.register_map import Register, RegisterMap, registers

_AIRCR_VECTKEY = 0x05FA
_AIRCR_VECTKEYSTAT = 0xFA05
_AIRCR_SYSRESETREQ = 1 << 2
_AIRCR_PRIGROUP = 0x700
_CPACR_CP10_CP11 = 0xF << 20
_PENDSV, _SYSTICK = 14, 15
_ICSR_PENDSVSET, _ICSR_PENDSVCLR = 1 << 28, 1 << 27
_ICSR_PENDSTSET, _ICSR_PENDSTCLR = 1 << 26, 1 << 25
_WRITE_ONE_TO_CLEAR = ("CFSR", "HFSR", "DFSR", "AFSR")


class Scb(RegisterMap):
    """CPUID to CPACR. Cortex-M7 r1p1, 16 KB instruction and 16 KB data cache of 32-byte lines."""

    SIZE_BYTES: ClassVar[int] = 0x90
    WIDTHS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    REGISTERS: ClassVar[tuple[Register, ...]] = (
        Register("CPUID", 0x00, reset=0x411F_C271, writable=0),
        Register("ICSR", 0x04, writable=0x1E00_0000),
        Register("VTOR", 0x08, writable=0xFFFF_FF80),
        Register("AIRCR", 0x0C, reset=_AIRCR_VECTKEYSTAT << 16),
        Register("SCR", 0x10, writable=0x16),
        Register("CCR", 0x14, reset=0x0004_0200, writable=0x0007_011B),
        *registers("SHPR1 SHPR2 SHPR3", 0x18),
        Register("SHCSR", 0x24, writable=0x0007_FD8B),
        *registers("CFSR HFSR DFSR MMFAR BFAR AFSR", 0x28),
        Register("ID_PFR0", 0x40, reset=0x30, writable=0),
        Register("ID_PFR1", 0x44, reset=0x200, writable=0),
        Register("ID_DFR0", 0x48, reset=0x0010_0000, writable=0),
        Register("ID_MMFR0", 0x50, reset=0x0010_0030, writable=0),
        Register("ID_MMFR2", 0x58, reset=0x0100_0000, writable=0),
        Register("ID_ISAR0", 0x60, reset=0x0110_1110, writable=0),
        Register("ID_ISAR1", 0x64, reset=0x0211_2000, writable=0),
        Register("ID_ISAR2", 0x68, reset=0x2023_2231, writable=0),
        Register("ID_ISAR3", 0x6C, reset=0x0111_1131, writable=0),
        Register("ID_ISAR4", 0x70, reset=0x0131_0132, writable=0),
        Register("CLIDR", 0x78, reset=0x0900_0003, writable=0),
        Register("CTR", 0x7C, reset=0x8303_C003, writable=0),
        Register("CCSIDR", 0x80, writable=0),
        Register("CSSELR", 0x84, writable=0xF),
        Register("CPACR", 0x88, writable=_CPACR_CP10_CP11),
    )

    def on_read(self, name: str, value: int) -> int:
        """ICSR shows what is pending; CCSIDR describes the cache that CSSELR selects."""
        if name == "ICSR":
            pendsv = _ICSR_PENDSVSET if self.system.is_pending(_PENDSV) else 0
            systick = _ICSR_PENDSTSET if self.system.is_pending(_SYSTICK) else 0
            return pendsv | systick
        if name == "CCSIDR":
            return 0xF01F_E009 if self.values["CSSELR"] & 1 else 0xF00F_E019
        return value

    def on_write(self, name: str, value: int, lanes: int) -> int:
        """Reset request, coprocessor access, and flags cleared by writing one."""
        old = self.values[name]
        if name in _WRITE_ONE_TO_CLEAR:
            return old & ~(value & lanes)
        if name == "ICSR":
            for bit, exception, pending in (
                (_ICSR_PENDSVSET, _PENDSV, True),
                (_ICSR_PENDSVCLR, _PENDSV, False),
                (_ICSR_PENDSTSET, _SYSTICK, True),
                (_ICSR_PENDSTCLR, _SYSTICK, False),
            ):
                if value & lanes & bit:
                    self.system.pend(exception, pending=pending)
            return 0
        if name == "AIRCR":
            if value >> 16 != _AIRCR_VECTKEY or lanes != 0xFFFF_FFFF:
                return old
            if value & _AIRCR_SYSRESETREQ:
                self.system.request_reset()
            return _AIRCR_VECTKEYSTAT << 16 | value & _AIRCR_PRIGROUP
        if name == "CCR":
            self.values[name] = value
            self.system.memory_attributes_changed()
        if name == "CPACR":
            self.system.allow_floating_point(value & _CPACR_CP10_CP11 == _CPACR_CP10_CP11)
        return value
