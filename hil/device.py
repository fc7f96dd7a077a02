"""What a device says, as the rest of hil sees it: identity, arena, results per operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hil.protocol.codes import CacheFlag

if TYPE_CHECKING:
    from hil.protocol import messages as m


@dataclass(frozen=True, slots=True)
class Output:
    """One output right after its operator; `digest` is the first 8 bytes of its SHA-256."""

    tensor: int
    length_bytes: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class OpResult:
    """One operator as the device ran it.

    Attributes:
        index: position in execution order.
        op: TFLM's name.
        subgraph: subgraph the operator is in.
        operator: its index there.
        cycles: of the operator alone.
        instructions: of the operator alone, or None where the target cannot count them.
        outputs: its outputs, in the operator's order.
    """

    index: int
    op: str
    subgraph: int
    operator: int
    cycles: int
    instructions: int | None
    outputs: tuple[Output, ...]


@dataclass(frozen=True, slots=True)
class Allocation:
    """The device's arena.

    Attributes:
        arena_used_bytes: head and tail together.
        head_bytes: the planned tensors.
        tail_bytes: the engine's own tables and persistent buffers.
        region: memory that holds it, such as "SDRAM2".
        base: its first address.
        size_bytes: bytes the engine was offered.
        offsets: tensor to offset from `base`, for the tensors of subgraph 0 in the arena.
    """

    arena_used_bytes: int
    head_bytes: int
    tail_bytes: int
    region: str
    base: int
    size_bytes: int
    offsets: dict[int, int]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers.

    Attributes:
        raw: HELLO's reply as it came.
    """

    raw: m.HelloReply

    @property
    def core(self) -> int:
        """CPUID of the core."""
        return self.raw.cpuid

    @property
    def clock_hz(self) -> int:
        """Core clock."""
        return self.raw.clock_hz

    @property
    def caches(self) -> str:
        """Which caches are on: "I+D", "I", "D" or "off"."""
        flags = CacheFlag(self.raw.cache_flags)
        named = ((CacheFlag.INSTRUCTION, "I"), (CacheFlag.DATA, "D"))
        return "+".join(name for flag, name in named if flag in flags) or "off"

    @property
    def engine(self) -> str:
        """Name and version of the engine."""
        return self.raw.engine

    @property
    def kernels(self) -> str:
        """Kernel set of the engine."""
        return self.raw.kernels

    @property
    def firmware_sha256(self) -> str:
        """Hex digest of the flash image, computed by the device."""
        return self.raw.image_sha256.hex()

    @property
    def model_sha256(self) -> str | None:
        """Hex digest of the model held, or None."""
        return self.raw.model_sha256.hex() if any(self.raw.model_sha256) else None
