"""The wire definitions: framing, payloads, codes that never change, and the rendered header."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hil.protocol import codes, messages
from hil.protocol.framing import Frame, FrameError, FrameReader, decode_frame, encode_frame
from hil.protocol.render import HEADER_PATH, main, render_header
from hil.protocol.wire import Form, Message, PayloadError, wire_fields

MESSAGES = (*messages.RECORDS, *messages.REQUESTS, *messages.REPLIES, *messages.EVENTS)
ASSIGNED = Path(__file__).with_name("protocol_codes.json")


def _value(wire):
    if wire.form is Form.SCALAR:
        bits = 8 * wire.size_bytes
        low, high = (
            (-(1 << bits - 1), (1 << bits - 1) - 1)
            if wire.code.islower() and (wire.code in "iq")
            else (0, (1 << bits) - 1)
        )
        return st.integers(low, high)
    if wire.form is Form.BYTES:
        return st.binary(min_size=wire.size_bytes, max_size=wire.size_bytes)
    if wire.form is Form.TEXT:
        return st.text("abcXYZ 0.9-", max_size=wire.size_bytes)
    if wire.form is Form.REST:
        return st.binary(max_size=300)
    if wire.form is Form.TEXT_REST:
        return st.text("abc ", max_size=80)
    return st.lists(_message(wire.record), max_size=4).map(tuple)


def _message(kind):
    return st.builds(kind, **{name: _value(wire) for name, wire in wire_fields(kind)})


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda k: k.__name__)
def test_a_payload_survives_the_wire(kind):
    @given(_message(kind))
    def check(message):
        assert kind.decode(message.encode()) == message

    check()


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda k: k.__name__)
def test_a_payload_cut_short_or_too_long_is_refused(kind):
    @given(_message(kind), st.data())
    def check(message, data):
        payload = message.encode()
        open_ended = {w.form for _, w in wire_fields(kind)} & {Form.REST, Form.TEXT_REST}
        if not open_ended:
            with pytest.raises(PayloadError, match=kind.__name__):
                kind.decode(payload + b"\0")
            if payload:
                with pytest.raises(PayloadError, match="expected"):
                    kind.decode(payload[: data.draw(st.integers(0, len(payload) - 1))])

    check()


def test_a_value_that_does_not_fit_its_field_is_refused():
    with pytest.raises(PayloadError, match=r"ModelBegin\.sha256: expected 32 bytes, got 31"):
        messages.ModelBegin(1, bytes(31)).encode()
    with pytest.raises(PayloadError, match=r"ModelBegin\.size_bytes"):
        messages.ModelBegin(1 << 32, bytes(32)).encode()


@given(
    st.integers(0, 255),
    st.integers(0, 0xFFFF),
    st.binary(max_size=600),
    st.integers(0, 255),
)
def test_a_frame_survives_the_wire(code, sequence, payload, version):
    frame = Frame(code, sequence, payload, version)
    encoded = encode_frame(frame)
    assert encoded[0] == encoded[-1] == 0
    assert 0 not in encoded[1:-1]
    assert list(FrameReader().feed(encoded)) == [frame]


@given(st.binary(max_size=40), st.data())
def test_a_byte_flipped_or_lost_never_makes_another_frame(payload, data):
    frame = Frame(7, 1, payload)
    encoded = bytearray(encode_frame(frame))
    position = data.draw(st.integers(1, len(encoded) - 2))
    if data.draw(st.booleans()):
        del encoded[position]
    else:
        encoded[position] ^= data.draw(st.integers(1, 255))
    assert [f for f in FrameReader().feed(bytes(encoded)) if f != frame] == []


@given(st.lists(st.binary(max_size=20), max_size=5), st.integers(1, 9))
def test_frames_are_found_between_garbage_in_pieces_of_any_size(garbage, piece):
    frames = [Frame(1, i, bytes([i, 0, 255])) for i in range(len(garbage))]
    stream = b"".join(
        g.replace(b"\0", b"?") + encode_frame(f) for g, f in zip(garbage, frames, strict=True)
    )
    reader = FrameReader()
    found = [
        frame
        for start in range(0, len(stream), piece)
        for frame in reader.feed(stream[start : start + piece])
    ]
    assert found == frames
    assert reader.discarded_bytes == sum(map(len, garbage))


@pytest.mark.parametrize(
    ("encoded", "message"),
    [
        (b"\x05\x01", "not COBS"),
        (b"\x02\x01", "1 bytes, a frame has at least 8"),
        (b"\x09" + b"\x01" * 8, "checksum 01010101 in the frame"),
    ],
    ids=["cobs", "short", "checksum"],
)
def test_what_is_no_frame_is_refused_by_reason(encoded, message):
    with pytest.raises(FrameError, match=message):
        decode_frame(encoded)


def test_an_endless_run_without_delimiter_is_dropped():
    reader = FrameReader()
    assert list(reader.feed(b"x" * 10_000)) == []
    assert (reader.bad_frames, reader.pending_bytes) == (1, 0)
    assert list(reader.feed(encode_frame(Frame(1, 2, b"")))) == [Frame(1, 2, b"")]


def test_too_long_a_payload_is_refused():
    with pytest.raises(FrameError, match="4113 bytes, at most 4112"):
        encode_frame(Frame(1, 1, bytes(4113)))


def test_the_c_header_is_what_the_definitions_render(capsys, monkeypatch, tmp_path):
    assert HEADER_PATH.read_text() == render_header()
    assert main(["--check"]) == 0
    stale = tmp_path / "protocol.h"
    stale.write_text("old")
    monkeypatch.setattr("hil.protocol.render.HEADER_PATH", stale)
    assert main(["--check"]) == 1
    assert "run python -m hil.protocol.render" in capsys.readouterr().err
    assert main([]) == 0
    assert stale.read_text() == render_header()


def test_every_message_is_in_a_table_and_every_code_has_one_message():
    kinds = {k for k in vars(messages).values() if isinstance(k, type) and issubclass(k, Message)}
    assert kinds - {Message} == set(MESSAGES)
    assert sorted(k.code for k in MESSAGES if k.code is not None) == sorted(codes.Code)
    for request, reply in zip(messages.REQUESTS, messages.REPLIES, strict=True):
        assert reply.code == request.code | codes.RESPONSE_BIT
        assert re.fullmatch(f"{request.__name__}Reply", reply.__name__)


def test_codes_once_given_keep_their_meaning():
    """protocol_codes.json only ever grows: a number in it belongs to its name for good."""
    given_out = json.loads(ASSIGNED.read_text())
    for enum in (codes.Code, codes.DeviceErrorCode, codes.InitStage, codes.CounterKind):
        assert given_out[enum.__name__] == {e.name: e.value for e in enum}
