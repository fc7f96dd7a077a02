"""Board files and ELF files: what is read, and what is said about unusable ones."""

from __future__ import annotations

import contextlib
import copy

import pytest
import yaml

import emulator
from tests.emulator.emulator_programs import BOARD_FILE, FLASH, board, elf, program_elf


def test_the_board_has_the_memories_of_the_chip():
    found = {m.name: (m.base, m.size_bytes, m.access, m.attributes) for m in board().memories}
    assert found == {
        "ITCM": (0x0000_0000, 64 << 10, "rwx", "normal"),
        "FLASH": (0x0800_0000, 2 << 20, "rx", "normal"),
        "DTCM": (0x2000_0000, 128 << 10, "rwx", "normal"),
        "AXI_SRAM": (0x2400_0000, 512 << 10, "rwx", "normal"),
        "SRAM1": (0x3000_0000, 128 << 10, "rwx", "normal"),
        "SRAM2": (0x3002_0000, 128 << 10, "rwx", "normal"),
        "SRAM3": (0x3004_0000, 32 << 10, "rwx", "normal"),
        "SRAM4": (0x3800_0000, 64 << 10, "rwx", "normal"),
        "BACKUP_SRAM": (0x3880_0000, 4 << 10, "rwx", "normal"),
        "SDRAM2": (0xD000_0000, 4 << 20, "rw", "device"),
    }


def test_lookups():
    b = board()
    assert (b.name, b.core) == (BOARD_FILE.parent.name, "cortex-m7")
    assert b.memory("axi_sram").end == 0x2408_0000
    assert b.peripheral(b.console.peripheral).base == 0x4001_1000
    with pytest.raises(KeyError):
        b.memory("psram")
    with pytest.raises(KeyError):
        b.peripheral("USART9")


def changed(change):
    data = copy.deepcopy(yaml.safe_load(BOARD_FILE.read_text()))
    change(data)
    return data


