"""The command line: arguments and exit codes only, one file per command.

Exit codes: 0 all good; 1 outputs differ, cycles outside tolerance, or does not fit; 2 usage;
3 could not run; 130 on Ctrl-C.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import click

from hil import __version__

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
EXIT_INTERRUPTED = 130


class _Commands(click.Group):
    """Imports a command's file when it is asked for, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"hil.cli.{COMMANDS[cmd_name]}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hil")
def cli() -> None:
    """One test for int8 .tflite models, on an emulated and on a real STM32H747."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the `hil` command."""
    sys.exit(execute(arguments))


def execute(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code."""
    try:
        code = cli.main(args=arguments, prog_name="hil", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except BrokenPipeError:
        # The reader of our output has gone, as with `| head`; nothing more can be said to it.
        sys.stdout = None
        return EXIT_COULD_NOT_RUN
    except Exception as error:
        found = _exit_code(error)
        if found is None:
            raise
        click.echo(f"error: {error}", err=True)
        return found
    return code if isinstance(code, int) else 0


def _exit_code(error: Exception) -> int | None:
    """Exit code of an error of ours; None for one that nobody raised on purpose."""
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
