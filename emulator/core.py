"""The processor core: one Unicorn Cortex-M7, its memories, and the native callbacks.

`Core` runs code until something happens and says what (`Event`). What a fault, a supervisor call
or a reset request means is `emulator.machine`'s business.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import unicorn
from unicorn import arm_const as arm
from unicorn import unicorn_const as const

from emulator.errors import InternalError
from emulator.events import Event, EventKind
from emulator.memory import MemoryMap
from emulator.native import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from emulator.board import Memory

_engine: Any = unicorn  # its Python bindings are typed in part only, and not rightly

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


def _address_of(function: Any) -> int:
    """Host address of a C function that ctypes knows."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class Core(MemoryMap):
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
        self.state: npt.NDArray[np.int64] = np.zeros(layout.STATE_SLOTS, dtype=np.int64)
        self.uc: Any = _engine.Uc(const.UC_ARCH_ARM, const.UC_MODE_THUMB, arm.UC_CPU_ARM_CORTEX_M7)
        self.uc.ctl_set_tlb_mode(const.UC_TLB_VIRTUAL)
        self._describe_block = describe_block
        self._event: Event | None = None
        self._error: BaseException | None = None
        self._keep: list[Any] = []
        for index, memory in enumerate(self.memories):
            self._map(index, memory)
        self.state[layout.REGION_COUNT] = len(self.memories)
        self.stop_at_cycle(None)
        self._install()

    def _map(self, index: int, memory: Memory) -> None:
        permissions = const.UC_PROT_READ
        permissions |= const.UC_PROT_WRITE if memory.writable else 0
        permissions |= const.UC_PROT_EXEC if memory.executable else 0
        host = self.contents[memory.name].ctypes.data
        self.uc.mem_map_ptr(memory.base, memory.size_bytes, permissions, host)
        row = layout.REGION_TABLE + index * layout.REGION_SLOTS
        self.state[row : row + 3] = (memory.base, memory.end, memory.executable)

    def _install(self) -> None:
        from emulator.native.blocks import on_block  # noqa: PLC0415 - numba takes 0.4 s to import
        from emulator.native.tlb import on_tlb_fill  # noqa: PLC0415

        library = _engine.unicorn_py3.unicorn.uclib
        user_data = self.state.ctypes.data
        self._library = library
        self.hook_native(const.UC_HOOK_BLOCK, on_block.address)
        self.hook_native(const.UC_HOOK_TLB_FILL, on_tlb_fill.address)
        self.state[layout.UC_EMU_STOP] = _address_of(library.uc_emu_stop)
        self.state[layout.UC_HANDLE] = self.uc._uch.value  # noqa: SLF001 - no accessor
        self.user_data = user_data
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
        self.state[layout.NEW_BLOCK_CALLBACK] = _address_of(callback)
        self.uc.hook_add(const.UC_HOOK_INTR, on_interrupt)
        self.uc.hook_add(const.UC_HOOK_MEM_INVALID, on_memory)
        self.forget_blocks()

    def on_execute(self, address: int, callback: Callable[[], None]) -> None:
        """Call `callback` before each execution of the instruction at one address.

        Only blocks that hold it are instrumented. INSTRUCTIONS then already counts the block.
        """

        def on_code(_uc: Any, _address: int, _size: int, _data: Any) -> None:
            callback()

        self.uc.hook_add(const.UC_HOOK_CODE, on_code, None, address, address)

    def hook_native(self, kind: int, address: int | None) -> None:
        """Install machine code at host `address` as a Unicorn hook on all addresses."""
        handle = ctypes.c_size_t()
        status = self._library.uc_hook_add(
            self.uc._uch,  # noqa: SLF001 - no accessor
            ctypes.byref(handle),
            ctypes.c_int(kind),
            ctypes.c_void_p(address),
            ctypes.c_void_p(self.state.ctypes.data),
            ctypes.c_uint64(1),
            ctypes.c_uint64(0),
        )
        if status != const.UC_ERR_OK:
            raise InternalError(f"hook {kind} refused", code=status, pc=0)

    def map_native_mmio(
        self, base: int, size_bytes: int, read: int | None, write: int | None
    ) -> None:
        """Map a peripheral whose two callbacks are machine code at these host addresses."""
        user_data = ctypes.c_void_p(self.state.ctypes.data)
        function = self._library.uc_mmio_map
        status = function(
            self.uc._uch,  # noqa: SLF001 - no accessor
            ctypes.c_uint64(base),
            ctypes.c_size_t(size_bytes),
            function.argtypes[3](read),
            user_data,
            function.argtypes[5](write),
            user_data,
        )
        if status != const.UC_ERR_OK:
            raise InternalError(f"cannot map a peripheral at {base:#x}", code=status, pc=0)

    def map_mmio(
        self,
        base: int,
        size_bytes: int,
        read: Callable[[int, int], int],
        write: Callable[[int, int, int], None],
    ) -> None:
        """Map peripherals served by Python: read(offset, width) and write(offset, width, value)."""

        def on_read(_uc: Any, offset: int, width: int, _data: Any) -> int:
            return read(offset, width)

        def on_write(_uc: Any, offset: int, width: int, value: int, _data: Any) -> None:
            write(offset, width, value)

        self.uc.mmio_map(base, size_bytes, on_read, None, on_write, None)

    def _on_new_block(self, address: int, size: int, row: int) -> None:
        try:
            code = self.read(address, size)
            instructions, cycles, flags = self._describe_block(address, code)
        except Exception as error:  # noqa: BLE001 - ctypes would print and drop it
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
            except _engine.UcError as error:
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
        except _engine.UcError as error:
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

    @property
    def pc(self) -> int:
        """Address of the next instruction."""
        return int(self.uc.reg_read(arm.UC_ARM_REG_PC)) & 0xFFFF_FFFE

    @property
    def thumb(self) -> bool:
        """The Thumb bit of EPSR; clear only after a branch to an even address."""
        return bool(self.uc.query(const.UC_QUERY_MODE) & const.UC_MODE_THUMB)

    def set_pc(self, address: int) -> None:
        """Set the program counter; bit 0 is the Thumb bit."""
        self.uc.reg_write(arm.UC_ARM_REG_PC, address & 0xFFFF_FFFF)

    def register(self, number: int) -> int:
        """A core register by Unicorn's number."""
        return int(self.uc.reg_read(number)) & 0xFFFF_FFFF

    def set_register(self, number: int, value: int) -> None:
        """Set a core register by Unicorn's number."""
        self.uc.reg_write(number, value)