BAD = {
    "unknown-key": (lambda d: d.update(colour="red"), "colour: is not known here; known: name,"),
    "unknown-memory-key": (
        lambda d: d["memories"][0].update(size=1),
        r"memories\[0\]\.size: is not known here",
    ),
    "kind": (lambda d: d["memories"][0].update(kind="bogus"), r"memories\[0\]\.kind: must be one"),
    "no-name": (lambda d: d.pop("name"), "board: name: is missing"),
    "core": (lambda d: d.update(core="cortex-m4"), "core: must be one of cortex-m7, is"),
    "clock": (lambda d: d.update(clock_hz=0), "clock_hz: must be 1..4294967295, is 0"),
    "clock-text": (lambda d: d.update(clock_hz="fast"), "clock_hz: must be int, is str 'fast'"),
    "no-base": (lambda d: d["memories"][3].pop("base"), r"memories\[3\]\.base: is missing"),
    "size": (
        lambda d: d["memories"][1].update(size_bytes=1000),
        r"memories\[1\]\.size_bytes: must",
    ),
    "odd-base": (
        lambda d: d["memories"][1].update(base=0x08000001),
        r"memories\[1\]\.base: must be a multiple of 1024",
    ),
    "access": (lambda d: d["memories"][0].update(access="wx"), "access: must be one of r, rx, rw"),
    "overlap": (
        lambda d: d["memories"][2].update(size_bytes=0x0500_0000),
        "memories: DTCM ends at 0x25000000, inside AXI_SRAM",
    ),
    "vectors": (lambda d: d.update(vectors=0x6000_0000), "vectors: no memory holds the vector"),
    "console": (
        lambda d: d["console"].update(peripheral="USART9"),
        "console.peripheral: names 'USART9', which is not among the peripherals",
    ),
    "peripheral-base": (
        lambda d: d["peripherals"][0].update(base=0x40011004),
        r"peripherals\[0\]\.base: must be a multiple of 1024",
    ),
    "peripheral-in-memory": (
        lambda d: d["peripherals"][2].update(base=0x24000000),
        r"peripherals\[2\]\.base: 0x24000000 lies inside AXI_SRAM",
    ),
    "peripheral-twice": (
        lambda d: d["peripherals"].append(d["peripherals"][1] | {"name": "AGAIN"}),
        r"peripherals\[1\]: FLASH_R at 0x52002000 repeats AGAIN's name or base",
    ),
    "memories": (lambda d: d.update(memories=3), "memories: must be list, is int 3"),
    "entry": (lambda d: d["memories"].append("x"), r"memories\[10\]: must be a mapping, is str"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_board_says_where_and_what(name):
    change, message = BAD[name]
    with pytest.raises(emulator.BoardError, match=message):
        emulator.Board.from_mapping(changed(change))


def test_an_unknown_peripheral_type():
    data = changed(lambda d: d["peripherals"][1].update(type="toaster"))
    with pytest.raises(emulator.BoardError, match="unknown type 'toaster'; known: dbgmcu, flash"):
        emulator.Machine(emulator.Board.from_mapping(data), program_elf("count"))


def test_board_files_that_cannot_be_read(tmp_path):
    with pytest.raises(emulator.BoardError, match="cannot be read: No such file"):
        emulator.Board.from_file(tmp_path / "board.yaml")
    (tmp_path / "board.yaml").write_text("a: [")
    with pytest.raises(emulator.BoardError, match="is not YAML"):
        emulator.Board.from_file(tmp_path / "board.yaml")
    (tmp_path / "board.yaml").write_text("- a")
    with pytest.raises(emulator.BoardError, match="file: must be a mapping, is list"):
        emulator.Board.from_file(tmp_path / "board.yaml")


VECTORS = (0x2001_0000).to_bytes(4, "little") + (FLASH + 9).to_bytes(4, "little") + b"\xfe\xe7"
BAD_ELF = {
    "empty": (b"", "not an ELF file: it starts with nothing"),
    "text": (b"int main", "not an ELF file: it starts with 696e7420"),
    "class": (elf([(FLASH, VECTORS)], ident=b"\x7fELF\x02\x01\x01"), "not 32-bit little-endian"),
    "machine": (elf([(FLASH, VECTORS)], machine=62), "type ET_EXEC for machine EM_X86_64"),
    "object": (
        elf([(FLASH, VECTORS)], kind=1),
        "type ET_REL for machine EM_ARM, not an Arm",
    ),
    "no-segment": (elf([]), "no segment to load"),
    "elsewhere": (elf([(0x6000_0000, VECTORS)]), "0x60000000..0x6000000a, which is in no memory"),
    "too-big": (
        elf([(0x0000_FFF8, VECTORS), (FLASH, VECTORS)]),
        "starts in ITCM and does not fit of stm32h747i_disco",
    ),
    "no-vectors": (elf([(FLASH + 0x1000, VECTORS)]), "the reset vector is 0x00000000, which is no"),
    "even-vector": (elf([(FLASH, VECTORS[:4] + bytes.fromhex("08000008"))]), "no Thumb code"),
}


@pytest.mark.parametrize("name", BAD_ELF)
def test_a_bad_elf_says_what_and_what_to_do(name):
    data, message = BAD_ELF[name]
    with pytest.raises(emulator.ElfError, match=message):
        emulator.Machine(board(), data)


def test_every_cut_of_an_elf_is_an_error():
    whole = program_elf("count")
    for size in range(len(whole)):
        with pytest.raises(emulator.ElfError):
            emulator.elf.Image(whole[:size])


def test_no_flipped_byte_of_an_elf_escapes_as_another_error():
    whole = bytearray(program_elf("count"))
    for position in range(len(whole)):
        spoiled = bytearray(whole)
        spoiled[position] ^= 0xFF
        with contextlib.suppress(emulator.ElfError):
            emulator.elf.Image(bytes(spoiled))


def test_an_elf_file_is_read_by_its_path(tmp_path):
    path = tmp_path / "firmware.elf"
    with pytest.raises(emulator.ElfError, match=r"cannot read firmware .*: No such file"):
        emulator.Machine(board(), path)
    path.write_bytes(program_elf("count"))
    assert emulator.Machine(board(), path).symbol("main").address == FLASH + 64


def test_segments_load_at_their_load_address():
    m = emulator.Machine(board(), elf([(FLASH, VECTORS), (0x2400_0000, b"data")]))
    assert m.read_memory(0x2400_0000, 5) == b"data\0"
