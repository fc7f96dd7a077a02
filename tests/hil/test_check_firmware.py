"""What an ELF says: arenas, the model, memories and registrations."""

from __future__ import annotations

import pytest

import pyref
from emulator import Board
from fixtures.writer import Model, Operator, SubGraph, Tensor, build
from hil import resources
from hil.check import elf_contents, firmware, registrations
from hil.errors import FirmwareFileError, UsageError
from pyref.resolver import METHODS
from tests.hil.elf_writer import Entry, Load, elf
from tests.hil.public_models import FIXTURES

BOARD = Board.from_file(resources.board("stm32h747i_disco") / "board.yaml")
PARSE = "EPKNS_8OperatorEPNS_13ErrorReporterEPNS_20BuiltinDataAllocatorEPPv"


def mangled(name: str, namespace: str = "") -> str:
    """`tflite::name()` as the compiler mangles it."""
    inner = f"{len(namespace)}{namespace}" if namespace else ""
    return f"_ZN6tflite{inner}{len(name)}{name}Ev"


def registers(*ops: str) -> list[Entry]:
    return [Entry(mangled(f"Register_{op}")) for op in ops]


def resolver_of(size: int) -> Entry:
    return Entry(f"_ZTVN6tflite22MicroMutableOpResolverILj{size}EEE", kind="OBJECT", size_bytes=28)


@pytest.fixture(scope="module")
def model():
    return pyref.Model.from_file(FIXTURES / "c2_bn.tflite")


@pytest.fixture(scope="module")
def plan(model):
    return pyref.plan(model)


FLASH_ONLY = (Load(0x0800_0000, 64, bytes(64)),)
C2_BN_OPS = (
    "CONV_2D",
    "MAX_POOL_2D",
    "STRIDED_SLICE",
    "LOGISTIC",
    "QUANTIZE",
    "CONCATENATION",
    "DEQUANTIZE",
)
ARENA = "_ZN12_GLOBAL__N_112tensor_arenaE"


def examine(tmp_path, model, plan, symbols=(), segments=FLASH_ONLY, **more):
    path = tmp_path / "firmware.elf"
    path.write_bytes(elf(symbols, segments, **more))
    return firmware.examine(path, model, BOARD, plan)


def arena_at(address: int, size: int, name: str = ARENA) -> Entry:
    return Entry(name, address, size, "OBJECT", is_local=True)


#: address, size less smallest, missing, memory
ARENAS = {
    "exact": (0xD000_0000, 0, 0, "SDRAM2"),
    "four-short": (0xD000_0000, -4, 4, "SDRAM2"),
    "ample-but-unaligned": (0xD000_0004, 0, 12, "SDRAM2"),
    "unaligned-and-large-enough": (0xD000_0004, 12, 0, "SDRAM2"),
    "outside": (0x9000_0000, 0, 0, None),
}


@pytest.mark.parametrize("case", ARENAS.values(), ids=ARENAS)
def test_arena_symbol(tmp_path, model, plan, case):
    address, more, missing, memory = case
    size = plan.smallest_arena_bytes + more
    found = examine(tmp_path, model, plan, [arena_at(address, size)])
    (symbol,) = found.arenas
    assert (symbol.name, symbol.address, symbol.size_bytes) == ("tensor_arena", address, size)
    assert (symbol.missing_bytes, symbol.memory) == (missing, memory)
    assert (plan.refusal(size, base=address) is None) == (missing == 0)
    assert symbol.load_address is None
    if missing:
        (reason,) = found.reasons
        assert reason == (
            f"the firmware's tensor_arena has {size:,} bytes: {missing:,} are missing "
            f'(TFLM: "{plan.refusal(size, base=address)}")'
        )
    else:
        assert not found.reasons
    notes = " ".join(found.notes)
    assert ("TFLM skips 12; give it alignas(16)" in notes) == bool(address % 16)
    assert ("Device memory until firmware says otherwise" in notes) == (memory == "SDRAM2")
    assert ("is in no memory of stm32h747i_disco" in notes) == (memory is None)


def test_an_arena_with_initial_bytes_takes_flash(tmp_path, model, plan):
    segments = [Load(0x2400_0000, 4096, bytes(4096), load_address=0x0801_0000)]
    found = examine(tmp_path, model, plan, [arena_at(0x2400_0100, 1024)], segments)
    assert found.arenas[0].load_address == 0x0801_0100
    assert "take 1,024 bytes of flash at 0x08010100" in " ".join(found.notes)


