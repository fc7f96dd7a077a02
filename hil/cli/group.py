"""The `hil` command itself: finds the file of the command asked for."""

from __future__ import annotations

import importlib

import click

from hil import __version__
from hil.cli import COMMANDS


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
