"""Resource variables: micro/micro_resource_variable.cc."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pyref.model import Tensor
    from pyref.node import Array, Node
    from pyref.session import Session


def handle(session: Session, container: str | None, shared_name: str) -> int:
    """CreateIdIfNoneFound: an absent container matches any."""
    for (known_container, known_name), number in session.resource_ids.items():
        if known_name == shared_name and (not container or container == known_container):
            return number
    number = len(session.resource_ids)
    session.resource_ids[container or "", shared_name] = number
    session.resources[number] = None
    return number


def allocate(node: Node, number: int, tensor: Tensor) -> None:
    """Allocate: the first ASSIGN_VARIABLE that is prepared decides size and initial bytes.

    Every byte starts as the zero point, also of int16 and int32 variables.
    """
    session = node.session
    if number in session.resource_defaults:
        return
    filled = np.full(tensor.size * tensor.dtype.itemsize, tensor.zero_point & 0xFF, np.uint8)
    session.resource_defaults[number] = filled.view(tensor.dtype).reshape(tensor.shape)

    def reset() -> None:
        session.resources[number] = None

    session.resets.append(reset)


def read(node: Node, number: int, output: Tensor) -> Array:
    """Read: the bytes last assigned, else those it started with.

    A variable that no prepared ASSIGN_VARIABLE has sized is null in TFLM; it reads as zeros.
    """
    session = node.session
    known(node, number)
    value = session.resources.get(number)
    if value is None:
        value = session.resource_defaults.get(number)
    if value is None:
        return np.zeros(output.shape, output.dtype)
    if value.nbytes != output.size * output.dtype.itemsize:
        node.refuse(
            f"{node.operator.op}: variable {number} has {value.nbytes} bytes, tensor "
            f"{output.index} {output.size * output.dtype.itemsize}",
            phase="invoke",
        )
    if value.dtype == output.dtype:
        return value.reshape(output.shape)
    return value.reshape(-1).view(np.uint8).view(output.dtype).reshape(output.shape)


def assign(node: Node, number: int, value: Array) -> None:
    """Assign: copies, after Allocate has sized the variable."""
    session = node.session
    known(node, number)
    sized = session.resource_defaults.get(number)
    if sized is None:
        node.refuse(
            "Attempting to assign from a TfLiteEvalTensor before the resource buffer has been "
            "allocated. Make sure to call AssignResourceVariable with a TfLiteTensor first.",
            phase="invoke",
        )
    if value.nbytes != sized.nbytes:
        node.refuse(
            f"{node.operator.op}: variable {number} has {sized.nbytes} bytes, the value "
            f"{value.nbytes}",
            phase="invoke",
        )
    session.resources[number] = np.array(value)


def known(node: Node, number: int, phase: str = "invoke") -> None:
    """Refuses an id that no VAR_HANDLE has made."""
    if number not in node.session.resources:
        node.refuse(f"Attempting to read non-existent resource variable {number}", phase=phase)
