"""What outlives one operator: resource variables, state to reset, and nested subgraphs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(slots=True, eq=False)
class Session:
    """State that operators share; one belongs to one `Interpreter`.

    Attributes:
        invoke_subgraph: runs subgraph k on input arrays, returns its output arrays. Set by the
            interpreter; its operators are recorded in the current run.
        resources: resource variables by (container, shared_name), created by VAR_HANDLE's
            Prepare; the value is None until first assigned.
        resource_ids: ids in order of creation, as MicroResourceVariables hands them out.
        resets: called by `Interpreter.reset`, in order of registration: TFLM's `reset` of a
            kernel with state of its own (CircularBuffer, LSTM, signal operators).
        initialized_subgraphs: subgraphs that CALL_ONCE has run.
    """

    invoke_subgraph: Callable[[int, Sequence[Array]], Sequence[Array]]
    resources: dict[int, Array | None] = field(default_factory=dict)
    resource_ids: dict[tuple[str, str], int] = field(default_factory=dict)
    resets: list[Callable[[], None]] = field(default_factory=list)
    initialized_subgraphs: set[int] = field(default_factory=set)

    def restart(self) -> None:
        """Forgets what was assigned and initialized since Prepare."""
        for key in self.resources:
            self.resources[key] = None
        self.initialized_subgraphs.clear()
