"""Every number of the protocol that has a name. A number once given is never given again."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

PROTOCOL_VERSION: Final = 1

MAX_PAYLOAD_BYTES: Final = 4112
"""Largest payload of one frame: 4 KB of data and 16 bytes about it."""

FRAME_OVERHEAD_BYTES: Final = 8
"""Version, code, sequence number and CRC-32 around a payload."""

NONE_INDEX: Final = 0xFFFFFFFF
"""Stands for "no operator", "no tensor", "no position" in an index field."""

RESPONSE_BIT: Final = 0x80
"""A response's code is its request's with this bit set."""

UNSOLICITED_SEQUENCE: Final = 0xFFFF
"""Sequence number of a frame that answers none; no request carries it."""


class Code(IntEnum):
    """Kinds of frame. Requests are below 0x40, events from 0x40, responses from 0x80."""

    HELLO = 0x01
    PING = 0x02
    RESET = 0x03
    MODEL_BEGIN = 0x10
    MODEL_CHUNK = 0x11
    MODEL_END = 0x12
    ALLOCATE = 0x18
    TENSOR_OFFSETS = 0x19
    INPUT = 0x20
    INVOKE = 0x21
    RESULT = 0x22
    CAPTURE = 0x23
    READ_TENSOR = 0x24

    OPERATOR = 0x40
    FAULT = 0x7E

    HELLO_REPLY = 0x81
    PING_REPLY = 0x82
    RESET_REPLY = 0x83
    MODEL_BEGIN_REPLY = 0x90
    MODEL_CHUNK_REPLY = 0x91
    MODEL_END_REPLY = 0x92
    ALLOCATE_REPLY = 0x98
    TENSOR_OFFSETS_REPLY = 0x99
    INPUT_REPLY = 0xA0
    INVOKE_REPLY = 0xA1
    RESULT_REPLY = 0xA2
    CAPTURE_REPLY = 0xA3
    READ_TENSOR_REPLY = 0xA4
    ERROR = 0xFE


class DeviceErrorCode(IntEnum):
    """Why a device refuses: the `code` of an ERROR frame."""

    BAD_FRAME = 1
    UNSUPPORTED_VERSION = 2
    UNKNOWN_REQUEST = 3
    BAD_PAYLOAD = 4
    UART_OVERRUN = 5
    NO_MODEL = 10
    MODEL_TOO_LARGE = 11
    CHUNK_OUT_OF_ORDER = 12
    MODEL_INCOMPLETE = 13
    MODEL_HASH_MISMATCH = 14
    MODEL_REFUSED = 15
    NOT_ALLOCATED = 20
    ARENA_TOO_SMALL = 21
    ALLOCATE_FAILED = 22
    NO_SUCH_REGION = 23
    NO_SUCH_SUBGRAPH = 24
    NO_SUCH_INPUT = 30
    INPUT_OUT_OF_ORDER = 31
    INPUT_OUT_OF_RANGE = 32
    INPUTS_NOT_WRITTEN = 33
    INVOKE_FAILED = 34
    NO_SUCH_EVENT = 35
    EVENT_NOT_KEPT = 36
    NO_SUCH_TENSOR = 37
    TENSOR_NOT_VALID = 38
    TENSOR_OUT_OF_RANGE = 39
    BOARD_INIT_FAILED = 50


class InitStage(IntEnum):
    """Which part of the board's start did not come up; 0 if all did."""

    NONE = 0
    VOLTAGE = 1
    OSCILLATOR = 2
    PLL = 3
    CLOCK_SWITCH = 4
    SDRAM = 5
    UART = 6
    CYCLE_COUNTER = 7


class CounterKind(IntEnum):
    """What the cycles in an OPERATOR frame are: the core's own counter, or an emulator's model."""

    NONE = 0
    DWT_CYCCNT = 1
    MODELLED_CYCCNT = 2


class CacheFlag(IntFlag):
    """What is switched on between core and memory."""

    INSTRUCTION = 1
    DATA = 2
    MPU = 4


class BuildFlag(IntFlag):
    """What a firmware image was built with besides the defaults."""

    DEBUG = 1
    SINGLE_ROUNDING = 2
    FAULT_INJECTION = 4


class RegionFlag(IntFlag):
    """What a memory region in HELLO is for."""

    MODEL = 1
    ARENA = 2


ANY_REGION: Final = 0xFF
"""ALLOCATE's `region` that leaves the choice to the device: the first one that is large enough."""
