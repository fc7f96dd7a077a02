"""An emulated STM32H747 Cortex-M7 that runs real firmware and knows no protocol."""

from emulator.board import Board, ConsoleSpec, Memory, PeripheralSpec
from emulator.elf import Symbol
from emulator.errors import (
    BoardError,
    ClosedError,
    ElfError,
    EmulatorError,
    FaultError,
    InternalError,
    LockupError,
    MemoryAccessError,
)
from emulator.faults import Fault, FaultKind
from emulator.machine import Machine, StopReason

__all__ = [
    "Board",
    "BoardError",
    "ClosedError",
    "ConsoleSpec",
    "ElfError",
    "EmulatorError",
    "Fault",
    "FaultError",
    "FaultKind",
    "InternalError",
    "LockupError",
    "Machine",
    "Memory",
    "MemoryAccessError",
    "PeripheralSpec",
    "StopReason",
    "Symbol",
]
