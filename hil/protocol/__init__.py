"""The wire protocol between host and device, defined once (`codes`, `messages`, `framing`).

`python -m hil.protocol.render` writes the C header of the device's end from these definitions.
The README beside this file is the specification.
"""

from hil.protocol.codes import PROTOCOL_VERSION, Code, DeviceErrorCode
from hil.protocol.framing import Frame, FrameError, FrameReader, encode_frame
from hil.protocol.wire import Message, PayloadError

__all__ = [
    "PROTOCOL_VERSION",
    "Code",
    "DeviceErrorCode",
    "Frame",
    "FrameError",
    "FrameReader",
    "Message",
    "PayloadError",
    "encode_frame",
]
