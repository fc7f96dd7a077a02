"""What a target did with one model and its inputs: digests, cycles, arena; no judgement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class TargetIdentity:
    """Which target answered.

    Attributes:
        kind: "emulator" or "serial".
        board: board name, from boards/.
        firmware_sha256: hex digest of the firmware's loadable bytes, as the device reports it.
        kernels: kernel set of the engine, such as "reference".
        engine: name and version of the engine.
        core: CPUID of the core.
        clock_hz: core clock.
        caches: cache state, such as "I+D" or "off".
        cycles_kind: "modelled" or "measured".
    """

    kind: str
    board: str
    firmware_sha256: str
    kernels: str
    engine: str
    core: int
    clock_hz: int
    caches: str
    cycles_kind: str


@dataclass(frozen=True, slots=True)
class OperatorObservation:
    """One operator as the device ran it.

    Attributes:
        index: position in subgraph 0.
        op: the device's name for it.
        digests: tensor index to the first 8 bytes of SHA-256 of its bytes right after the operator.
        cycles: of the operator alone, of the target's kind.
        instructions: exact count, None where the target cannot count them.
    """

    index: int
    op: str
    digests: Mapping[int, bytes]
    cycles: int
    instructions: int | None


@dataclass(frozen=True, slots=True)
class ArenaObservation:
    """The device's own arena numbers, in bytes.

    Attributes:
        used_bytes: head and tail together.
        offsets: tensor index to offset from the arena's base.
        region: memory that holds the arena, such as "SDRAM2".
    """

    used_bytes: int
    offsets: Mapping[int, int]
    region: str = ""


@dataclass(frozen=True, slots=True)
class LinkStats:
    """What a conversation with the device cost.

    Attributes:
        bytes: over the link, in both directions.
        retries: requests that had to be sent again.
        seconds: from the first byte to the last, the device's own work included.
    """

    bytes: int
    retries: int
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Observation:
    """One inference on a target.

    Attributes:
        captured: (operator index, tensor index) to the bytes fetched by a second run, for those
            outputs whose digest differed from the golden's.
    """

    target: TargetIdentity
    model_sha256: str
    operators: tuple[OperatorObservation, ...]
    arena: ArenaObservation
    link: LinkStats
    captured: Mapping[tuple[int, int], bytes] = field(default_factory=dict)
