"""Checks of what a device says, before anyone believes its numbers."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from hil.errors import BoardInitError, CycleCounterError, MemoryContentError, WrongCoreError
from hil.protocol.codes import InitStage
from hil.protocol.messages import DIGEST_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hil.device import OpResult
    from hil.protocol.messages import HelloReply

# CPUID.PARTNO, bits 15:4 (DDI 0403 B3.2.3).
_PARTS: Final = {0xC20: "cortex-m0", 0xC60: "cortex-m0plus", 0xC23: "cortex-m3"} | {
    0xC24: "cortex-m4",
    0xC27: "cortex-m7",
    0xD20: "cortex-m23",
    0xD21: "cortex-m33",
    0xD22: "cortex-m55",
}


def core_name(cpuid: int) -> str:
    """Name of the core with this CPUID, in words where it is not known."""
    return _PARTS.get(cpuid >> 4 & 0xFFF, f"unknown core with CPUID {cpuid:#010x}")


def check_hello(reply: HelloReply, core: str | None) -> None:
    """Checks that the device is the right core and came up completely.

    Raises:
        WrongCoreError: it is another core.
        BoardInitError: it did not come up.
        CycleCounterError: all of it did but the cycle counter.
    """
    name = core_name(reply.cpuid)
    if core is not None and name != core:
        raise WrongCoreError(expected=core, got=name)
    if reply.init_stage == InitStage.CYCLE_COUNTER:
        raise CycleCounterError(got="a counter that stands still at start-up")
    if reply.init_stage != InitStage.NONE:
        try:
            stage = InitStage(reply.init_stage).name
        except ValueError:
            stage = f"number {reply.init_stage}"
        raise BoardInitError(stage)


def check_cycles(results: Sequence[OpResult]) -> None:
    """Checks that cycles look like a counter that counts.

    Equal cycles are right for operators that do the same work, so they are refused only where the
    operators differ in kind or in output length.

    Raises:
        CycleCounterError: all zero, or all the same over different work.
    """
    if not results:
        return
    cycles = {result.cycles for result in results}
    if cycles == {0}:
        raise CycleCounterError(got=f"0 for each of {len(results)} operators")
    work = {(r.op, tuple(o.length_bytes for o in r.outputs)) for r in results}
    if len(cycles) == 1 and len(work) > 1:
        raise CycleCounterError(got=f"{cycles.pop()} for each of {len(results)} operators")


def check_digest(what: str, data: bytes, digest: bytes) -> None:
    """Checks bytes read back against the digest the device made of them.

    Raises:
        MemoryContentError: they differ.
    """
    got = hashlib.sha256(data).digest()[:DIGEST_BYTES]
    if got != digest:
        raise MemoryContentError(what, expected=digest, got=got)
