"""Progress of long transfers, on standard error and only where a person watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rich import progress
from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class Progress:
    """Bars that vanish when done."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bars = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, progress.TaskID] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def upload(self, done: int, total: int) -> None:
        """Shows bytes of the model sent."""
        self._show("model, bytes", done, total)

    def operators(self, total: int) -> Callable[[int], None]:
        """A function that shows how many operators are done."""
        return lambda done: self._show("operators", done, total)

    def _show(self, name: str, done: int, total: int) -> None:
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=total)
        self._bars.update(self._tasks[name], completed=done, total=total)
