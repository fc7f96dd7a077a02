"""Where boards and fixtures are: beside the package in an installed wheel, else in the checkout."""

from __future__ import annotations

from pathlib import Path

from hil.errors import UsageError

_PACKAGE = Path(__file__).parent


def _folder(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def boards() -> dict[str, Path]:
    """Folder of each board known, by name: every folder of boards/ that holds a board.yaml."""
    return {p.parent.name: p.parent for p in sorted(_folder("boards").glob("*/board.yaml"))}


def board(name: str) -> Path:
    """Folder of one board.

    Raises:
        UsageError: no board of that name; lists those there are.
    """
    known = boards()
    if name not in known:
        raise UsageError(f"board {name!r} is not known; `hil boards` lists: {', '.join(known)}")
    return known[name]


def fixture(name: str) -> Path:
    """Path of a file of fixtures/."""
    return _folder("fixtures") / name
