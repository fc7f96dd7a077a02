"""A model of Cortex-M7's pipeline for one basic block: in order, two instructions a cycle.

What it is: an estimate from published observations, with every memory access a hit in a cache or
TCM. It is not a measurement, and no result of it has been compared with a board yet.

Sources, cited per line below:
  LLVM    llvm/lib/Target/ARM/ARMScheduleM7.td
  jnk0le  jnk0le/random, "cortex m7 pipeline": DWT measurements on an STM32H743
  quina   quinapalus.com, "Cortex-M7 cycle counts"
  GCC     gcc/config/arm/cortex-m7.md
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

MISPREDICT_CYCLES: Final = 8  # jnk0le: 8, or 6 if the flags were set 3 cycles before; LLVM: 4 or 6


class Unit(enum.Enum):
    """What executes an instruction, as far as pairing two in a cycle is concerned."""

    ALU = "alu"
    SHIFT = "alu with inline shift"
    DSP = "extend, pack, bit field, saturate, parallel arithmetic"
    MUL = "multiply, multiply-accumulate"
    LOAD = "load"
    STORE = "store"
    BRANCH = "branch"
    FP = "floating-point arithmetic"
    ALONE = "issues alone"


class Use(enum.IntEnum):
    """Where in the pipeline an operand is needed."""

    ALU = 0  # late ALU, store data
    MUL = 1  # multiplicand
    EARLY = 2  # shifted operand, bit field source
    ADDRESS = 3  # address generation
    ACCUMULATE = 4  # accumulator of a multiply-accumulate


# Cycles from issue until a use of each kind may issue, in the order of `Use`.
Latency = tuple[int, int, int, int, int]
ALU: Final[Latency] = (1, 1, 2, 2, 1)  # LLVM: 1; shifted operands and addresses read at EX1, +1
DSP: Final[Latency] = (1, 1, 2, 2, 1)  # LLVM SXTB16 1; jnk0le: result to address +1
SATURATE: Final[Latency] = (2, 2, 3, 3, 2)  # LLVM: SSAT, USAT, QADD, QDADD 2
MUL: Final[Latency] = (2, 2, 3, 3, 1)  # LLVM: 2, accumulator read one later; jnk0le the same
LOAD: Final[Latency] = (1, 2, 2, 3, 2)  # jnk0le: late ALU next cycle, others +1; quina: chase 3
LOAD_PART: Final[Latency] = (2, 3, 3, 4, 3)  # jnk0le: byte and halfword loads one more than words
DIVIDE: Final[Latency] = (7, 7, 7, 7, 7)  # LLVM: 7, issued alone
SPECIAL: Final[Latency] = (3, 3, 3, 3, 3)  # LLVM: MRS, MSR and barriers 3
BASE: Final[Latency] = (1, 1, 1, 1, 1)  # jnk0le: updated base register usable every cycle


def flat(cycles: int, accumulate: int | None = None) -> Latency:
    """A latency that is the same for every use, or for every use but an accumulator."""
    return (cycles, cycles, cycles, cycles, cycles if accumulate is None else accumulate)


def later(latency: Latency, cycles: int) -> Latency:
    """The same latency `cycles` later."""
    alu, mul, early, address, accumulate = latency
    return (alu + cycles, mul + cycles, early + cycles, address + cycles, accumulate + cycles)


@dataclass(frozen=True, slots=True)
class Operation:
    """An instruction as the pipeline sees it.

    Attributes:
        unit: What executes it.
        reads: (register, use) pairs. Registers are capstone's numbers.
        writes: (register, latency) pairs.
        cycles: Issue cycles it takes for itself.
        bank: For a load with an immediate offset: (base register, offset). Else None.
        floating_point: Whether CPACR must allow it.
        target: Offset of a direct branch from the instruction's own address, or None.
    """

    unit: Unit
    reads: tuple[tuple[int, Use], ...] = ()
    writes: tuple[tuple[int, Latency], ...] = ()
    cycles: int = 1
    bank: tuple[int, int] | None = None
    floating_point: bool = False
    target: int | None = None


# Two of these in one cycle do not go; neither does a multiply with a store (jnk0le, GCC).
_ONE_A_CYCLE: Final = (
    Unit.SHIFT,  # jnk0le: only one shifted operand a cycle
    Unit.DSP,  # jnk0le: one DSP or bit-field instruction a cycle, in the older slot
    Unit.MUL,  # jnk0le: 1 a cycle
    Unit.STORE,  # jnk0le: 1 a cycle, pairs with a load
    Unit.BRANCH,
    Unit.FP,  # jnk0le: two FP arithmetic instructions never pair
)


def _pairs(older: Operation, younger: Operation) -> bool:
    """Whether two instructions without a dependency issue in one cycle."""
    if Unit.ALONE in (older.unit, younger.unit) or older.cycles > 1 or younger.cycles > 1:
        return False
    if older.unit is younger.unit:
        if older.unit is Unit.LOAD:
            return _different_banks(older, younger)
        return older.unit not in _ONE_A_CYCLE
    if younger.unit is Unit.DSP:
        return False
    return {older.unit, younger.unit} != {Unit.MUL, Unit.STORE}


def _different_banks(older: Operation, younger: Operation) -> bool:
    """jnk0le: two loads pair if they hit even and odd words; known for equal bases only."""
    if older.bank is None or younger.bank is None or older.bank[0] != younger.bank[0]:
        return False
    return bool((older.bank[1] ^ younger.bank[1]) & 4)


@dataclass
class _Pipeline:
    """State between instructions: the cycle that issues now and when registers are ready."""

    now: int = 0
    issued: list[Operation] = field(default_factory=list)
    ready: dict[int, tuple[int, Latency]] = field(default_factory=dict)

    def issue(self, operation: Operation) -> None:
        start = self.now
        for register, use in operation.reads:
            written, latency = self.ready.get(register, (0, _AT_ONCE))
            start = max(start, written + latency[use])
        if start > self.now or len(self.issued) > 1:
            self._advance(max(start, self.now + (len(self.issued) > 1)))
        elif self.issued and not _pairs(self.issued[0], operation):
            self._advance(self.now + 1)
        self.issued.append(operation)
        for register, latency in operation.writes:
            self.ready[register] = (self.now, latency)
        if operation.cycles > 1 or operation.unit in (Unit.ALONE, Unit.BRANCH):
            self._advance(self.now + operation.cycles)

    def _advance(self, cycle: int) -> None:
        self.now = cycle
        self.issued.clear()

    @property
    def elapsed(self) -> int:
        """Cycles until the next block may start."""
        return self.now + (1 if self.issued else 0)


_AT_ONCE: Final[Latency] = flat(0)


def block_cycles(operations: Sequence[Operation], *, loops: bool) -> int:
    """Cycles that a basic block takes, all branches predicted.

    Args:
        operations: The block.
        loops: Whether it ends with a branch to its own start. Then the result is what each
            further iteration costs, dependencies from one to the next included.
    """
    pipeline = _Pipeline()
    for operation in operations:
        pipeline.issue(operation)
    first = pipeline.elapsed
    if not loops:
        return first
    for operation in operations:
        pipeline.issue(operation)
    return pipeline.elapsed - first
