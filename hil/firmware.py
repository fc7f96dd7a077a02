"""A firmware image on the host's side: its identity and its symbols."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from hil.errors import FirmwareFileError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from emulator.elf import Image

DEFAULT_IMAGE: Final = "hil-agent"
_ERASED: Final = 0xFF


@dataclass(frozen=True, slots=True)
class Firmware:
    """An ELF file.

    Attributes:
        path: where it is.
        image: the parsed file.
    """

    path: Path
    image: Image

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Reads an ELF.

        Raises:
            UsageError: there is no such file.
            FirmwareFileError: it is no firmware for this core.
        """
        from emulator.elf import Image  # noqa: PLC0415 - a serial target may need no ELF
        from emulator.errors import ElfError  # noqa: PLC0415

        if not path.is_file():
            raise UsageError(f"no firmware at {path}: name an ELF, or build one (boards/README.md)")
        try:
            return cls(path, Image.from_source(path))
        except ElfError as error:
            raise FirmwareFileError(str(path), str(error)) from error

    def sha256(self, base: int, size_bytes: int) -> str:
        """Hex digest of what this ELF puts into flash from `base` on.

        Where it puts nothing, flash is as erased.
        """
        content = bytearray([_ERASED]) * size_bytes
        for segment in self.image.segments:
            start = max(segment.load_address, base)
            end = min(segment.load_address + len(segment.data), base + size_bytes)
            if start < end:
                at = start - segment.load_address
                content[start - base : end - base] = segment.data[at : at + end - start]
        return hashlib.sha256(content).hexdigest()

    def locate(self, address: int) -> str:
        """Name of a code address, such as "conv_eval+0x42 (0x08001234)"."""
        symbol = self.image.symbol_at(address & ~1)
        plain = f"0x{address & ~1:08x}"
        if symbol is None:
            return plain
        offset = (address & ~1) - symbol.address
        return f"{symbol.name}+{offset:#x} ({plain})" if offset else f"{symbol.name} ({plain})"


def shipped(board_folder: Path) -> list[Path]:
    """The firmware images that come with a board, the default first."""
    found = sorted((board_folder / "firmware").glob("*.elf"))
    return sorted(found, key=lambda path: path.stem != DEFAULT_IMAGE)


def default(board_folder: Path) -> Path:
    """The image that runs where none is named.

    Raises:
        UsageError: the board has none.
    """
    path = board_folder / "firmware" / f"{DEFAULT_IMAGE}.elf"
    if not path.is_file():
        raise UsageError(
            f"board {board_folder.name} ships no {DEFAULT_IMAGE}.elf: build it "
            f"(python boards/firmware/build.py {board_folder.name}) or name one with --firmware"
        )
    return path
