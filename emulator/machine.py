"""The emulated board: a core, its peripherals, and firmware running on them."""

from __future__ import annotations

import enum
import time
from typing import TYPE_CHECKING, Final, NoReturn

from unicorn import arm_const as arm

from emulator import startup
from emulator.alignment import AlignmentCheck
from emulator.blocks import BlockDecoder
from emulator.bus import Bus
from emulator.core import Core
from emulator.elf import Image, Symbol
from emulator.errors import ClosedError
from emulator.events import Event, EventKind
from emulator.interrupts import HeldInterrupt
from emulator.native import layout
from emulator.traps import Traps

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from emulator.board import Board
    from emulator.faults import Fault

_PARTS: Final = ("_alignment", "_traps", "_bus", "_core", "_decoder")
_SLICE_S: Final = 0.02
_STEADY_WFI: Final = 3  # so many WFIs without reading what waits are idling
_STEADY_TICKS: Final = 10_000  # so many of them, when a timer ends each


class StopReason(enum.Enum):
    """Why `Machine.run` returned."""

    WAITING_FOR_INPUT = "the firmware waits for console input"
    OUTPUT = "the firmware has sent as much as was asked for"
    SLICE = "the time given is over"
    INSTRUCTIONS = "the instructions given are used up"


class Machine:
    """An emulated board with firmware.

    Args:
        board: What to emulate.
        elf: The firmware: an ELF file's bytes, or its path.
        raise_faults: Raise `FaultError` at each fault instead of entering the firmware's handler.
        check_alignment: Fault on accesses that the chip would not take unaligned; much slower.

    Attributes:
        resets: Number of resets the firmware asked for.

    Raises:
        ElfError: The file is no usable ELF, or does not fit this board.
        BoardError: The board names a peripheral that does not exist.
    """

    def __init__(
        self,
        board: Board,
        elf: bytes | str | Path,
        *,
        raise_faults: bool = False,
        check_alignment: bool = False,
    ) -> None:
        self.board = board
        self.image = Image.from_source(elf)
        self.resets = 0
        self._decoder = BlockDecoder()
        self._core = Core(board.memories, self._decoder.describe)
        self._bus = Bus(board, self._core, self)
        self._traps = Traps(self._core, self._bus, self._decoder, self.symbolize)
        self._traps.raise_faults = raise_faults
        self._reset_requested = False
        self._code_changed = False
        self._slice_instructions = 1 << 20
        self._wfi: tuple[int, int] = (0, 0)
        self._alignment = AlignmentCheck(self._core, self._bus) if check_alignment else None
        startup.check_segments(board, self._core, self.image)
        self.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the emulated memory; the machine cannot be used any more."""
        for name in _PARTS:
            self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> NoReturn:
        if name in _PARTS:
            raise ClosedError
        raise AttributeError(name)

    # What a peripheral may ask for (`peripherals.register_map.System`).

    @property
    def cycles(self) -> int:
        """Modelled cycles since power-on, with the precision of a basic block."""
        return int(self._core.state[layout.MODELLED_CYCLES])

    def request_reset(self) -> None:
        """Reset once the current basic block has ended."""
        self._reset_requested = True
        self._core.request_stop()

    def allow_floating_point(self, allowed: bool) -> None:
        """Let floating-point instructions run, or make them fault with NOCP."""
        self._core.state[layout.FLAGS_REFUSED] = 0 if allowed else layout.FLAG_FP

    def pend(self, exception: int, *, pending: bool = True) -> None:
        """Make an exception pending, or no longer so; it is looked at after the block."""
        self._traps.pend(exception, pending=pending)
        self._core.request_stop()

    def is_pending(self, exception: int) -> bool:
        """Whether an exception is pending."""
        return self._traps.is_pending(exception)

    def set_timer(self, cycles: int | None) -> None:
        """Have SysTick's `on_timer` called once `cycles` has come; None never calls it."""
        self._core.stop_at_cycle(cycles)

    def memory_attributes_changed(self) -> None:
        """Look at the MPU's regions and CCR again."""
        if self._alignment is not None:
            self._alignment.refresh()

    def forget_code(self) -> None:
        """Translate code afresh once the current basic block has ended."""
        self._code_changed = True
        self._core.request_stop()

    # Loading and reset.

    def reset(self) -> None:
        """Power-on reset: memory as loaded, everything else as Arm and ST say, counts at zero.

        Raises:
            ElfError: The vector table has no usable stack pointer or reset vector.
        """
        startup.load(self._core, self.image)
        state = self._core.state
        state[layout.INSTRUCTIONS] = state[layout.MODELLED_CYCLES] = 0
        state[layout.MISPREDICTIONS] = 0
        state[layout.MISPREDICT_CYCLES] = self._decoder.mispredict_cycles
        self._core.forget_blocks()
        self._traps.last_fault = None
        self._reset(power_on=True)

    def _reset(self, *, power_on: bool) -> None:
        core = self._core
        self._reset_requested = False
        self._code_changed = True
        self._bus.reset(power_on=power_on)
        self._traps.reset()
        self.memory_attributes_changed()
        self._bus.scb.values["VTOR"] = self.board.vectors
        self.allow_floating_point(False)
        startup.reset_registers(core, self.board.vectors)

    # The outside.

    @property
    def instructions(self) -> int:
        """Instructions executed since power-on (README: what counts as one)."""
        return int(self._core.state[layout.INSTRUCTIONS])

    @property
    def last_fault(self) -> Fault | None:
        """The most recent fault since power-on."""
        return self._traps.last_fault

    @property
    def pc(self) -> int:
        """Address of the next instruction."""
        return self._core.pc

    def write(self, data: bytes) -> None:
        """Send bytes to the console USART."""
        self._bus.console.write(data)

    def read(self) -> bytes:
        """Take what the firmware has sent through the console USART."""
        return self._bus.console.read()

    def symbol(self, name: str) -> Symbol:
        """The symbol of that name.

        Raises:
            KeyError: The ELF has none.
        """
        return self.image.symbols[name]

    def on_arrival(self, symbol: str, callback: Callable[[], None]) -> None:
        """Call `callback` whenever execution arrives at a function.

        Between two arrivals at one function, the difference of `instructions` is exact, since
        both count the function's first block.

        Raises:
            KeyError: The ELF has no such symbol.
        """
        self._core.on_execute(self.symbol(symbol).address, callback)
        self._code_changed = True

    def symbolize(self, address: int) -> str:
        """`name+0xoffset` of the symbol at or before an address, or an empty string."""
        symbol = self.image.symbol_at(address & ~1)
        if symbol is None:
            return ""
        offset = (address & ~1) - symbol.address
        return f"{symbol.name}+{offset:#x}" if offset else symbol.name

    def read_memory(self, address: int, size_bytes: int) -> bytes:
        """Bytes of target memory.

        Raises:
            MemoryAccessError: The range is not inside one memory.
        """
        return self._core.read(address, size_bytes)

    def write_memory(self, address: int, data: bytes) -> None:
        """Change target memory, read-only or not. Changed code is translated afresh.

        Raises:
            MemoryAccessError: The range is not inside one memory.
        """
        self._core.write(address, data)
        memory = self._core.memory_at(address)
        self._code_changed |= memory is not None and memory.executable

    def register(self, name: str) -> int:
        """A core register by Arm's name, such as "r0", "sp", "pc", "xpsr", "s0"."""
        return self._core.register(getattr(arm, f"UC_ARM_REG_{name.upper()}"))

    # Running.

    def run(
        self,
        max_instructions: int | None = None,
        timeout_s: float | None = None,
        until_output: int = 0,
    ) -> StopReason:
        """Run until the firmware waits for console input, or until a limit.

        Args:
            max_instructions: Stop at the first basic block that starts after so many more.
            timeout_s: Stop after so much wall time, give or take some 20 ms.
            until_output: Stop once `read` would return so many bytes, or at most 20,000
                instructions later; 0 never stops for that.

        Returns:
            The reason. After each of them `run` continues where it stopped.

        Raises:
            FaultError: The firmware faulted and `raise_faults` is set.
            LockupError: The firmware faulted where the core cannot take the fault.
            KeyboardInterrupt: Ctrl-C, at most some 20 ms later; `run` can go on afterwards.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        limit = None if max_instructions is None else self.instructions + max_instructions
        with HeldInterrupt() as interrupt:
            while True:
                reason = self._step(limit, until_output)
                if reason is not None:
                    return reason
                if deadline is not None and time.monotonic() >= deadline:
                    return StopReason.SLICE
                interrupt.deliver()

    def _step(self, limit: int | None, until_output: int) -> StopReason | None:
        """Run until something happens and deal with it; a reason if the caller has to know."""
        if self._reset_requested:
            self.resets += 1
            self._reset(power_on=False)
        if self._code_changed:
            self._code_changed = False
            self._core.forget_blocks()
        if until_output and self._bus.console.available >= until_output:
            return StopReason.OUTPUT
        self._bus.console.stop_at(until_output or None)
        reason = self._handle(self._run_slice(limit))
        if reason is None and limit is not None and self.instructions >= limit:
            return StopReason.INSTRUCTIONS
        return reason

    def _run_slice(self, limit: int | None) -> Event:
        """Run for about `_SLICE_S`, so that signals and time limits are seen."""
        started, before = time.perf_counter(), self.instructions
        stop = before + self._slice_instructions
        event = self._core.run(stop if limit is None else min(stop, limit))
        took = time.perf_counter() - started
        if event.kind is EventKind.LIMIT and self.instructions >= stop:
            factor = min(max(_SLICE_S / max(took, 1e-6), 0.25), 4.0)
            self._slice_instructions = max(1 << 14, int(self._slice_instructions * factor))
        return event

    def _handle(self, event: Event) -> StopReason | None:
        """Deal with what stopped the core; a reason if the caller has to know."""
        match event.kind:
            case EventKind.LIMIT:
                return None
            case EventKind.PERIPHERAL:
                self._traps.take_pending()
                return None
            case EventKind.TIMER:
                self._bus.systick.on_timer()
                self._traps.take_pending()
                return None
            case EventKind.WAITING:
                return StopReason.WAITING_FOR_INPUT
            case EventKind.OUTPUT:
                self._bus.console.drain()
                return None
            case EventKind.WAIT_FOR_INTERRUPT:
                return self._wait()
        if self._traps.handle(event) is EventKind.WAIT_FOR_INTERRUPT:
            return self._wait()
        return None

    def _wait(self) -> StopReason | None:
        """WFI and WFE: sleep until the timer is due; idle if nothing but that ever happens."""
        waiting = self._bus.console.waiting_bytes
        seen, times = self._wfi
        self._wfi = (waiting, times + 1 if waiting == seen else 0)
        due = self._bus.systick.due
        if due is not None:
            state = self._core.state
            state[layout.MODELLED_CYCLES] = max(int(state[layout.MODELLED_CYCLES]), due)
        if self._wfi[1] < (_STEADY_WFI if due is None else _STEADY_TICKS) and (waiting or due):
            return None
        self._wfi = (waiting, 0)
        return StopReason.WAITING_FOR_INPUT
