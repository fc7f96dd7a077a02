"""Frames: COBS between zero bytes, and inside version, code, sequence number, payload, CRC-32."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cobs import cobs

from hil.protocol.codes import (
    FRAME_OVERHEAD_BYTES,
    MAX_PAYLOAD_BYTES,
    PROTOCOL_VERSION,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

DELIMITER: Final = b"\0"
_HEADER: Final = struct.Struct("<BBH")
_CRC: Final = struct.Struct("<I")
_MAX_FRAME_BYTES: Final = MAX_PAYLOAD_BYTES + FRAME_OVERHEAD_BYTES
MAX_ENCODED_BYTES: Final = _MAX_FRAME_BYTES + (_MAX_FRAME_BYTES // 254) + 1
"""Longest run of bytes between two delimiters that can be a frame."""


class FrameError(Exception):
    """Bytes between two delimiters are not a frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands between two delimiters, checksum verified."""

    code: int
    sequence: int
    payload: bytes
    version: int = PROTOCOL_VERSION


def encode_frame(frame: Frame) -> bytes:
    """A frame's bytes on the wire, with a delimiter before and after it.

    The one before ends whatever a broken conversation left in the receiver.

    Raises:
        FrameError: the payload is longer than a frame holds.
    """
    if len(frame.payload) > MAX_PAYLOAD_BYTES:
        raise FrameError(f"payload of {len(frame.payload)} bytes, at most {MAX_PAYLOAD_BYTES} fit")
    body = _HEADER.pack(frame.version, frame.code, frame.sequence) + frame.payload
    encoded: bytes = cobs.encode(body + _CRC.pack(zlib.crc32(body)))
    return DELIMITER + encoded + DELIMITER


def decode_frame(encoded: bytes) -> Frame:
    """The frame in the bytes between two delimiters, of any protocol version.

    Raises:
        FrameError: not COBS, too short, or the checksum differs.
    """
    try:
        body = cobs.decode(encoded)
    except cobs.DecodeError as error:
        raise FrameError(f"not COBS: {error}") from error
    if len(body) < FRAME_OVERHEAD_BYTES:
        raise FrameError(f"{len(body)} bytes, a frame has at least {FRAME_OVERHEAD_BYTES}")
    (crc,) = _CRC.unpack_from(body, len(body) - _CRC.size)
    computed = zlib.crc32(body[: -_CRC.size])
    if crc != computed:
        raise FrameError(f"checksum {crc:08x} in the frame, {computed:08x} over its bytes")
    version, code, sequence = _HEADER.unpack_from(body)
    return Frame(code, sequence, body[_HEADER.size : -_CRC.size], version)


class FrameReader:
    """Cuts a byte stream into frames and counts what is none.

    Attributes:
        bad_frames: runs of bytes between delimiters that were no frame.
        discarded_bytes: bytes in them.
    """

    def __init__(self) -> None:
        self.bad_frames = 0
        self.discarded_bytes = 0
        self._pending = bytearray()

    @property
    def pending_bytes(self) -> int:
        """Bytes received since the last delimiter."""
        return len(self._pending)

    def clear(self) -> None:
        """Forget the bytes since the last delimiter."""
        self.discarded_bytes += len(self._pending)
        self._pending.clear()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that `data` completes."""
        parts = data.split(DELIMITER)
        for part in parts[:-1]:
            self._pending += part
            encoded = bytes(self._pending)
            self._pending.clear()
            if not encoded:
                continue
            try:
                yield decode_frame(encoded)
            except FrameError:
                self.bad_frames += 1
                self.discarded_bytes += len(encoded)
        self._pending += parts[-1]
        if len(self._pending) > MAX_ENCODED_BYTES:
            self.bad_frames += 1
            self.clear()
