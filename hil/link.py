"""What a host does with a device: identify it, give it a model and inputs, run, read back."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from hil.checks import check_cycles, check_digest, check_hello
from hil.device import Allocation, Identity, OpResult, Output
from hil.errors import ProtocolError, UsageError, WrongModelError
from hil.exchange import Exchange, LinkStats, Timing
from hil.protocol import messages as m
from hil.protocol.codes import ANY_REGION, MAX_PAYLOAD_BYTES, NONE_INDEX
from pyref.container.enums import ENUMS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hil.transports.pipe import BytePipe

_CHUNK_HEADER_BYTES: Final = 16
"""Room for the fields that stand before the data in MODEL_CHUNK, INPUT and READ_TENSOR_REPLY."""


class Link:
    """A conversation with one device.

    Args:
        pipe: where the device is; stays the caller's to close.
        timing: how long to wait.
        locate: names a code address for fault messages.
        instructions: counts an event's instructions on a target that can; else None.
        before_invoke: called before each INVOKE.
    """

    def __init__(
        self,
        pipe: BytePipe,
        *,
        timing: Timing | None = None,
        locate: Callable[[int], str] = "0x{:08x}".format,
        instructions: Callable[[int], int | None] = lambda _event: None,
        before_invoke: Callable[[], None] = lambda: None,
    ) -> None:
        self._exchange = Exchange(pipe, timing, locate)
        self._instructions = instructions
        self._before_invoke = before_invoke
        self._max_payload = MAX_PAYLOAD_BYTES
        self._regions: tuple[m.Region, ...] = ()
        self._inputs: tuple[bytes, ...] = ()
        self._inputs_fresh = False
        self._digests: dict[int, bytes] = {}
        self.model_sha256 = ""

    @property
    def stats(self) -> LinkStats:
        """Bytes and retries so far."""
        return self._exchange.stats

    def locate_with(self, locate: Callable[[int], str]) -> None:
        """Name code addresses with `locate` from now on: the firmware is known now."""
        self._exchange.locate = locate

    def hello(self, core: str | None = None) -> Identity:
        """Asks who is there.

        Args:
            core: the core it must be, such as "cortex-m7".

        Raises:
            WrongCoreError: another core.
            BoardInitError: its clocks or memories did not come up.
            LinkError: nobody, or nobody who speaks this.
        """
        reply = self._exchange.request(m.Hello(), m.HelloReply)
        check_hello(reply, core)
        self._max_payload = min(self._max_payload, reply.max_payload_bytes)
        self._regions = reply.regions
        return Identity(reply)

    def ping(self, data: bytes) -> None:
        """Sends `data` there and back.

        Raises:
            ProtocolError: it came back changed.
        """
        back = self._exchange.request(m.Ping(data), m.PingReply).data
        if back != data:
            raise ProtocolError("PING", expected=f"{len(data)} bytes unchanged", got=back[:16])

    def reset(self) -> None:
        """Resets the device's processor; it comes up holding no model."""
        self._exchange.request(m.Reset(), m.ResetReply)
        self.forget()

    def forget(self) -> None:
        """The device was reset by other means: it holds nothing any more."""
        self._inputs_fresh = False
        self.model_sha256 = ""

    def upload(self, model: bytes, progress: Callable[[int, int], None] | None = None) -> bool:
        """Gives the device a model, unless it holds this one.

        Args:
            model: the file's bytes.
            progress: called with bytes done and bytes in all.

        Returns:
            Whether it had to be sent.

        Raises:
            DeviceError: it does not fit, or the engine refuses it.
            WrongModelError: the device then holds something else.
        """
        data = bytes(model)
        digest = hashlib.sha256(data).digest()
        work_s = self._exchange.timing.work_s
        self._inputs_fresh = False
        begin = self._exchange.request(
            m.ModelBegin(len(data), digest), m.ModelBeginReply, timeout_s=work_s
        )
        if not begin.held:
            self._send_model(data, progress)
        end = self._exchange.request(m.ModelEnd(), m.ModelEndReply, timeout_s=work_s)
        self._check_model(digest, end.sha256)
        self.model_sha256 = digest.hex()
        if progress:
            progress(len(data), len(data))
        return not begin.held

    def _send_model(self, data: bytes, progress: Callable[[int, int], None] | None) -> None:
        step = self._max_payload - _CHUNK_HEADER_BYTES
        for start in range(0, len(data), step):
            if progress:
                progress(start, len(data))
            chunk = data[start : start + step]
            reply = self._exchange.request(
                m.ModelChunk(start, chunk),
                m.ModelChunkReply,
                progress=f"{start} of {len(data)} bytes",
            )
            if reply.received_bytes != start + len(chunk):
                raise ProtocolError(
                    "MODEL_CHUNK", expected=start + len(chunk), got=reply.received_bytes
                )

    def _check_model(self, expected: bytes, got: bytes) -> None:
        if got != expected:
            raise WrongModelError(expected=expected.hex(), got=got.hex() if any(got) else "none")

    def allocate(self, *, region: str | None = None, limit_bytes: int = 0) -> Allocation:
        """Plans the arena; also resets what the model keeps between inferences.

        Args:
            region: memory to use; None for the first in which it fits.
            limit_bytes: cap on the arena's size, 0 for the whole region.

        Raises:
            DeviceError: it does not fit, or an operator refuses.
            WrongModelError: the device holds another model than the one uploaded.
            UsageError: no such region.
        """
        names = [r.name for r in self._regions]
        if region is not None and region not in names:
            raise UsageError(f"the device has no region {region!r}, only {', '.join(names)}")
        number = ANY_REGION if region is None else names.index(region)
        self._inputs_fresh = False
        reply = self._exchange.request(
            m.Allocate(number, limit_bytes),
            m.AllocateReply,
            timeout_s=self._exchange.timing.work_s,
        )
        self._check_model(bytes.fromhex(self.model_sha256), reply.model_sha256)
        return Allocation(
            arena_used_bytes=reply.used_bytes,
            head_bytes=reply.head_bytes,
            tail_bytes=reply.tail_bytes,
            region=names[reply.region] if reply.region < len(names) else f"#{reply.region}",
            base=reply.base,
            size_bytes=reply.size_bytes,
            offsets=self._offsets(),
        )

    def _offsets(self) -> dict[int, int]:
        offsets: dict[int, int] = {}
        first, count = 0, 1
        while first < count:
            page = self._exchange.request(m.TensorOffsets(0, first), m.TensorOffsetsReply)
            count = page.tensors
            for entry in page.offsets:
                if entry.offset_bytes != NONE_INDEX:
                    offsets[entry.tensor] = entry.offset_bytes
            if not page.offsets and first < count:
                raise ProtocolError("TENSOR_OFFSETS", expected=f"{count} tensors", got=first)
            first += len(page.offsets)
        return offsets

    def write_inputs(self, inputs: Sequence[bytes]) -> None:
        """Writes every input, in the order of subgraph 0's inputs.

        They are kept and written again before each further inference, since operators may reuse
        their memory.

        Raises:
            DeviceError: a length or the count is wrong, or nothing is allocated.
        """
        self._inputs = tuple(bytes(data) for data in inputs)
        self._inputs_fresh = False
        step = self._max_payload - _CHUNK_HEADER_BYTES
        for position, data in enumerate(self._inputs):
            size_bytes, start = -1, 0
            while start < max(len(data), 1):
                chunk = data[start : start + step]
                reply = self._exchange.request(
                    m.Input(position, start, chunk),
                    m.InputReply,
                    progress=f"{start} of {len(data)} bytes",
                )
                start += len(chunk) or 1
                size_bytes = reply.size_bytes
            if size_bytes != len(data):
                raise UsageError(
                    f"input {position} has {len(data)} bytes, the device's tensor {size_bytes}"
                )
        self._inputs_fresh = True

    def invoke(self, on_operator: Callable[[int], None] | None = None) -> list[OpResult]:
        """Runs the model on the inputs written last.

        Args:
            on_operator: called with the number of operators done.

        Returns:
            One result per operator executed, in order.

        Raises:
            DeviceError: an operator failed, or an input is missing.
            CycleCounterError: the cycle counter does not count.
        """
        self._refresh_inputs()
        events: dict[int, m.Operator | m.ResultReply] = {}

        def take(event: m.Operator) -> None:
            events[event.event] = event
            if on_operator:
                on_operator(len(events))

        self._before_invoke()
        reply = self._exchange.request(
            m.Invoke(),
            m.InvokeReply,
            timeout_s=self._exchange.timing.operator_s,
            on_operator=take,
        )
        self._inputs_fresh = False
        for event in range(reply.events):
            if event not in events:
                self.stats.retries += 1
                events[event] = self._exchange.request(m.Result(event), m.ResultReply)
        results = [self._result(events[event]) for event in range(reply.events)]
        self._digests = {o.tensor: o.digest for r in results for o in r.outputs}
        check_cycles(results)
        return results

    def _refresh_inputs(self) -> None:
        if self._inputs and not self._inputs_fresh:
            self.write_inputs(self._inputs)

    def _result(self, event: m.Operator | m.ResultReply) -> OpResult:
        return OpResult(
            index=event.event,
            op=ENUMS["BuiltinOperator"].name(event.builtin_code),
            subgraph=event.subgraph,
            operator=event.operator,
            cycles=event.cycles,
            instructions=self._instructions(event.event),
            outputs=tuple(Output(o.tensor, o.length_bytes, o.digest) for o in event.outputs),
        )

    def capture(self, op_index: int, tensor: int) -> bytes:
        """Runs again up to operator `op_index` (execution order) and reads one of its outputs.

        Raises:
            DeviceError: that operator does not run, or `tensor` is none of its outputs.
            MemoryContentError: the bytes read are not those that were digested.
        """
        self._refresh_inputs()
        reply = self._exchange.request(
            m.Capture(op_index, tensor),
            m.CaptureReply,
            timeout_s=self._exchange.timing.operator_s,
            on_operator=lambda _event: None,
        )
        self._inputs_fresh = False
        data = self._read(tensor)
        check_digest(f"tensor {tensor} of operator {op_index}", data, reply.digest)
        return data

    def read_tensor(self, tensor: int) -> bytes:
        """Bytes of a tensor that is valid now: one of the model's outputs after `invoke`.

        Raises:
            DeviceError: the tensor's memory may have been reused.
            MemoryContentError: the bytes read are not those that were digested.
        """
        data = self._read(tensor)
        if tensor in self._digests:
            check_digest(f"tensor {tensor}", data, self._digests[tensor])
        return data

    def _read(self, tensor: int) -> bytes:
        data = bytearray()
        step = self._max_payload - _CHUNK_HEADER_BYTES
        size_bytes = 1
        while len(data) < size_bytes:
            reply = self._exchange.request(
                m.ReadTensor(tensor, len(data), step),
                m.ReadTensorReply,
                progress=f"{len(data)} bytes read",
            )
            size_bytes = reply.size_bytes
            if reply.offset_bytes != len(data) or (not reply.data and len(data) < size_bytes):
                raise ProtocolError(
                    f"READ_TENSOR {tensor}",
                    expected=f"bytes from {len(data)}",
                    got=f"{len(reply.data)} bytes from {reply.offset_bytes}",
                )
            data += reply.data
        return bytes(data)
