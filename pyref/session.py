"""What outlives one operator: resource variables, state to reset, and nested subgraphs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]


class InvocationAborted(Exception):  # noqa: N818 - not an error: kTfLiteAbort
    """An operator ended the invocation early, as TFLM's kTfLiteAbort does.

    Attributes:
        outputs: what the operator itself wrote, until the interpreter has taken it.
    """

    def __init__(self, outputs: Sequence[Array]) -> None:
        super().__init__("the invocation ends here")
        self.outputs: Sequence[Array] | None = outputs


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
        resource_defaults: what an allocated variable holds until first assigned.
        resource_tensors: ids by (subgraph, tensor) of VAR_HANDLE's outputs.
        called_once: CALL_ONCE operators that have run, by (subgraph, operator).
        circular_buffers: CIRCULAR_BUFFER operators without cycles_max prepared so far.
    """

    invoke_subgraph: Callable[[int, Sequence[Array]], Sequence[Array]]
    resources: dict[int, Array | None] = field(default_factory=dict)
    resource_ids: dict[tuple[str, str], int] = field(default_factory=dict)
    resets: list[Callable[[], None]] = field(default_factory=list)
    resource_defaults: dict[int, Array] = field(default_factory=dict)
    resource_tensors: dict[tuple[int, int], int] = field(default_factory=dict)
    called_once: set[tuple[int, int]] = field(default_factory=set)
    circular_buffers: int = 0

    def restart(self) -> None:
        """Forgets what was assigned and initialized since Prepare."""
        for key in self.resources:
            self.resources[key] = None
        self.called_once.clear()
