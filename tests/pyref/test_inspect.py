"""The content of `hil inspect`: a model as data and as text, and what to register."""

import json

import numpy as np

from fixtures.generate import FOLDER
from fixtures.writer import (
    Metadata,
    Model,
    Operator,
    SignatureDef,
    SubGraph,
    Tensor,
    build,
    one_operator,
)
from pyref import Model as Loaded
from pyref.inspect import describe, text
from pyref.operators import OPERATORS
from pyref.resolver import METHODS, resolver
from tests.public_models import FILES, needs_models

C2_BN = Loaded.from_file(FOLDER / "c2_bn.tflite")


def load(model):
    return Loaded.from_bytes(build(model))


def test_c2_bn_as_data():
    data = json.loads(json.dumps(describe(C2_BN)))
    assert data["size_bytes"] == 257304
    assert data["schema_version"] == 3
    (graph,) = data["subgraphs"]
    assert len(graph["tensors"]) == 31
    assert [o["op"] for o in graph["operators"]][:2] == ["CONV_2D", "MAX_POOL_2D"]
    assert graph["operators"][0]["inputs"] == [0, 14, 13]
    assert graph["operators"][0]["options"]["fused_activation_function"] == 3
    assert graph["tensors"][14]["storage"] == "constant"
    assert graph["tensors"][14]["size_bytes"] == 288
    assert graph["tensors"][15]["storage"] == "arena"
    assert graph["tensors"][22]["quantization"]["zero_point"] == [73]
    assert len(graph["tensors"][14]["quantization"]["scale"]) == 32
    assert graph["tensors"][30]["quantization"] is None
    assert [c["used"] for c in data["operator_codes"]] == [5, 3, 2, 2, 2, 1, 1]
    # The article: 35 buffers, [0] and activations empty, [2..15] constants, [32..34] metadata.
    constant = [b["index"] for b in data["buffers"] if b["constant"]]
    assert len(data["buffers"]) == 35
    assert constant == [*range(2, 16), *range(32, 35)]
    assert data["buffers"][15]["used_by"] == ["subgraphs[0].tensors[14]"]
    assert data["buffers"][34]["used_by"] == ["metadata[2]"]
    assert data["warnings"] == []


def test_c2_bn_as_text():
    shown = text(C2_BN)
    assert "257304 bytes, schema version 3" in shown
    assert "35 buffers, 17 with data" in shown
    assert "2..15, 32..34" in shown
    assert "padding=SAME stride_w=1 stride_h=1 fused_activation_function=RELU6" in shown
    row = next(line for line in shown.splitlines() if line.startswith("  T[14] "))
    assert row.split()[:5] == ["T[14]", "INT8", "[32,3,3,1]", "288", "constant"]
    assert "32 along 0: 0.00572 to 0.04677" in row


def test_c2_bn_resolver():
    assert resolver(C2_BN).code.splitlines() == [
        "tflite::MicroMutableOpResolver<7> resolver;",
        "resolver.AddConv2D();",
        "resolver.AddMaxPool2D();",
        "resolver.AddStridedSlice();",
        "resolver.AddLogistic();",
        "resolver.AddQuantize();",
        "resolver.AddConcatenation();",
        "resolver.AddDequantize();",
    ]


def test_inputs_have_position_index_and_every_name():
    model = one_operator(
        "SUB", [Tensor([1, 4], name="a"), Tensor([1, 4], name="b")], [Tensor([1, 4])], {}
    )
    model.subgraphs[0].inputs = [1, 0]
    model.signature_defs = [SignatureDef("serve", {"x1": 0, "x2": 1}, {"y": 2})]
    loaded = load(model)
    first, second = describe(loaded)["subgraphs"][0]["inputs"]
    assert (first["position"], first["tensor"], first["name"]) == (0, 1, "b")
    assert first["signature_names"] == ["x2"]
    assert second["signature_names"] == ["x1"]
    assert 'input 0: T[1] INT8 [1, 4] "b" = "x2"' in text(loaded)


def test_resolver_custom_and_unsupported():
    code = [
        Operator("CUSTOM", [0], [0], custom_code="SignalWindow"),
        Operator("CUSTOM", [0], [0], custom_code='my "op"\n'),
        Operator("CUSTOM", [0], [0]),
        Operator("TILE", [0], [0]),
        Operator("ADD", [0, 0], [0]),
        Operator("ADD", [0, 0], [0]),
    ]
    model = load(Model([SubGraph([Tensor([4])], code, [0], [0])]))
    found = resolver(model)
    assert found.calls == (
        "AddWindow()",
        'AddCustom("my \\042op\\042\\012", Register_my__op__())',
        "AddAdd()",
    )
    assert found.missing == ("CUSTOM", "TILE")
    assert found.code.splitlines()[0] == "tflite::MicroMutableOpResolver<3> resolver;"
    assert found.code.splitlines()[-1].startswith("// TILE: TFLM has no kernel")
    assert len(found.code.splitlines()) == 7


def test_custom_operator_named_like_a_builtin_is_not_one():
    model = load(one_operator("CUSTOM", [Tensor([4])], [Tensor([4])], custom_code="ADD"))
    assert resolver(model).calls == ('AddCustom("ADD", Register_ADD())',)


def test_every_operator_of_pyref_can_be_registered():
    assert set(OPERATORS) <= set(METHODS)
    assert len(METHODS) == 118


def test_text_from_the_file_cannot_reach_the_terminal():
    evil = "\x1b[2J\nwarning: all well"
    tensor = Tensor([4], name=evil, scale=[1.0, 2.0], zero_point=[1, 2, 3])
    model = load(
        Model(
            [SubGraph([tensor], [], [0], [0], name=evil)],
            description=evil,
            metadata=[Metadata(evil, b"")],
        )
    )
    shown = text(model)
    assert "\x1b" not in shown
    assert "\nwarning: all well" not in shown
    assert "\nwarning: subgraphs[0]" in shown


def test_infinite_scales_are_json():
    model = load(Model([SubGraph([Tensor([4], scale=np.inf)], [], [], [])]))
    quantization = describe(model)["subgraphs"][0]["tensors"][0]["quantization"]
    assert quantization["scale"] == ["inf"]
    json.dumps(describe(model), allow_nan=False)


def test_control_flow_names_subgraphs():
    call = Operator("CALL_ONCE", [], [], {"init_subgraph_index": 1})
    model = load(Model([SubGraph([], [call], [], []), SubGraph([], [], [], [])]))
    assert "init_subgraph_index=subgraph 1" in text(model)


@needs_models
def test_every_public_model():
    for path in FILES:
        model = Loaded.from_file(path)
        json.dumps(describe(model), allow_nan=False)
        assert text(model).count("\n") > 10, path.name