def test_an_arena_in_bss_takes_none(tmp_path, model, plan):
    segments = [Load(0x2400_0000, 4096, bytes(64), load_address=0x0801_0000)]
    found = examine(tmp_path, model, plan, [arena_at(0x2400_0100, 1024)], segments)
    assert found.arenas[0].load_address is None


def test_the_largest_of_several_arenas_is_judged(tmp_path, model, plan):
    symbols = [
        arena_at(0xD000_0000, 512),
        arena_at(0xD010_0000, plan.smallest_arena_bytes),  # of the same name, in another file
        arena_at(0x2000_0000, 300, "scratchArena"),
    ]
    found = examine(tmp_path, model, plan, symbols)
    assert [a.size_bytes for a in found.arenas] == [plan.smallest_arena_bytes, 512, 300]
    assert not found.reasons


@pytest.mark.parametrize(
    "entry",
    [
        Entry("arena_init", 0x0800_1000, 400, "FUNC"),
        Entry("_ZTVN6tflite26SingleArenaBufferAllocatorE", 0x0800_1000, 400, "OBJECT"),
        Entry("arena_size", 0x2000_0000, 4, "OBJECT"),
        Entry("buffer", 0x2000_0000, 4096, "OBJECT"),
    ],
    ids=["function", "virtual-table", "counter", "other-name"],
)
def test_what_is_no_arena(tmp_path, model, plan, entry):
    found = examine(tmp_path, model, plan, [entry])
    assert not found.arenas
    assert "no object of the ELF has `arena` in its name" in " ".join(found.notes)
    assert not found.reasons


def test_memories_count_what_is_loaded_and_what_runs(tmp_path, model, plan):
    segments = [
        Load(0x0800_0000, 1000, bytes(1000)),
        Load(0x2000_0000, 5000, bytes(100), load_address=0x0800_03E8),
        Load(0xD000_0000, 700_000),
    ]
    found = examine(tmp_path, model, plan, [], segments)
    used = {m.name: m.used_bytes for m in found.memories if m.used_bytes}
    assert used == {"FLASH": 1100, "DTCM": 5000, "SDRAM2": 700_000}
    free = {m.name: m.free_bytes for m in found.memories}
    assert free["DTCM"] == 0x20000 - 5000


@pytest.mark.parametrize("skew", [0, 4], ids=["aligned", "4-off"])
def test_the_model_inside_the_elf(tmp_path, model, plan, skew):
    segments = [Load(0x0800_0000, 64 + skew + len(model.data), bytes(64 + skew) + model.data)]
    found = examine(tmp_path, model, plan, [], segments)
    assert found.model.address == 0x0800_0040 + skew
    assert found.model.memory == "FLASH"
    assert found.model.misalignment_bytes == skew
    assert any("off a multiple of 16" in r for r in found.reasons) == bool(skew)


def test_another_model_inside_is_a_note(tmp_path, model, plan):
    found = examine(tmp_path, model, plan)
    assert found.model is None
    assert "the ELF does not carry this model" in " ".join(found.notes)


REGISTRATIONS = {
    "all": (registers(*C2_BN_OPS), (), None),
    "one-lacks": (registers(*C2_BN_OPS[:-1]), ("DEQUANTIZE",), None),
    "of-one-type": (registers("CONV_2D_INT8", "MAX_POOL_2D_INT8", *C2_BN_OPS[2:]), (), None),
    "of-another-type": (
        registers("CONV_2D_INT16", *C2_BN_OPS[1:]),
        ("CONV_2D for INT8 (only Register_CONV_2D_INT16)",),
        None,
    ),
    "a-longer-name-is-another": (
        registers("QUANTIZE_MORE", *(op for op in C2_BN_OPS if op != "QUANTIZE")),
        ("QUANTIZE",),
        None,
    ),
    "resolver-fits": ([*registers(*C2_BN_OPS), resolver_of(7)], (), None),
    "resolver-too-small": (
        [*registers(*C2_BN_OPS), resolver_of(5)],
        (),
        "Couldn't register builtin op #2, resolver size is too small (5).",
    ),
    "two-resolvers": ([*registers(*C2_BN_OPS), resolver_of(5), resolver_of(9)], (), None),
    "nothing-told": ([Entry("main")], (), None),
}


@pytest.mark.parametrize("case", REGISTRATIONS.values(), ids=REGISTRATIONS)
def test_registrations(tmp_path, model, plan, case):
    symbols, missing, message = case
    found = examine(tmp_path, model, plan, symbols)
    assert found.registrations.missing == missing
    assert found.registrations.resolver_message == message
    reasons = " ".join(found.reasons)
    assert ("the firmware registers no " + ", ".join(missing) in reasons) == bool(missing)
    assert (message or "no message") in reasons or message is None


