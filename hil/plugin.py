"""The pytest plugin: options, fixtures and the marker; the work is in hil.testing and hil.job.

    @pytest.mark.hil(model="models/kws.tflite", seed=1)
    def test_keyword_spotting(hil_model):
        hil_model.check()

`pytest` runs it on the emulator; `pytest --hil-target serial --hil-port /dev/ttyACM0` on a board.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hil.targets import Target
    from hil.testing import BoundModel

_OPTIONS = {
    "target": "where models run: emulator, serial, or a port's URL (default: emulator)",
    "port": "port of a serial target: a device path or a pyserial URL",
    "baud": "baud rate (default: the board's)",
    "board": "board, as `hil boards` lists it (default: stm32h747i_disco)",
    "firmware": "ELF to run, or that is in flash (default: the shipped image)",
}

MARKER_ARGUMENTS = {"model", "seed", "golden", "cycles_tolerance"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --hil-target, --hil-port, --hil-baud, --hil-board, --hil-firmware, --hil-strict."""
    group = parser.getgroup("hil", "hardware in the loop")
    for name, text in _OPTIONS.items():
        group.addoption(
            f"--hil-{name}", default=None, metavar=name.upper(), help=f"{text} [HIL_{name.upper()}]"
        )
    group.addoption(
        "--hil-strict",
        action="store_true",
        help="fail, not skip, where hardware is missing [HIL_STRICT]",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker."""
    config.addinivalue_line(
        "markers",
        "hil(model, seed=0, golden=None, cycles_tolerance=0.0): the model that `hil_model` runs; "
        "paths are relative to the test file",
    )


def _option(config: pytest.Config, name: str, default: str | None = None) -> str | None:
    value = config.getoption(f"--hil-{name}") or os.environ.get(f"HIL_{name.upper()}")
    return str(value) if value else default


@pytest.fixture(scope="session")
def hil_board(pytestconfig: pytest.Config) -> Path:
    """Folder of the board named by --hil-board."""
    from hil import resources  # noqa: PLC0415 - a session without hil tests loads none of it
    from hil.cli.options import DEFAULT_BOARD  # noqa: PLC0415
    from hil.errors import UsageError  # noqa: PLC0415

    try:
        return resources.board(_option(pytestconfig, "board", DEFAULT_BOARD) or DEFAULT_BOARD)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.fixture(scope="session")
def hil_target(pytestconfig: pytest.Config, hil_board: Path) -> Iterator[Target]:
    """The target, opened once a session; skips where its hardware is missing."""
    from hil.errors import LinkTimeoutError, PortError  # noqa: PLC0415
    from hil.targets import open_target  # noqa: PLC0415

    name = _option(pytestconfig, "target", "emulator") or "emulator"
    port = _option(pytestconfig, "port")
    if name == "serial":
        if port is None:
            raise pytest.UsageError("--hil-target serial needs --hil-port (a device path or URL)")
        name = port
    elif port is not None and name == "emulator":
        raise pytest.UsageError("--hil-port goes with --hil-target serial")
    baud, firmware = _option(pytestconfig, "baud"), _option(pytestconfig, "firmware")
    if baud is not None and not baud.isdigit():
        raise pytest.UsageError(f"--hil-baud {baud}: expected a whole number of bits a second")
    opening = open_target(
        name,
        board=hil_board,
        firmware=Path(firmware) if firmware else None,
        baud=int(baud) if baud else None,
    )
    try:
        target = opening.__enter__()
    except (PortError, LinkTimeoutError) as error:
        if pytestconfig.getoption("--hil-strict") or os.environ.get("HIL_STRICT", "0") != "0":
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
    try:
        yield target
    finally:
        opening.__exit__(None, None, None)


def _check_marker(marker: pytest.Mark, test: str) -> None:
    """Refuses arguments that the marker does not take, or values that mean nothing."""
    unknown = sorted(set(marker.kwargs) - MARKER_ARGUMENTS)
    if unknown or marker.args:
        raise pytest.UsageError(
            f"{test}: the hil marker takes {', '.join(sorted(MARKER_ARGUMENTS))} by name, "
            f"got {unknown or list(marker.args)}"
        )
    model, seed = marker.kwargs.get("model"), marker.kwargs.get("seed", 0)
    tolerance = marker.kwargs.get("cycles_tolerance", 0.0)
    if not isinstance(model, str | Path):
        raise pytest.UsageError(f"{test}: mark it @pytest.mark.hil(model=...), a path")
    if type(seed) is not int or seed < 0:
        raise pytest.UsageError(f"{test}: seed={seed!r} is no whole number from 0 up")
    if not isinstance(tolerance, int | float) or not 0 <= tolerance <= 1:
        raise pytest.UsageError(f"{test}: cycles_tolerance={tolerance!r} is no fraction")


@pytest.fixture
def hil_model(request: pytest.FixtureRequest, hil_target: Target) -> BoundModel:
    """The model of the test's `hil` marker, on the target."""
    import pyref  # noqa: PLC0415
    from hil.testing import BoundModel  # noqa: PLC0415

    marker = request.node.get_closest_marker("hil")
    if marker is None:
        raise pytest.UsageError(f"{request.node.nodeid}: mark it @pytest.mark.hil(model=...)")
    _check_marker(marker, request.node.nodeid)
    beside = request.path.parent
    golden = marker.kwargs.get("golden")
    return BoundModel(
        model=pyref.Model.from_file(beside / marker.kwargs["model"]),
        target=hil_target,
        seed=marker.kwargs.get("seed", 0),
        golden_folder=None if golden is None else beside / golden,
        cycles_tolerance=marker.kwargs.get("cycles_tolerance", 0.0),
    )
