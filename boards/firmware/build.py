# ruff: noqa: INP001 - a script beside the sources it builds, no package
"""Builds the firmware images of a board: `python boards/firmware/build.py [--check] [BOARD]`.

An image is a list of options; the same sources and the same compiler give the same bytes. With
`--check` nothing is written: each image is built anew and compared with the one in the tree.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
FIRMWARE: Final = ROOT / "boards" / "firmware"
PREFIX: Final = "arm-none-eabi-"
COMPILER: Final = "12.2"  # shipped images come from this release; another gives other bytes

#: Image name to what it is built with besides the defaults.
IMAGES: Final[dict[str, tuple[str, ...]]] = {
    "hil-agent": (),
    "hil-agent-single-rounding": ("-DENGINE_SINGLE_ROUNDING",),
    "hil-agent-fault": ("-DAGENT_FAULT_AT_OPERATOR=0",),
}

#: Folder of boards/firmware with a core's start-up, and the compiler's options for the core.
CORES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "cortex-m7": (
        "cortex_m7",
        ("-mcpu=cortex-m7", "-mthumb", "-mfpu=fpv5-d16", "-mfloat-abi=hard"),
    ),
}

_OPTIMISATION: Final = "-O2"
_COMPILE: Final = (
    "-std=c99",
    _OPTIMISATION,
    "-g0",
    "-ffreestanding",
    "-ffp-contract=off",
    "-fno-common",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-asynchronous-unwind-tables",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wpedantic",
    "-Werror",
)
_LINK: Final = ("-nostdlib", "-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,--fatal-warnings")
#: Options of one file.
_SPECIAL: Final = {"memory.c": ("-fno-tree-loop-distribute-patterns", "-fno-builtin")}


class BuildError(Exception):
    """The firmware cannot be built here."""


def _run(*command: str) -> None:
    done = subprocess.run(  # noqa: S603 - arguments of our own
        command, capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}\n{done.stderr}")


def compiler_version() -> str:
    """Version of the cross compiler.

    Raises:
        BuildError: there is none.
    """
    if shutil.which(PREFIX + "gcc") is None:
        raise BuildError(
            f"{PREFIX}gcc is not installed: install gcc-arm-none-eabi {COMPILER}, "
            "or use the images that are shipped"
        )
    return subprocess.run(  # noqa: S603 - as above
        [PREFIX + "gcc", "-dumpfullversion"], capture_output=True, text=True, check=True
    ).stdout.strip()


def build(board: Path, image: str, out: Path) -> None:
    """Builds one image.

    Args:
        board: a board's folder.
        image: a key of `IMAGES`.
        out: the ELF to write.

    Raises:
        BuildError: no compiler, or it refuses.
    """
    data = yaml.safe_load((board / "board.yaml").read_text(encoding="utf-8"))
    core_folder, core_options = CORES[data["core"]]
    folders = [FIRMWARE / "agent", FIRMWARE / "engine", FIRMWARE / core_folder, board]
    options = (
        *core_options,
        *_COMPILE,
        f"-ffile-prefix-map={ROOT}=.",
        *(f"-I{folder}" for folder in folders),
        f"-DBOARD_BAUD={data['console']['baud']}u",
        f'-DAGENT_BUILD="gcc {compiler_version()} {_OPTIMISATION}"',
        *IMAGES[image],
    )
    sources = [s for folder in folders for s in sorted(folder.glob("*.c"))]
    with tempfile.TemporaryDirectory() as scratch:

        def compile_one(source: Path) -> str:
            target = Path(scratch, f"{source.parent.name}-{source.stem}.o")
            special = _SPECIAL.get(source.name, ())
            _run(PREFIX + "gcc", *options, *special, "-c", str(source), "-o", str(target))
            return str(target)

        with ThreadPoolExecutor() as pool:
            objects = list(pool.map(compile_one, sources))
        script = board / "link.ld"
        linked = str(Path(scratch, "linked.elf"))
        _run(PREFIX + "gcc", *core_options, *_LINK, f"-T{script}", *objects, "-lgcc", "-o", linked)
        # Symbols stay: they name the place of a fault. Names of temporary files go.
        _run(
            PREFIX + "objcopy",
            "--strip-debug",
            "--wildcard",
            "--strip-symbol=$[adt]*",
            "--strip-symbol=*.o",
            "--strip-symbol=*.c",
            linked,
            str(out),
        )
    out.chmod(0o644)


def _names(board: str | None) -> list[Path]:
    known = sorted(p.parent for p in (ROOT / "boards").glob("*/link.ld"))
    chosen = [p for p in known if board in (None, p.name)]
    if not chosen:
        raise BuildError(f"no board {board!r} with a link.ld; there is: {known}")
    return chosen


def check(board: Path, image: str) -> str | None:
    """Builds an image and compares it with the shipped one; returns what differs, or None."""
    shipped = board / "firmware" / f"{image}.elf"
    with tempfile.TemporaryDirectory() as scratch:
        built = Path(scratch, "built.elf")
        build(board, image, built)
        if not shipped.exists():
            return f"{shipped.relative_to(ROOT)} is not there"
        if shipped.read_bytes() != built.read_bytes():
            return f"{shipped.relative_to(ROOT)} differs from what its sources build"
    return None


def main(arguments: list[str] | None = None) -> int:
    """Command line; returns an exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board", nargs="?", help="folder of boards/; default all that can be built")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)
    try:
        version = compiler_version()
        if options.check and not version.startswith(COMPILER + "."):
            sys.stderr.write(f"compiler {version}: shipped images are built with {COMPILER}\n")
            return 1
        for board in _names(options.board):
            for image in IMAGES:
                if options.check:
                    difference = check(board, image)
                    if difference:
                        sys.stderr.write(f"{difference}: run python boards/firmware/build.py\n")
                        return 1
                    continue
                out = board / "firmware" / f"{image}.elf"
                out.parent.mkdir(exist_ok=True)
                before = out.read_bytes() if out.exists() else None
                build(board, image, out)
                if image == next(iter(IMAGES)) and out.read_bytes() != before:
                    sys.stdout.write(
                        f"{out.relative_to(ROOT)} changed: record its cycle goldens with "
                        "python boards/firmware/cycles.py\n"
                    )
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
