"""Options that several commands share. Each has an environment variable HIL_<NAME>."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_BOARD = "stm32h747i_disco"


def option(
    flag: str, *names: str, **settings: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A click option with the environment variable that the contract promises."""
    variable = "HIL_" + flag.removeprefix("--").replace("-", "_").upper()
    return click.option(flag, *names, envvar=variable, show_envvar=True, **settings)


FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)

MODEL = click.Path(path_type=Path, dir_okay=False, exists=True)

model_argument = click.argument("model", type=MODEL)
board_option = option(
    "--board", default=DEFAULT_BOARD, show_default=True, help="Board, as `hil boards` lists it."
)
json_option = option("--json", "json_path", type=FILE, help="Write the result as JSON.")
seed_option = option("--seed", type=click.IntRange(min=0), help="Seed of the inputs [default: 0].")
input_option = option("--input", "input_path", type=FILE, help="Inputs as an .npz file.")
firmware_option = option("--firmware", type=FILE, help="ELF to run, or that is in flash.")


class _Fraction(click.FloatRange):
    """A number from 0 to 1; not a NaN, which FloatRange lets through."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number from 0 to 1", param, ctx)
        return number


FRACTION = _Fraction(0, 1)


def check_inputs_given_once(seed: int | None, input_path: Path | None) -> None:
    """Refuses both a seed and a file of inputs."""
    if seed is not None and input_path is not None:
        raise click.UsageError("give --seed or --input, not both")
