"""What a memory planner places: tensors and scratch buffers with their lifetimes."""

from __future__ import annotations

from dataclasses import dataclass

#: kOnlinePlannedBuffer (greedy_memory_planner.h) and kUninitializedLifetime.
ONLINE = -1
NEVER = -1


@dataclass(frozen=True, slots=True)
class Buffer:
    """One buffer for a planner (TFLM's AllocationInfo, aligned).

    Attributes:
        kind: "tensor" or "scratch".
        subgraph: subgraph of the tensor, or of the operator that asked for the scratch.
        index: tensor index, or the scratch buffer's number (its handle).
        op: TFLM's name of the operator that asked for the scratch; "" for a tensor.
        node: that operator's position in the subgraph; -1 for a tensor.
        name: the tensor's name.
        bytes: requested size.
        size: the same rounded up to the planner's alignment.
        first_use: allocation scope in which it is first written, -1 for one that no operator
            of the reachable subgraphs makes.
        last_use: last allocation scope that needs it.
        offline_offset: offset that the model's metadata fixes, -1 for none.
    """

    kind: str
    subgraph: int
    index: int
    bytes: int
    size: int
    first_use: int
    last_use: int
    op: str = ""
    node: int = -1
    name: str = ""
    offline_offset: int = ONLINE

    def alive(self, scope: int) -> bool:
        """Whether it needs its memory in allocation scope `scope`."""
        return self.first_use <= scope <= self.last_use

    def overlaps(self, other: Buffer) -> bool:
        """Whether both need their memory at some common time."""
        return self.first_use <= other.last_use and other.first_use <= self.last_use