def test_link_time_optimisation_leaves_parsers_that_tell_less(tmp_path, model, plan):
    symbols = [
        Entry(f"_ZN6tflite11ParseConv2D{PARSE}", is_local=True),
        Entry(f"_ZN6tflite9ParsePool{PARSE}", is_local=True),
        resolver_of(7),
    ]
    found = examine(tmp_path, model, plan, symbols)
    assert not found.registrations.missing
    assert found.registrations.unclear == (
        "STRIDED_SLICE",
        "LOGISTIC",
        "QUANTIZE",
        "CONCATENATION",
        "DEQUANTIZE",
    )
    assert "optimised at link time, where that proves nothing" in " ".join(found.notes)
    assert not found.reasons


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (Entry("_ZN6tflite16Register_CONV_2DEv", is_local=True), True),
        (Entry("_ZN6tflite16Register_CONV_2DEv"), False),
        (Entry("_ZN6tflite12_GLOBAL__N_18ConvInitEP13TfLiteContextPKcj", is_local=True), False),
        (Entry("_ZN6tfliteL8ConvInitEv", is_local=True), False),
        (Entry("_ZN6tflite16Register_CONV_2DEv.isra.0", is_local=True), False),
        (Entry("main", is_local=True), False),
    ],
    ids=["local", "global", "anonymous-namespace", "static", "clone", "not-tflm"],
)
def test_signs_of_link_time_optimisation(entry, expected):
    symbol = elf_contents.Symbol(entry.name, 0, 4, "FUNC", entry.is_local)
    assert elf_contents.optimised_at_link_time([symbol]) == expected


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ("CONV_2D", "CONV_2D"),
        ("SignalFilterBankSpectralSubtraction", "FILTER_BANK_SPECTRAL_SUBTRACTION"),
        ("SignalFftAutoScale", "FFT_AUTO_SCALE"),
        ("SignalPCAN", "PCAN"),
        ("SignalIrfft", "IRFFT"),
        ("CIRCULAR_BUFFER", "CIRCULAR_BUFFER"),
        ("TFLM_DECODE", "DECODE"),
        ("TFLite_Detection_PostProcess", "DETECTION_POSTPROCESS"),
        ("ethos-u", "ETHOSU"),
    ],
)
def test_names_of_registrations(op, name):
    assert registrations.registration(op) == name


@pytest.mark.parametrize("op", sorted(METHODS))
def test_every_operator_has_a_registration_name(op):
    assert registrations.registration(op).isupper()


def test_signal_registrations_stand_in_a_namespace_of_their_own():
    names = [mangled("Register_RFFT", "tflm_signal"), mangled("Register_ADD")]
    tensors = [Tensor([4]), Tensor([4])]
    model = pyref.Model.from_bytes(
        build(Model([SubGraph(tensors, [Operator("ADD", [0, 0], [1], {})], [0], [1])]))
    )
    found = registrations.examine(names, model, link_time=False)
    assert found.registered == ("ADD", "RFFT")
    assert not found.missing


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        (ARENA, "tensor_arena"),
        ("_ZL12tensor_arena", "tensor_arena"),
        ("tensor_arena", "tensor_arena"),
        ("_ZN3app8g_arena_E", "g_arena_"),
        ("_ZZ5setupvE5arena", "arena"),
        ("_Z", "_Z"),
    ],
    ids=["anonymous", "static", "c", "namespace", "inside-a-function", "broken"],
)
def test_plain_names(name, plain):
    assert elf_contents.plain_name(name) == plain


def test_a_stripped_elf_tells_nothing_and_is_no_failure(tmp_path, model, plan):
    found = examine(tmp_path, model, plan, stripped=True)
    assert not found.has_symbols
    assert not found.reasons
    assert "no symbol table: look at the one before `strip`" in " ".join(found.notes)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not an ELF file"),
        (b"hello world" * 10, "not an ELF file"),
        (elf()[:60], "cut off"),
        (
            elf().replace(b"\x28\x00\x01\x00\x00\x00", b"\x3e\x00\x01\x00\x00\x00", 1),
            "not an Arm executable",
        ),
    ],
    ids=["empty", "text", "cut", "x86"],
)
def test_bad_elf_files(tmp_path, model, plan, content, words):
    path = tmp_path / "bad.elf"
    path.write_bytes(content)
    with pytest.raises(FirmwareFileError, match=words):
        firmware.examine(path, model, BOARD, plan)


def test_no_elf_file(tmp_path, model, plan):
    with pytest.raises(UsageError, match="no firmware at"):
        firmware.examine(tmp_path / "none.elf", model, BOARD, plan)
