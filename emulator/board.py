"""What a board is: its core, memories, peripherals and console, read from `board.yaml`."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import yaml

from emulator.errors import BoardError

if TYPE_CHECKING:
    from collections.abc import Mapping

CORES: Final = ("cortex-m7",)
ACCESSES: Final = ("r", "rx", "rw", "rwx")
ATTRIBUTES: Final = ("normal", "device")
_MEMORY_LIMIT: Final = 24  # places for them in `emulator.native.layout`
KINDS: Final = (
    "itcm",
    "dtcm",
    "flash",
    "axi_sram",
    "sram1",
    "sram2",
    "sram3",
    "sram4",
    "backup_sram",
    "sdram2",
)
_TOP_KEYS: Final = (
    "name",
    "description",
    "core",
    "clock_hz",
    "vectors",
    "console",
    "memories",
    "peripherals",
)
_PAGE_BYTES: Final = 1024  # granularity of Unicorn's memory map for this core


@dataclass(frozen=True, slots=True)
class Memory:
    """One contiguous memory.

    Attributes:
        name: As the manual calls it.
        kind: What it is for, such as "itcm", "flash", "axi_sram", "sdram2".
        base: First address.
        size_bytes: Size.
        access: "r", "rx", "rw" or "rwx".
        attributes: "normal" or "device": the ARMv7-M default map's memory type.
    """

    name: str
    kind: str
    base: int
    size_bytes: int
    access: str
    attributes: str

    @property
    def end(self) -> int:
        """Address after the last byte."""
        return self.base + self.size_bytes

    @property
    def writable(self) -> bool:
        """Whether stores are allowed."""
        return "w" in self.access

    @property
    def executable(self) -> bool:
        """Whether instruction fetches are allowed."""
        return "x" in self.access


@dataclass(frozen=True, slots=True)
class PeripheralSpec:
    """A peripheral on the board: `type` is a key of `emulator.peripherals.PERIPHERALS`."""

    name: str
    type: str
    base: int


@dataclass(frozen=True, slots=True)
class ConsoleSpec:
    """The USART that talks to the host, by the name of its peripheral, and its rate in baud."""

    peripheral: str
    baud: int


@dataclass(frozen=True, slots=True)
class Board:
    """A board.

    Attributes:
        name: Folder name of the board.
        description: One line for people.
        core: Processor core, one of `CORES`.
        clock_hz: Core clock that the firmware sets up, in hertz.
        vectors: Address of the vector table at reset.
        memories: Ordered as in the file.
        peripherals: Ordered as in the file.
        console: Which USART is the console, and its rate.
    """

    name: str
    description: str
    core: str
    clock_hz: int
    vectors: int
    memories: tuple[Memory, ...]
    peripherals: tuple[PeripheralSpec, ...]
    console: ConsoleSpec

    @classmethod
    def from_file(cls, path: str | Path) -> Board:
        """Read a `board.yaml`.

        Raises:
            BoardError: The file is missing, is not YAML, or lacks or contradicts something.
        """
        path = Path(path)
        try:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
        except OSError as error:
            message = f"cannot be read: {error.strerror}; boards are folders with a board.yaml"
            raise BoardError(message, path=path, key="file") from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise BoardError(f"is not YAML: {error}", path=path, key="file") from error
        return cls.from_mapping(data, path=path)

    @classmethod
    def from_mapping(cls, data: object, path: Path | None = None) -> Board:
        """Build a board from what a `board.yaml` holds.

        Raises:
            BoardError: Something is missing, of the wrong type, or contradictory.
        """
        top = _Node(data, "", path)
        top.only(*_TOP_KEYS)
        console = top.node("console")
        console.only("peripheral", "baud")
        board = cls(
            name=top.text("name"),
            description=top.text("description"),
            core=top.choice("core", CORES),
            clock_hz=top.integer("clock_hz", minimum=1),
            vectors=top.integer("vectors"),
            memories=tuple(_memory(n) for n in top.nodes("memories")),
            peripherals=tuple(_peripheral(n) for n in top.nodes("peripherals")),
            console=ConsoleSpec(console.text("peripheral"), console.integer("baud", minimum=1)),
        )
        board._check(path)
        return board

    def _check(self, path: Path | None) -> None:
        ordered = sorted(self.memories, key=lambda m: m.base)
        for first, second in itertools.pairwise(ordered):
            if first.end > second.base:
                message = f"{first.name} ends at {first.end:#010x}, inside {second.name}"
                raise BoardError(message, path=path, key="memories")
        if not any(m.base <= self.vectors < m.end for m in self.memories):
            message = f"no memory holds the vector table at {self.vectors:#010x}"
            raise BoardError(message, path=path, key="vectors", got=self.vectors)
        if len(self.memories) > _MEMORY_LIMIT:
            message = f"are {len(self.memories)}; at most {_MEMORY_LIMIT} are supported"
            raise BoardError(message, path=path, key="memories")
        for i, peripheral in enumerate(self.peripherals):
            self._check_peripheral(peripheral, f"peripherals[{i}]", path)
        names = [p.name for p in self.peripherals]
        if self.console.peripheral not in names:
            message = f"names {self.console.peripheral!r}, which is not among the peripherals"
            key, got = "console.peripheral", self.console.peripheral
            raise BoardError(message, path=path, key=key, got=got)

    def _check_peripheral(self, spec: PeripheralSpec, key: str, path: Path | None) -> None:
        if spec.base % _PAGE_BYTES:
            message = f"must be a multiple of {_PAGE_BYTES}"
            raise BoardError(message, path=path, key=f"{key}.base", got=spec.base)
        for memory in self.memories:
            if memory.base <= spec.base < memory.end:
                message = f"{spec.base:#010x} lies inside {memory.name}"
                raise BoardError(message, path=path, key=f"{key}.base", got=spec.base)
        for other in self.peripherals:
            if other is not spec and (other.name == spec.name or other.base == spec.base):
                message = f"{spec.name} at {spec.base:#010x} repeats {other.name}'s name or base"
                raise BoardError(message, path=path, key=key, got=spec.name)

    def peripheral(self, name: str) -> PeripheralSpec:
        """The peripheral of that name.

        Raises:
            KeyError: There is none.
        """
        for peripheral in self.peripherals:
            if peripheral.name == name:
                return peripheral
        raise KeyError(name)

    def memory(self, kind: str) -> Memory:
        """The first memory of that kind.

        Raises:
            KeyError: There is none.
        """
        for memory in self.memories:
            if memory.kind == kind:
                return memory
        raise KeyError(kind)


def _peripheral(node: _Node) -> PeripheralSpec:
    node.only("name", "type", "base")
    return PeripheralSpec(node.text("name"), node.text("type"), node.integer("base"))


def _memory(node: _Node) -> Memory:
    node.only("name", "kind", "base", "size_bytes", "access", "attributes")
    memory = Memory(
        name=node.text("name"),
        kind=node.choice("kind", KINDS),
        base=node.integer("base"),
        size_bytes=node.integer("size_bytes", minimum=_PAGE_BYTES),
        access=node.choice("access", ACCESSES),
        attributes=node.choice("attributes", ATTRIBUTES),
    )
    for key, value in (("base", memory.base), ("size_bytes", memory.size_bytes)):
        if value % _PAGE_BYTES:
            raise node.error(key, f"must be a multiple of {_PAGE_BYTES}", value)
    return memory


class _Node:
    """A mapping within the file that knows where it is."""

    def __init__(self, data: object, where: str, path: Path | None) -> None:
        self.where, self.path = where, path
        if not isinstance(data, dict):
            message = f"must be a mapping, is {type(data).__name__}"
            raise BoardError(message, path=path, key=where or "file", got=data)
        self.data = cast("Mapping[str, Any]", data)

    def _key(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def error(self, key: str, message: str, got: object = None) -> BoardError:
        return BoardError(message, path=self.path, key=self._key(key), got=got)

    def _get(self, key: str, kind: type) -> Any:
        if key not in self.data:
            raise self.error(key, "is missing")
        value = self.data[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            message = f"must be {kind.__name__}, is {type(value).__name__} {value!r}"
            raise self.error(key, message, value)
        return value

    def only(self, *known: str) -> None:
        """Refuses keys that mean nothing here: a typing error must not pass for a setting."""
        for key in self.data:
            if key not in known:
                raise self.error(str(key), f"is not known here; known: {', '.join(known)}")

    def text(self, key: str) -> str:
        return cast("str", self._get(key, str))

    def integer(self, key: str, minimum: int = 0) -> int:
        value = cast("int", self._get(key, int))
        if not minimum <= value <= 0xFFFF_FFFF:
            raise self.error(key, f"must be {minimum}..4294967295, is {value}", value)
        return value

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            raise self.error(key, f"must be one of {', '.join(allowed)}, is {value!r}", value)
        return value

    def node(self, key: str) -> _Node:
        return _Node(self._get(key, dict), self._key(key), self.path)

    def nodes(self, key: str) -> list[_Node]:
        items = self._get(key, list)
        return [_Node(v, f"{self._key(key)}[{i}]", self.path) for i, v in enumerate(items)]
