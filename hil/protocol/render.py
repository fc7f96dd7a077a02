"""Writes the device's C header from `codes` and `messages`: `python -m hil.protocol.render`."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hil.protocol import codes
from hil.protocol.framing import MAX_ENCODED_BYTES
from hil.protocol.messages import DIGEST_BYTES, EVENTS, RECORDS, REPLIES, REQUESTS
from hil.protocol.wire import Message, fixed_size_bytes, wire_fields

if TYPE_CHECKING:
    from enum import IntEnum

HEADER_PATH: Final = (
    Path(__file__).resolve().parents[2] / "boards" / "firmware" / "agent" / "protocol.h"
)

_INTRODUCTION: Final = """\
/*
 * The wire protocol's numbers. Written by `python -m hil.protocol.render`; do not edit.
 *
 * hil/protocol/README.md describes the conversation. Of each message: the offset of every field
 * in its payload, and the bytes of the part that is always there (_SIZE). Numbers are little
 * endian and unaligned.
 */
#ifndef HIL_AGENT_PROTOCOL_H
#define HIL_AGENT_PROTOCOL_H
"""

_ENUMS: Final[tuple[tuple[str, type[IntEnum]], ...]] = (
    ("CODE", codes.Code),
    ("ERROR", codes.DeviceErrorCode),
    ("INIT", codes.InitStage),
    ("COUNTER", codes.CounterKind),
)
_FLAGS: Final = (
    ("CACHE", codes.CacheFlag),
    ("BUILD", codes.BuildFlag),
    ("REGION", codes.RegionFlag),
)


def _define(name: str, value: int, *, hexadecimal: bool = False) -> str:
    number = f"0x{value:02X}u" if hexadecimal else f"{value}u"
    return f"#define PROTOCOL_{name} {number}"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def _message(message: type[Message]) -> list[str]:
    name = _snake(message.__name__)
    lines = [f"/* {message.__name__} */"]
    offset = 0
    for field_name, wire in wire_fields(message):
        lines.append(_define(f"{name}_AT_{field_name.upper()}", offset))
        if wire.form.value in ("bytes", "text"):
            lines.append(_define(f"{name}_{field_name.upper()}_LENGTH", wire.size_bytes))
        offset += wire.size_bytes
    lines.append(_define(f"{name}_SIZE", fixed_size_bytes(message)))
    return [*lines, ""]


def render_header() -> str:
    """The text of protocol.h."""
    lines = [
        _INTRODUCTION,
        _define("VERSION", codes.PROTOCOL_VERSION),
        _define("MAX_PAYLOAD", codes.MAX_PAYLOAD_BYTES),
        _define("FRAME_OVERHEAD", codes.FRAME_OVERHEAD_BYTES),
        _define("MAX_ENCODED", MAX_ENCODED_BYTES),
        _define("NONE_INDEX", codes.NONE_INDEX, hexadecimal=True),
        _define("RESPONSE_BIT", codes.RESPONSE_BIT, hexadecimal=True),
        _define("UNSOLICITED_SEQUENCE", codes.UNSOLICITED_SEQUENCE, hexadecimal=True),
        _define("ANY_REGION", codes.ANY_REGION, hexadecimal=True),
        _define("DIGEST_LENGTH", DIGEST_BYTES),
        "",
    ]
    for prefix, enum in _ENUMS:
        lines.append(f"/* {enum.__name__} */")
        hexadecimal = enum is codes.Code
        lines += [_define(f"{prefix}_{e.name}", e.value, hexadecimal=hexadecimal) for e in enum]
        lines.append("")
    for prefix, flags in _FLAGS:
        lines.append(f"/* {flags.__name__} */")
        lines += [
            _define(f"{prefix}_{flag.name}", flag.value, hexadecimal=True)
            for flag in flags.__members__.values()
        ]
        lines.append("")
    for message in (*RECORDS, *REQUESTS, *REPLIES, *EVENTS):
        lines += _message(message)
    lines.append("#endif")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the header, or with `--check` compare it; returns an exit code."""
    parser = argparse.ArgumentParser(prog="python -m hil.protocol.render", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)
    text = render_header()
    if not options.check:
        HEADER_PATH.write_text(text, encoding="utf-8")
        return 0
    if HEADER_PATH.read_text(encoding="utf-8") != text:
        sys.stderr.write(
            "boards/firmware/agent/protocol.h differs from hil/protocol: "
            "run python -m hil.protocol.render\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
