# ruff: noqa: SIM905 - a mnemonic a word reads better than a quoted list over many lines
"""Thumb instructions, decoded by capstone, as operations of the pipeline model.

An encoding decodes once per process: timing does not depend on where an instruction stands.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import capstone
from capstone import arm_const as cs

from emulator import timing
from emulator.timing import Latency, Operation, Unit, Use

_DISASSEMBLER: Final[Any] = capstone.Cs(
    capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB + capstone.CS_MODE_MCLASS
)
_DISASSEMBLER.detail = True

_LOADS: Final = frozenset("ldr ldrt ldrex".split())
_PART_LOADS: Final = frozenset(
    "ldrb ldrh ldrsb ldrsh ldrbt ldrht ldrsbt ldrsht ldrexb ldrexh".split()
)
_STORES: Final = frozenset("str strb strh strt strbt strht".split())
_MANY: Final = frozenset("ldm ldmdb pop stm stmdb push ldrd strd vldmia vldmdb vpop".split()) | {
    "vstmia",
    "vstmdb",
    "vpush",
}
_MULTIPLY: Final = frozenset(
    "mul mla mls smull umull smlal umlal umaal smmul smmulr smmla smmlar smmls smmlsr smlad smladx "
    "smlsd smlsdx smuad smuadx smusd smusdx smlald smlaldx smlsld smlsldx smulbb smulbt smultb "
    "smultt smlabb smlabt smlatb smlatt smulwb smulwt smlawb smlawt smlalbb smlalbt smlaltb "
    "smlaltt".split()
)
_ACCUMULATE_LAST: Final = frozenset(
    "mla mls smmla smmlar smmls smmlsr smlad smladx smlsd smlsdx smlabb smlabt smlatb smlatt "
    "smlawb smlawt".split()
)
_SATURATE: Final = frozenset("ssat usat ssat16 usat16 qadd qsub qdadd qdsub usad8 usada8".split())
_EXTRACT: Final = frozenset("ubfx sbfx bfi bfc pkhbt pkhtb".split())
_EXTRACT_PREFIXES: Final = ("sxta", "uxta")
_EXTEND_PREFIXES: Final = ("sxt", "uxt")
_PARALLEL: Final = frozenset(
    f"{kind}{what}"
    for kind in ("s", "u", "q", "uq", "sh", "uh")
    for what in ("add8", "add16", "sub8", "sub16", "asx", "sax")
) | {"sel"}
_DIVIDE: Final = frozenset(("sdiv", "udiv"))
_SPECIAL: Final = frozenset("mrs msr dmb dsb isb cps cpsie cpsid svc bkpt vmrs vmsr".split())
_BRANCHES: Final = frozenset("b bl bx blx cbz cbnz".split())

# Floating point: (latency, of that to an accumulator, issue cycles). Latencies: jnk0le; where it
# is silent, LLVM, whose ReadAdvance gives the accumulator's. Issue cycles: GCC.
_MULTIPLY_ADD: Final = ("vmla", "vmls", "vnmla", "vnmls")
_FUSED: Final = ("vfma", "vfms", "vfnma", "vfnms")
_MOVES: Final = ("vmov", "vneg", "vabs")
_FP_SINGLE: Final = {
    "vdiv": (16, 16, 14),
    "vsqrt": (14, 14, 12),
    **dict.fromkeys(_MULTIPLY_ADD, (6, 3, 1)),
    **dict.fromkeys(_FUSED, (5, 3, 1)),
    **dict.fromkeys(_MOVES, (1, 1, 1)),
}
_FP_DOUBLE: Final = {
    "vdiv": (30, 30, 28),
    "vsqrt": (30, 30, 28),
    "vmul": (5, 5, 3),
    "vnmul": (5, 5, 3),
    **dict.fromkeys(_MULTIPLY_ADD + _FUSED, (10, 10, 4)),
    **dict.fromkeys(_MOVES, (1, 1, 1)),
}
_FP_DEFAULT: Final = (3, 3, 1)  # LLVM, jnk0le: VADD, VMUL, VCVT, VCMP 3


@functools.lru_cache(maxsize=1 << 16)
def decode(encoding: bytes) -> Operation:
    """One instruction, 2 or 4 bytes. An unknown one issues alone and takes a cycle."""
    instruction = next(_DISASSEMBLER.disasm(encoding, 0), None)
    if instruction is None:
        return Operation(Unit.ALONE, floating_point=needs_coprocessor(encoding))
    name = _DISASSEMBLER.insn_name(instruction.id)
    if name.startswith("v") and name not in _MANY:
        return _floating_point(name, instruction)
    unit, latency, cycles = _integer_class(name, instruction)
    return _operation(name, instruction, unit, latency, cycles)


def needs_coprocessor(encoding: bytes) -> bool:
    """Whether CPACR must allow coprocessors 10 and 11 for it (ARMv7-M ARM, A5.3.18)."""
    if len(encoding) < 4:
        return False
    first = int.from_bytes(encoding[:2], "little")
    return first & 0xEC00 == 0xEC00 and encoding[3] >> 1 & 7 == 0b101


def _integer_class(name: str, instruction: Any) -> tuple[Unit, Latency, int]:
    if name in _LOADS:
        return Unit.LOAD, timing.LOAD, 1
    if name in _PART_LOADS:
        return Unit.LOAD, timing.LOAD_PART, 1
    if name in _STORES or name.startswith("strex"):
        return Unit.STORE, timing.ALU, 1
    if name in _MANY:  # jnk0le: two registers a cycle, issued alone
        cycles = (_transferred_words(name, instruction) + 1) // 2
        return Unit.ALONE, timing.later(timing.LOAD, cycles - 1), cycles
    if name in _MULTIPLY:
        return Unit.MUL, timing.MUL, 1
    if name in _SATURATE:
        return Unit.DSP, timing.SATURATE, 1
    if name in _PARALLEL or name in _EXTRACT or name.startswith(_EXTEND_PREFIXES):
        return Unit.DSP, timing.DSP, 1
    if name in _DIVIDE:
        return Unit.ALONE, timing.DIVIDE, 1
    if name in ("tbb", "tbh"):  # LLVM: two micro-operations, issued alone
        return Unit.ALONE, timing.LOAD, 2
    if name in _BRANCHES:
        return Unit.BRANCH, timing.ALU, 1
    if name in _SPECIAL:
        return Unit.ALONE, timing.SPECIAL, 1
    shifted = any(o.type == cs.ARM_OP_REG and o.shift.type for o in instruction.operands)
    return (Unit.SHIFT if shifted else Unit.ALU), timing.ALU, 1


def _transferred_words(name: str, instruction: Any) -> int:
    if name in ("ldrd", "strd"):
        return 2
    listed = [o.reg for o in instruction.operands if o.type == cs.ARM_OP_REG]
    if name not in ("push", "pop", "vpush", "vpop"):
        listed = listed[1:]
    return sum(2 if cs.ARM_REG_D0 <= r <= cs.ARM_REG_D31 else 1 for r in listed)


def _words(register: int) -> tuple[int, ...]:
    """A double-precision register as the two single-precision ones it overlaps."""
    if cs.ARM_REG_D0 <= register <= cs.ARM_REG_D15:
        first = cs.ARM_REG_S0 + 2 * (register - cs.ARM_REG_D0)
        return first, first + 1
    return (register,)


def _operation(name: str, instruction: Any, unit: Unit, latency: Latency, cycles: int) -> Operation:
    operands = instruction.operands
    read, written = instruction.regs_access()
    uses: dict[int, Use] = {}
    early = unit is Unit.DSP and (name in _EXTRACT or name.startswith(_EXTRACT_PREFIXES))
    default = Use.MUL if unit is Unit.MUL else Use.EARLY if early else Use.ALU
    for register in read:
        for word in _words(register):
            uses[word] = default
    bank = None
    base = 0
    for operand in operands:
        if operand.type == cs.ARM_OP_REG and operand.shift.type:
            uses[operand.reg] = Use.EARLY
        elif operand.type == cs.ARM_OP_MEM:
            base = operand.mem.base
            for register in (base, operand.mem.index):
                if register:
                    uses[register] = Use.ADDRESS
            if unit is Unit.LOAD and not operand.mem.index and not instruction.writeback:
                bank = (base, operand.mem.disp)
    if name in _MULTIPLY_ADD + _FUSED:
        uses.update((word, Use.ACCUMULATE) for word in _words(operands[0].reg))
    if name in _ACCUMULATE_LAST:
        uses[operands[-1].reg] = Use.ACCUMULATE
    if instruction.writeback and base:
        uses[base] = Use.ADDRESS
    if name.startswith(("smlal", "umlal", "smlsl", "umaal")):
        for operand in operands[:2]:
            uses[operand.reg] = Use.ACCUMULATE
    if unit is Unit.BRANCH:  # predicted: waits for nothing
        uses = {}
    writes = tuple(
        (word, timing.BASE if instruction.writeback and register == base else latency)
        for register in written
        if register != cs.ARM_REG_PC
        for word in _words(register)
    )
    target = None
    if unit is Unit.BRANCH and operands and operands[-1].type == cs.ARM_OP_IMM:
        target = operands[-1].imm
    return Operation(
        unit=unit,
        reads=tuple(uses.items()),
        writes=writes,
        cycles=cycles,
        bank=bank,
        floating_point=needs_coprocessor(bytes(instruction.bytes)),
        target=target,
    )


def _floating_point(name: str, instruction: Any) -> Operation:
    wide = cs.ARM_REG_D0 <= instruction.operands[0].reg <= cs.ARM_REG_D31
    if name == "vldr":  # LLVM: single 1, double 2 and alone; jnk0le: 3 to an FMA accumulator
        unit, numbers = (Unit.ALONE, (2, 3, 1)) if wide else (Unit.LOAD, (1, 3, 1))
    elif name == "vstr":
        unit, numbers = (Unit.ALONE if wide else Unit.STORE), (1, 1, 1)
    elif name in ("vmrs", "vmsr"):
        unit, numbers = Unit.ALONE, (3, 3, 1)
    else:
        table = _FP_DOUBLE if ".f64" in instruction.mnemonic else _FP_SINGLE
        unit, numbers = Unit.FP, table.get(name, _FP_DEFAULT)
    latency, accumulate, cycles = numbers
    return _operation(name, instruction, unit, timing.flat(latency, accumulate), cycles)
