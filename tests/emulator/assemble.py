"""Assembles `programs/*.s` into `programs.json`, so that the tests need no cross compiler.

Run `python tests/emulator/assemble.py` after changing a program; needs arm-none-eabi-as.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE / "programs"
ASSEMBLED = HERE / "programs.json"

PRELUDE = """
        .syntax unified
        .cpu    cortex-m7
        .fpu    fpv5-d16
        .thumb
        .weak   HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler
        .weak   SVC_Handler, PendSV_Handler, SysTick_Handler
        .word   0x20010000, main, 0, HardFault_Handler, MemManage_Handler, BusFault_Handler
        .word   UsageFault_Handler, 0, 0, 0, 0, SVC_Handler, 0, 0, PendSV_Handler, SysTick_Handler
        .global main
"""


def _run(folder: Path, tool: str, *arguments: str) -> str:
    command = [f"arm-none-eabi-{tool}", *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def assemble(source: Path) -> dict[str, object]:
    """Code bytes (hex) from 0x08000000 on, and symbols."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "p.s").write_text(PRELUDE + source.read_text())
        _run(at, "as", "p.s", "-o", "p.o")
        _run(at, "ld", "-Ttext=0x08000000", "-e", "main", "p.o", "-o", "p.elf")
        _run(at, "objcopy", "-O", "binary", "-j", ".text", "p.elf", "p.bin")
        symbols = {}
        for line in _run(at, "nm", "p.elf").splitlines():
            if line.startswith(" "):
                continue
            value, kind, name = line.split()
            if kind in ("t", "T") and not name.startswith("_"):
                symbols[name] = int(value, 16) & ~1
        return {"code": (at / "p.bin").read_bytes().hex(), "symbols": symbols}


def assemble_all() -> str:
    """The text of `programs.json`."""
    programs = {p.stem: assemble(p) for p in sorted(SOURCES.glob("*.s"))}
    return json.dumps(programs, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    ASSEMBLED.write_text(assemble_all())
