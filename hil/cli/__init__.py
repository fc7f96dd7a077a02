"""The command line: arguments and exit codes only, one file per command.

Exit codes: 0 all good; 1 outputs differ, cycles outside tolerance, or does not fit; 2 usage;
3 could not run, or could not say; 130 on Ctrl-C.

This file imports nothing that takes time, so that Ctrl-C is looked after from the start.
"""

from __future__ import annotations

import errno
import sys
from typing import TYPE_CHECKING, NoReturn

from hil.cli import interrupt, output
from hil.cli.interrupt import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Command to the file that holds it, imported only when it is called.
COMMANDS = {
    "run": "run",
    "golden": "golden",
    "check": "check",
    "plan": "plan",
    "inspect": "inspect",
    "emulate": "emulate",
    "boards": "boards",
}

EXIT_DIFFERS = 1
EXIT_USAGE = 2
EXIT_COULD_NOT_RUN = 3


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of the `hil` command."""
    interrupt.watch()
    try:
        code = execute(arguments)
        interrupt.over()
    except BaseException:
        if not interrupt.received():
            raise
        code = EXIT_INTERRUPTED
    if interrupt.received():
        interrupt.leave()
    sys.exit(code)


def execute(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code."""
    with output.kept_going() as out:
        code = _execute(arguments)
    if out is None or out.error is None or code == EXIT_INTERRUPTED:
        return code
    if out.error.errno != errno.EPIPE:
        # A reader that has left, as `head` does, has seen what it wanted.
        print(f"error: cannot write the output: {out.error.strerror}", file=sys.stderr)  # noqa: T201
    return EXIT_COULD_NOT_RUN


def _execute(arguments: Sequence[str] | None) -> int:
    try:
        return _command(arguments)
    except KeyboardInterrupt:
        interrupted = True
    except BaseException:
        # Ctrl-C in the middle of an import or a compilation comes out as any exception.
        interrupted = interrupt.received()
        if not interrupted:
            raise
    assert interrupted
    interrupt.say()
    return EXIT_INTERRUPTED


def _command(arguments: Sequence[str] | None) -> int:
    import click  # noqa: PLC0415 - see the top

    from hil.cli.group import cli  # noqa: PLC0415

    try:
        code = cli.main(args=arguments, prog_name="hil", standalone_mode=False)
    except click.exceptions.Abort as error:
        raise KeyboardInterrupt from error
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except Exception as error:
        found = _exit_code(error)
        if found is None:
            raise
        click.echo(f"error: {error}", err=True)
        return found
    return code if isinstance(code, int) else 0


def _exit_code(error: Exception) -> int | None:
    """Exit code of an error of ours; None for one that nobody raised on purpose."""
    if interrupt.received():
        return None
    from emulator.errors import EmulatorError  # noqa: PLC0415 - only where something failed
    from hil.errors import HilError  # noqa: PLC0415
    from pyref.errors import InputError, PyrefError  # noqa: PLC0415

    if isinstance(error, HilError):
        return error.exit_code
    if isinstance(error, InputError):
        return EXIT_USAGE
    if isinstance(error, PyrefError | EmulatorError):
        return EXIT_COULD_NOT_RUN
    return None
