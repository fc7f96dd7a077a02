"""The error tree of `emulator`: every error carries its facts as attributes and says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from emulator.faults import Fault


class EmulatorError(Exception):
    """Anything that keeps the emulated board from running."""


class BoardError(EmulatorError):
    """A board file that cannot be used.

    Attributes:
        path: The file, or None when the board came from elsewhere.
        key: Where in it, for example `memories[3].size_bytes`.
        got: The value found there.
    """

    def __init__(self, message: str, *, path: Path | None, key: str, got: object = None) -> None:
        super().__init__(f"{path or 'board'}: {key}: {message}")
        self.path = path
        self.key = key
        self.got = got


class ElfError(EmulatorError):
    """An ELF file that this board cannot hold or start.

    Attributes:
        offset: Byte position in the file that shows the problem, or None.
        address: Target address that shows the problem, or None.
        expected: What should have been there.
        got: What is there.
    """

    def __init__(
        self,
        message: str,
        *,
        offset: int | None = None,
        address: int | None = None,
        expected: object = None,
        got: object = None,
    ) -> None:
        super().__init__(message)
        self.offset = offset
        self.address = address
        self.expected = expected
        self.got = got


class MemoryAccessError(EmulatorError):
    """The host asked for target memory that the board does not have.

    Attributes:
        address: First address asked for.
        size_bytes: Number of bytes asked for.
    """

    def __init__(self, address: int, size_bytes: int) -> None:
        super().__init__(
            f"no memory holds all of {address:#010x}..{address + size_bytes:#010x}; "
            "ask for a range inside one region of the board file"
        )
        self.address = address
        self.size_bytes = size_bytes


class ClosedError(EmulatorError):
    """A machine was used after it was closed."""

    def __init__(self) -> None:
        super().__init__("this machine was closed; make a new one")


class FaultError(EmulatorError):
    """The firmware faulted, and the machine was told to raise instead of delivering the fault.

    Attributes:
        fault: What happened and where.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class LockupError(FaultError):
    """The firmware faulted where the core cannot take the fault, so it locked up.

    Attributes:
        fault: The fault that could not be taken.
        first_fault: The fault whose handler was running, or None.
    """

    def __init__(self, fault: Fault, first_fault: Fault | None) -> None:
        super().__init__(fault)
        self.first_fault = first_fault
        cause = f" while handling: {first_fault}" if first_fault is not None else ""
        self.args = (f"core locked up: {fault}{cause}",)


class InternalError(EmulatorError):
    """Unicorn stopped for a reason this package does not know.

    Attributes:
        code: Unicorn's error number.
        pc: Program counter then.
    """

    def __init__(self, message: str, *, code: int, pc: int) -> None:
        super().__init__(
            f"{message} (Unicorn error {code}, pc {pc:#010x}); report this with the ELF"
        )
        self.code = code
        self.pc = pc
