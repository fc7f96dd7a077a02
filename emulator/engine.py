"""Unicorn as a Cortex-M7 with memories: registers, hooks and peripheral windows."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import unicorn
from unicorn import arm_const as arm
from unicorn import unicorn_const as const

from emulator.errors import InternalError
from emulator.memory import MemoryMap
from emulator.native import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from emulator.board import Memory

unicorn_engine: Any = unicorn  # its Python bindings are typed in part only, and not rightly


def address_of(function: Any) -> int:
    """Host address of a C function that ctypes knows."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class Engine(MemoryMap):
    """A Cortex-M7.

    Attributes:
        uc: The Unicorn instance. Not UC_MODE_MCLASS: that would make it a Cortex-M33.
        state: The array shared with `emulator.native`.
    """

    def __init__(self, memories: Iterable[Memory]) -> None:
        super().__init__(memories)
        self.state: npt.NDArray[np.int64] = np.zeros(layout.STATE_SLOTS, dtype=np.int64)
        self.uc: Any = unicorn_engine.Uc(
            const.UC_ARCH_ARM, const.UC_MODE_THUMB, arm.UC_CPU_ARM_CORTEX_M7
        )
        self.uc.ctl_set_tlb_mode(const.UC_TLB_VIRTUAL)
        self.library = unicorn_engine.unicorn_py3.unicorn.uclib
        for index, memory in enumerate(self.memories):
            self._map(index, memory)
        self.state[layout.REGION_COUNT] = len(self.memories)
        self.state[layout.UC_EMU_STOP] = address_of(self.library.uc_emu_stop)
        self.state[layout.UC_HANDLE] = self.uc._uch.value  # noqa: SLF001 - no accessor

    def _map(self, index: int, memory: Memory) -> None:
        permissions = const.UC_PROT_READ
        permissions |= const.UC_PROT_WRITE if memory.writable else 0
        permissions |= const.UC_PROT_EXEC if memory.executable else 0
        host = self.contents[memory.name].ctypes.data
        self.uc.mem_map_ptr(memory.base, memory.size_bytes, permissions, host)
        row = layout.REGION_TABLE + index * layout.REGION_SLOTS
        self.state[row : row + 3] = (memory.base, memory.end, memory.executable)

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
        status = self.library.uc_hook_add(
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
        function = self.library.uc_mmio_map
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
