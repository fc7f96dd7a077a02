"""`hil inspect --bytes`: the article's walk, and that no byte of any model is left out."""

import json

import numpy as np
import pytest

from fixtures.generate import FOLDER
from fixtures.writer import Buffer, Model, SubGraph, Tensor, build
from pyref import ModelError
from pyref.container.walk import walk, walk_json, walk_text
from tests.public_models import FILES, needs_models

C2_BN = (FOLDER / "c2_bn.tflite").read_bytes()

# Article 000, section 1.4: position, bytes, meaning.
ARTICLE = [
    "[     0..     3] root offset: uoffset = 32 -> Model at 32: 20 00 00 00",
    "[     4..     7] file identifier 'TFL3': 54 46 4c 33",
    "[    12..    31] vtable of Model: 20 bytes, object 32 bytes",
    "  [    12] 14 00                    vtable_size = 20",
    "  [    14] 20 00                    object_size = 32",
    "  [    16] 1c 00                    field 0 (version) at +28",
    "  [    18] 18 00                    field 1 (operator_codes) at +24",
    "  [    20] 14 00                    field 2 (subgraphs) at +20",
    "  [    22] 10 00                    field 3 (description) at +16",
    "  [    24] 0c 00                    field 4 (buffers) at +12",
    "  [    26] 00 00                    field 5 (metadata_buffer) absent",
    "  [    28] 08 00                    field 6 (metadata) at +8",
    "  [    30] 04 00                    field 7 (signature_defs) at +4",
    "[    32..    63] Model: table of 32 bytes",
    "  [    32] 14 00 00 00              soffset = 20 -> vtable at 12",
    "  [    36] 1c 00 00 00              field 7 (signature_defs): uoffset = 28 -> 64",
    "  [    40] 1c 00 00 00              field 6 (metadata): uoffset = 28 -> 68",
    "  [    44] 94 00 00 00              field 4 (buffers): uoffset = 148 -> 192",
    "  [    48] 20 b2 03 00              field 3 (description): uoffset = 242208 -> 242256",
    "  [    52] 30 b2 03 00              field 2 (subgraphs): uoffset = 242224 -> 242276",
    "  [    56] 3c ec 03 00              field 1 (operator_codes): uoffset = 257084 -> 257140",
    "  [    60] 03 00 00 00              field 0 (version) = 3",
    "[    64..    67] signature_defs: vector of 0 SignatureDef",
    "[    68..    83] metadata: vector of 3 Metadata",
    "  [    68] 03 00 00 00              length = 3",
    "  [    72] 54 00 00 00              metadata[0]: uoffset = 84 -> 156",
    "  [    76] 2c 00 00 00              metadata[1]: uoffset = 44 -> 120",
    "  [    80] 04 00 00 00              metadata[2]: uoffset = 4 -> 84",
    "  [    84] 30 4a fc ff              soffset = -243152 -> vtable at 243236",
    "  [    88] 22 00 00 00              field 1 (buffer) = 34",
    "  [    92] 04 00 00 00              field 0 (name): uoffset = 4 -> 96",
    '  [   100] 43 4f 4e 56 45 52 53 49 4f 4e 5f 4d 45 54 41 44 ...  "CONVERSION_METADATA" and NUL',
    "[   192..   335] buffers: vector of 35 Buffer",
    "  [   192] 23 00 00 00              length = 35",
]


def test_article_s_walk():
    lines = walk_text(C2_BN).splitlines()
    assert [line for line in ARTICLE if line not in lines] == []
    assert any("vtable of 3 Metadata" in line for line in lines)


def check_cover(data):
    """Regions follow one another over the whole file, and parts over their region."""
    regions = walk(data)
    end = 0
    for region in regions:
        assert region.position == end
        end += region.length
        at = region.position
        for part in region.parts:
            assert part.position == at
            at += part.length
        assert at == (end if region.parts else region.position)
    assert end == len(data)
    return regions


@pytest.mark.parametrize("name", ["c2_bn", "dense", "odd"])
def test_fixtures_are_covered(name):
    regions = check_cover((FOLDER / f"{name}.tflite").read_bytes())
    assert {r.kind for r in regions} == {"header", "vtable", "table", "vector", "string", "padding"}


@needs_models
def test_public_models_are_covered():
    unread = {}
    for path in FILES:
        for region in check_cover(path.read_bytes()):
            if region.kind == "unread":
                unread[path.name] = region.meaning
    assert unread == {
        "mobilenet_v1_0.25_128_quant.tflite": "21822 bytes of a zip archive: files that belong to "
        "the metadata"
    }


def test_json_form():
    regions = json.loads(json.dumps(walk_json(C2_BN)))
    assert regions[0] == {
        "position": 0,
        "length": 4,
        "kind": "header",
        "meaning": "root offset: uoffset = 32 -> Model at 32",
        "bytes": "20 00 00 00",
        "parts": [],
    }
    vtable = next(r for r in regions if r["position"] == 12)
    assert vtable["parts"][2] == {
        "position": 16,
        "length": 2,
        "meaning": "field 0 (version) at +28",
        "bytes": "1c 00",
    }
    weights = next(r for r in regions if r["meaning"].startswith("buffers[15].data"))
    assert weights["length"] == 292
    assert weights["bytes"].endswith(" ...")


def test_bytes_outside_the_flatbuffer():
    weights = Buffer(np.arange(16, dtype=np.int8), external=True)
    graph = SubGraph([Tensor([16], buffer=1)], [], [], [])
    data = build(Model([graph], buffers=[Buffer(), weights]))
    last = check_cover(data)[-1]
    assert (last.kind, last.length) == ("outside", 16)
    assert last.meaning.startswith("buffers[1]: 16 bytes that the file points to")


def test_bytes_that_nothing_refers_to():
    data = build(Model([SubGraph([], [], [], [])])) + b"junk" + bytes(8)
    last = check_cover(data)[-1]
    assert (last.kind, last.meaning) == (
        "unread",
        "12 bytes that this schema does not refer to",
    )


def test_enumerations_and_unions_are_named():
    shown = walk_text(C2_BN)
    assert "field 1 (type) = 9 (INT8)" in shown
    assert "field 3 (builtin_options_type) = 1 (Conv2DOptions)" in shown
    assert "field 3 (builtin_code) = 17 (MAX_POOL_2D)" in shown


def test_broken_file_has_no_walk():
    with pytest.raises(ModelError):
        walk(C2_BN[:1000])
