"""What a kernel's Init and Prepare see of TFLM here: calls that are recorded, not carried out.

Sources: micro/micro_context.cc, micro/micro_interpreter_context.cc, micro/micro_allocator.cc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

import numpy as np

from pyref.arena.allocator import ALIGNMENT
from pyref.arena.events import Event, Kind, Owner, Section
from pyref.arena.lifetimes import ScratchRequest, tensor_bytes
from pyref.container.enums import CUSTOM
from pyref.custom_options import CustomOptions
from pyref.errors import PlanError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import SimpleNamespace

    from pyref.arena.releases import Release
    from pyref.model import Model, Operator, Subgraph, Tensor
    from pyref.node import Node

#: kMaxScratchBuffersPerOp, micro/micro_allocator.cc.
MAX_SCRATCH_BUFFERS_PER_OP = 12


class Recorder:
    """The trace of one model, as it grows.

    Attributes:
        events: requests so far.
        scratch: scratch buffer requests so far, in order.
        shapes: (subgraph, tensor) to the shape that Prepare wrote over the file's.
        placed: (subgraph, tensor) whose data pointer Prepare set.
        resources: resource variables by id: (container, shared name, bytes or None).
    """

    def __init__(self, model: Model, release: Release, kernels: str) -> None:
        self.model = model
        self.release = release
        self.kernels = kernels
        self.events: list[Event] = []
        self.scratch: list[ScratchRequest] = []
        self.shapes: dict[tuple[int, int], tuple[int, ...]] = {}
        self.placed: dict[tuple[int, int], int] = {}
        self.resources: list[tuple[str | None, str, int | None]] = []

    def persistent(
        self,
        size: int,
        align: int,
        owner: Owner,
        section: Section = Section.OTHER,
        count: int = 1,
        *,
        unchecked: bool = False,
    ) -> None:
        """Records AllocatePersistentBuffer of `size` bytes at `align`."""
        self.events.append(Event(Kind.PERSISTENT, size, align, owner, section, count, unchecked))

    def struct(
        self, name: str, owner: Owner, section: Section = Section.OTHER, *, many: int = 1
    ) -> None:
        """Records a persistent block of `many` structures `name`."""
        layout = self.release.struct(name)
        self.persistent(layout.size * many, layout.align, owner, section)

    def tensor(self, tensor: Tensor, owner: Owner, *, temp: bool) -> None:
        """InitializeTfLiteTensorFromFlatbuffer with its TfLiteTensor."""
        layouts = [("TfLiteTensor", 0, Section.PERSISTENT_TENSORS)]
        if tensor.quantization is not None:
            channels = len(tensor.quantization.scale)
            layouts.append(("TfLiteAffineQuantization", 0, Section.QUANTIZATION))
            layouts.append(("TfLiteIntArray", 4 * channels, Section.QUANTIZATION))
        kind = Kind.TEMP if temp else Kind.PERSISTENT
        for name, extra, section in layouts:
            layout = self.release.struct(name)
            self.events.append(
                Event(
                    kind,
                    layout.size + extra,
                    layout.align,
                    owner,
                    Section.OTHER if temp else section,
                    vital=name != "TfLiteIntArray",
                )
            )


class KernelContext:
    """One operator during Init and Prepare.

    Attributes:
        op: the operator; `operator` is the same, by the name that CustomOptions reads.
        release: TFLM release whose sizes count.
        cmsis_nn: whether the kernel set is CMSIS-NN's.
    """

    def __init__(self, recorder: Recorder, subgraph: Subgraph, op: Operator) -> None:
        self.recorder = recorder
        self.subgraph = subgraph
        self.op = op
        self.operator = op
        self.release = recorder.release
        self.cmsis_nn = recorder.kernels == "cmsis_nn"
        self._scratch_count = 0

    def _owner(self, part: str, detail: str = "") -> Owner:
        return Owner(part, self.op.op, self.subgraph.index, self.op.index, detail)

    @property
    def options(self) -> SimpleNamespace:
        """Builtin options.

        Raises:
            RefusedError: the file has none.
        """
        if self.op.options is None:
            self.refuse(f"{self.op.op}: missing builtin options")
        return self.op.options

    @property
    def custom_options(self) -> CustomOptions:
        """A custom operator's options; refuses what cannot be read."""
        return CustomOptions(cast("Node", self))

    def refuse(self, reason: str) -> NoReturn:
        """Raises the refusal of TFLM's Prepare."""
        raise RefusedError(reason, op=self.op.op, subgraph=self.subgraph.index, index=self.op.index)

    def find_input(self, index: int) -> Tensor | None:
        """Input tensor `index`, None where the operator has none."""
        return self._find(self.op.inputs, index)

    def find_output(self, index: int) -> Tensor | None:
        """Output tensor `index`, None where the operator has none."""
        return self._find(self.op.outputs, index)

    def input(self, index: int) -> Tensor:
        """Required input tensor `index`.

        Raises:
            RefusedError: the operator has none.
        """
        return self._require(self.find_input(index), "input", index)

    def output(self, index: int = 0) -> Tensor:
        """Required output tensor `index`.

        Raises:
            RefusedError: the operator has none.
        """
        return self._require(self.find_output(index), "output", index)

    def _find(self, tensors: tuple[int, ...], index: int) -> Tensor | None:
        if not 0 <= index < len(tensors) or tensors[index] < 0:
            return None
        return self.subgraph.tensors[tensors[index]]

    def _require(self, tensor: Tensor | None, what: str, index: int) -> Tensor:
        if tensor is None:
            self.refuse(f"{self.op.op}: {what} {index} is missing")
        return tensor

    def shape(self, tensor: Tensor) -> tuple[int, ...]:
        """The tensor's shape as earlier operators' Prepare left it."""
        return self.recorder.shapes.get((self.subgraph.index, tensor.index), tensor.shape)

    def elements(self, tensor: Tensor) -> int:
        """NumElements."""
        return int(np.prod(self.shape(tensor), dtype=np.int64))

    def bytes(self, tensor: Tensor) -> int:
        """The tensor's size in bytes."""
        return tensor_bytes(tensor.type, self.shape(tensor))

    def temps(self, which: str) -> None:
        """AllocateTempInputTensor and AllocateTempOutputTensor in order.

        Args:
            which: words such as "i0 i1 o0"; a tensor that the operator lacks takes nothing.
                "i*" and "i0+" stand for every input (from 0 on).
        """
        for word in which.split():
            for tensor in self._named(word):
                if tensor is not None:
                    owner = self._owner("temporary TfLiteTensor", word)
                    self.recorder.tensor(tensor, owner, temp=True)

    def _named(self, word: str) -> Iterator[Tensor | None]:
        find, count = (
            (self.find_input, len(self.op.inputs))
            if word[0] == "i"
            else (self.find_output, len(self.op.outputs))
        )
        if word.endswith("*"):
            yield from (find(i) for i in range(count))
        elif word.endswith("+"):
            yield from (find(i) for i in range(int(word[1:-1]), count))
        else:
            yield find(int(word[1:]))

    def op_data(self, struct: str, *, unchecked: bool = False) -> None:
        """AllocatePersistentBuffer(sizeof(struct)): the kernel's OpData."""
        self._buffer(self.release.struct(struct).size, "op data", struct, unchecked=unchecked)

    def persistent(self, size: int, detail: str, *, unchecked: bool = False) -> None:
        """AllocatePersistentBuffer of `size` bytes for `detail`."""
        self._buffer(size, "persistent buffers", detail, unchecked=unchecked)

    def _buffer(self, size: int, part: str, detail: str, *, unchecked: bool = False) -> None:
        self.recorder.persistent(
            size,
            ALIGNMENT,
            self._owner(part, detail),
            Section.PERSISTENT_BUFFERS,
            unchecked=unchecked,
        )

    def scratch(self, size: int) -> None:
        """RequestScratchBufferInArena of `size` bytes.

        Raises:
            RefusedError: the operator asks for more than TFLM has room for.
        """
        if self._scratch_count >= MAX_SCRATCH_BUFFERS_PER_OP:
            self.refuse(
                f"Scratch buffer request exceeds limit per operator ({MAX_SCRATCH_BUFFERS_PER_OP})"
            )
        self._scratch_count += 1
        self.recorder.scratch.append(
            ScratchRequest(size, self.subgraph.index, self.op.index, self.op.op)
        )

    def resize_output(self, index: int, shape: tuple[int, ...]) -> None:
        """CreateWritableTensorDimsWithCopy, then `shape` written over the copy."""
        tensor = self.output(index)
        self.persistent(4 + 4 * len(self.shape(tensor)), "TfLiteIntArray of output dims")
        self.recorder.shapes[self.subgraph.index, tensor.index] = shape


def unknown(op: Operator, subgraph: int) -> RefusedError:
    """TFLM's refusal of an operator that it does not register."""
    if op.code.builtin == CUSTOM:
        reason = "Failed to get registration from op code CUSTOM"
    else:
        reason = f"Didn't find op for builtin opcode '{op.op}'"
    return RefusedError(reason, op=op.op, subgraph=subgraph, index=op.index, phase="resolve")


def check_kernels(name: str) -> None:
    """Refuses a kernel set that is not known.

    Raises:
        PlanError: neither "reference" nor "cmsis_nn".
    """
    if name not in {"reference", "cmsis_nn"}:
        raise PlanError(f'kernels: expected "reference" or "cmsis_nn", got {name!r}')
