"""The processor core: one Unicorn Cortex-M7, its memories, and the native callbacks.

`Core` runs code until something happens and says what (`Event`). What a fault, a supervisor call
or a reset request means is `emulator.machine`'s business.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, Final

from unicorn import unicorn_const as const

from emulator.engine import Engine, address_of, unicorn_engine
from emulator.errors import InternalError
from emulator.events import Event, EventKind
from emulator.native import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from emulator.board import Memory

# The address at which Unicorn would stop by itself: odd, so that no instruction ever has it.
_NEVER: Final = 0xFFFF_FFFF
_NO_LIMIT: Final = 1 << 62
_UC_PAGE_BYTES: Final = 1024

_NEW_BLOCK = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)


_ACCESSES: Final = {
    const.UC_MEM_READ_UNMAPPED: ("read", True),
    const.UC_MEM_WRITE_UNMAPPED: ("write", True),
    const.UC_MEM_FETCH_UNMAPPED: ("fetch", True),
    const.UC_MEM_READ_PROT: ("read", False),
    const.UC_MEM_WRITE_PROT: ("write", False),
    const.UC_MEM_FETCH_PROT: ("fetch", False),
}
_STOPS: Final = {
    layout.STOP_LIMIT: EventKind.LIMIT,
    layout.STOP_BLOCK_REFUSED: EventKind.BLOCK_REFUSED,
    layout.STOP_WAITING: EventKind.WAITING,
    layout.STOP_OUTPUT: EventKind.OUTPUT,
    layout.STOP_PERIPHERAL: EventKind.PERIPHERAL,
    layout.STOP_TIMER: EventKind.TIMER,
    layout.STOP_REFUSED: EventKind.ACCESS_REFUSED,
}


class Core(Engine):
    """A Cortex-M7 with memory.

    Args:
        memories: What to map.
        describe_block: Called once per basic block, before it first runs, with its address and
            its bytes; returns (instructions, modelled cycles, flags).
    """

    def __init__(
        self,
        memories: Iterable[Memory],
        describe_block: Callable[[int, bytes], tuple[int, int, int]],
    ) -> None:
        super().__init__(memories)
        self._describe_block = describe_block
        self._event: Event | None = None
        self._error: BaseException | None = None
        self._keep: list[Any] = []
        self.stop_at_cycle(None)
        self._install()

    def _install(self) -> None:
        from emulator.native.blocks import on_block  # noqa: PLC0415 - numba takes 0.4 s to import
        from emulator.native.tlb import on_tlb_fill  # noqa: PLC0415

        self.hook_native(const.UC_HOOK_BLOCK, on_block.address)
        self.hook_native(const.UC_HOOK_TLB_FILL, on_tlb_fill.address)
        me = weakref.ref(self)

        def new_block(address: int, size: int, row: int) -> None:
            core = me()
            if core is not None:
                core._on_new_block(address, size, row)  # noqa: SLF001

        def on_interrupt(_uc: Any, number: int, _data: Any) -> None:
            core = me()
            if core is not None:
                core._report(Event(EventKind.EXCEPTION, number=number))  # noqa: SLF001

        def on_memory(
            _uc: Any, access: int, address: int, size: int, _value: int, _data: Any
        ) -> bool:
            core = me()
            if core is not None:
                name, unmapped = _ACCESSES[access]
                core._event = Event(  # noqa: SLF001
                    EventKind.MEMORY,
                    access=name,
                    address=address,
                    width_bytes=size,
                    unmapped=unmapped,
                )
            return False

        callback = _NEW_BLOCK(new_block)
        self._keep.append(callback)
        self.state[layout.NEW_BLOCK_CALLBACK] = address_of(callback)
        self.uc.hook_add(const.UC_HOOK_INTR, on_interrupt)
        self.uc.hook_add(const.UC_HOOK_MEM_INVALID, on_memory)
        self.forget_blocks()

    def _on_new_block(self, address: int, size: int, row: int) -> None:
        try:
            code = self.read(address, size)
            instructions, cycles, flags = self._describe_block(address, code)
        except BaseException as error:  # noqa: BLE001 - ctypes would print and drop it
            self.fail(error)
            instructions, cycles, flags = 1, 1, 0
        self.state[row + layout.BLOCK_INSTRUCTIONS] = instructions
        self.state[row + layout.BLOCK_CYCLES] = cycles
        self.state[row + layout.BLOCK_FLAGS] = flags

    def fail(self, error: BaseException) -> None:
        """Keep an exception raised inside a callback and stop; `run` raises it."""
        if self._error is None:
            self._error = error
        self.uc.emu_stop()

    def _report(self, event: Event) -> None:
        self._event = event
        self.uc.emu_stop()

    def request_stop(self) -> None:
        """Stop at the end of the current block, from within a Python peripheral."""
        self.state[layout.PENDING_STOP] = layout.STOP_PERIPHERAL
        self.state[layout.INSTRUCTION_LIMIT] = -1

    def stop_at_cycle(self, cycles: int | None) -> None:
        """Stop at the first block that starts at or past so many modelled cycles, or never."""
        self.state[layout.CYCLE_LIMIT] = _NO_LIMIT if cycles is None else cycles

    def refuse_access(self) -> None:
        """Stop within the current instruction, from within a Python peripheral.

        The PC then is at that instruction, and running on repeats it.
        """
        self.state[layout.STOP] = layout.STOP_REFUSED
        self.uc.emu_stop()

    def forget_blocks(self) -> None:
        """Drop translated code and block constants; totals stay. For code that was changed."""
        self.uc.ctl_flush_tb()
        self.state[layout.BLOCK_TABLE :] = 0
        self.state[layout.TABLE_USED] = 0
        self.state[layout.LAST_BLOCK] = layout.SCRATCH_ROW

    def run(self, limit: int | None = None) -> Event:
        """Run from the current PC until something happens.

        Args:
            limit: Total instruction count at or after which to stop, at a block boundary.
        """
        state = self.state
        while True:
            state[layout.INSTRUCTION_LIMIT] = _NO_LIMIT if limit is None else limit
            state[layout.STOP] = state[layout.PENDING_STOP] = 0
            self._event = None
            code = const.UC_ERR_OK
            try:
                self.uc.emu_start(self.pc | 1 if self.thumb else self.pc, _NEVER)
            except unicorn_engine.UcError as error:
                code = error.errno
            if self._error is not None:
                error_, self._error = self._error, None
                raise error_
            if state[layout.STOP] == layout.STOP_TABLE_FULL:
                self.forget_blocks()
                continue
            return self._classify(code)

    def run_to(self, address: int) -> Event | None:
        """Run within the block at PC up to `address`; None when it was reached."""
        start = self.pc
        self._event = None
        self.state[layout.STOP] = self.state[layout.PENDING_STOP] = 0
        self.state[layout.INSTRUCTION_LIMIT] = _NO_LIMIT
        self.uc.ctl_remove_cache(start, address + 4)
        code = const.UC_ERR_OK
        try:
            self.uc.emu_start(start | 1, address)
        except unicorn_engine.UcError as error:
            code = error.errno
        self.uc.ctl_remove_cache(start, address + 4)
        reached = code == const.UC_ERR_OK and self._event is None and self.pc == address
        return None if reached else self._classify(code)

    def _classify(self, code: int) -> Event:
        if self._event is not None:
            return self._event
        if code == const.UC_ERR_INSN_INVALID:
            return Event(EventKind.UNDEFINED)
        if code == const.UC_ERR_EXCEPTION:
            if not self.thumb:
                return Event(EventKind.INVALID_STATE)
            page = int(self.state[layout.FETCH_ADDRESS])
            address = self.pc if self.pc & -_UC_PAGE_BYTES == page else page
            return Event(EventKind.MEMORY, access="fetch", address=address, width_bytes=2)
        if code != const.UC_ERR_OK:
            raise InternalError("the emulation stopped", code=code, pc=self.pc)
        stop = int(self.state[layout.STOP])
        return Event(_STOPS[stop] if stop else EventKind.WAIT_FOR_INTERRUPT)
