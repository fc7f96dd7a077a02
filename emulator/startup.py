"""What happens before the first instruction: loading the firmware, resetting the registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unicorn import arm_const as arm

from emulator.errors import ElfError

if TYPE_CHECKING:
    from emulator.board import Board
    from emulator.core import Core
    from emulator.elf import Image


def check_segments(board: Board, core: Core, image: Image) -> None:
    """Make sure that every segment lies within a memory.

    Raises:
        ElfError: One does not.
    """
    for segment in image.segments:
        memory = core.memory_at(segment.load_address)
        end = segment.load_address + len(segment.data)
        if memory is None or end > memory.end:
            where = f"starts in {memory.name} and does not fit" if memory else "is in no memory"
            raise ElfError(
                f"the ELF loads {segment.load_address:#010x}..{end:#010x}, which {where} of "
                f"{board.name}; link it with this board's linker script",
                address=segment.load_address,
                got=len(segment.data),
            )


def load(core: Core, image: Image) -> None:
    """Clear every memory and put the segments at their load addresses."""
    for content in core.contents.values():
        content[:] = 0
    for segment in image.segments:
        core.write(segment.load_address, segment.data)


def reset_registers(core: Core, vectors: int) -> None:
    """Registers as ARMv7-M ARM, B1.5.5 says; those it leaves unknown are zero.

    Raises:
        ElfError: The vector table has no usable reset vector.
    """
    stack, entry = core.read_word(vectors), core.read_word(vectors + 4)
    handler = core.memory_at(entry & ~1)
    if not entry & 1 or handler is None or not handler.executable:
        raise ElfError(
            f"no vector table at {vectors:#010x}: the reset vector is {entry:#010x}, which is no "
            "Thumb code; place the vector table there and rebuild",
            address=vectors,
            expected="odd address of code",
            got=entry,
        )
    core.set_register(arm.UC_ARM_REG_XPSR_NZCVQG, 1 << 24)
    core.set_register(arm.UC_ARM_REG_CONTROL, 0)
    core.set_register(arm.UC_ARM_REG_APSR_NZCV, 0)
    for mask in (arm.UC_ARM_REG_PRIMASK, arm.UC_ARM_REG_FAULTMASK, arm.UC_ARM_REG_BASEPRI):
        core.set_register(mask, 0)
    for i in range(13):
        core.set_register(arm.UC_ARM_REG_R0 + i, 0)
    for i in range(32):
        core.set_register(arm.UC_ARM_REG_S0 + i, 0)
    core.set_register(arm.UC_ARM_REG_FPSCR, 0)
    core.set_register(arm.UC_ARM_REG_SP, stack & ~3)
    core.set_register(arm.UC_ARM_REG_LR, 0xFFFF_FFFF)
    core.set_pc(entry)
