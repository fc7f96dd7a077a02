"""Faults from the field (facts/field_failures.md, by number) that the engine has to get right."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.writer import Model, Operator, OperatorCode, SubGraph, Tensor, build, one_operator
from pyref.fixedpoint import multiply_by_quantized_multiplier
from tests.firmware.engine_on_host import FIXTURES, needs_gcc, run, run_program
from tests.firmware.engine_on_host import build as build_engine

pytestmark = needs_gcc

RESHAPE = 22
PLACEHOLDER = 127
CUMSUM = 128


def reshape_model(code: OperatorCode) -> bytes:
    tensors = [Tensor([4], "INT32"), Tensor([2, 2], "INT32")]
    operator = Operator("RESHAPE", [0], [1], opcode_index=0)
    return build(Model([SubGraph(tensors, [operator], [0], [1])], operator_codes=[code]))


# 2: which operator code field wins


@pytest.mark.parametrize(
    ("deprecated", "builtin", "got"),
    [(22, 22, None), (22, 0, None), (0, 22, None), (127, 22, 127), (127, 128, 128), (-1, 22, None)],
    ids=["both", "old-file", "new-only", "placeholder-wins", "beyond-127", "negative-old"],
)
def test_2_the_larger_operator_code_wins(deprecated, builtin, got):
    result = run(reshape_model(OperatorCode(builtin, deprecated_code=deprecated)))
    if got is None:
        assert result.error is None
        assert result.outputs[0][1] == "RESHAPE"
    else:
        assert result.status == "UNKNOWN_OPERATOR"
        assert result.number("got") == got
        assert result.number("op") == 0


# 3: "didn't find op": version never matters, a bad opcode_index is its own error


@pytest.mark.parametrize("version", [1, 2, 99])
def test_3_operator_version_does_not_matter(version):
    assert run(reshape_model(OperatorCode("RESHAPE", version=version))).error is None


def test_3_operator_that_is_not_registered():
    model = one_operator("REVERSE_V2", [Tensor([4], "INT32")], [Tensor([4], "INT32")])
    result = run(build(model))
    assert (result.status, result.number("got")) == ("UNKNOWN_OPERATOR", 105)
    assert "registration table" in result.error


def test_3_custom_operator_without_a_code():
    tensors = [Tensor([4], "INT32"), Tensor([4], "INT32")]
    operator = Operator("CUSTOM", [0], [1], opcode_index=0)
    model = Model(
        [SubGraph(tensors, [operator], [0], [1])], operator_codes=[OperatorCode("CUSTOM")]
    )
    assert run(build(model)).status == "UNKNOWN_OPERATOR"


def test_3_opcode_index_out_of_range():
    tensors = [Tensor([4], "INT32"), Tensor([2, 2], "INT32")]
    operator = Operator("RESHAPE", [0], [1], opcode_index=1)
    codes = [OperatorCode("RESHAPE")]
    result = run(build(Model([SubGraph(tensors, [operator], [0], [1])], operator_codes=codes)))
    assert result.status == "MODEL_INVALID"
    assert "opcode_index" in result.error
    assert (result.number("expected"), result.number("got")) == (1, 1)


# 4: schema version, identifier


@pytest.mark.parametrize("version", [0, 2, 4])
def test_4_schema_version(version):
    model = one_operator("RESHAPE", [Tensor([4], "INT32")], [Tensor([2, 2], "INT32")])
    model.version = version
    result = run(build(model))
    assert result.status == "MODEL_VERSION"
    assert (result.number("expected"), result.number("got")) == (3, version)


@pytest.mark.parametrize("identifier", [b"\0\0\0\0", b"TFL2"])
def test_4_identifier(identifier):
    data = bytearray((FIXTURES / "dense.tflite").read_bytes())
    data[4:8] = identifier
    result = run(bytes(data))
    assert result.status == "MODEL_IDENTIFIER"
    assert result.number("position") == 4


# 5: what is no model (cut and damaged ones: test_engine_damage.py)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", "MODEL_MALFORMED"),
        (b"\x18\x00\x00\x00TFL3", "MODEL_MALFORMED"),
        (b"\x04\x00\x00\x00TFL3", "MODEL_MALFORMED"),
        (b"\x00\x00\x00\x00TFL3\x00\x00\x00\x00", "MODEL_MALFORMED"),
        (b"\xff\xff\xff\xffTFL3\x00\x00\x00\x00", "MODEL_MALFORMED"),
        (b"#!/usr/bin/env python3\nprint()\n", "MODEL_IDENTIFIER"),
    ],
    ids=["empty", "8-bytes", "root-in-identifier", "root-0", "root-beyond", "script"],
)
def test_5_not_a_model(data, status):
    assert run(data).status == status


# 6: sound container, wrong numbers


def conv(**tensors) -> Model:
    model = one_operator(
        "CONV_2D",
        [
            Tensor([1, 5, 5, 3], scale=0.5, zero_point=-3),
            Tensor(data=np.ones([4, 3, 3, 3], np.int8), scale=0.01),
            Tensor(data=np.zeros(4, np.int32), scale=0.005),
        ],
        [Tensor([1, 5, 5, 4], scale=0.25, zero_point=7)],
        {"padding": "SAME", "stride_w": 1, "stride_h": 1},
    )
    for name, value in tensors.items():
        model.subgraphs[0].tensors[["x", "filter", "bias", "out"].index(name)] = value
    return model


def test_6_buffer_index():
    model = conv(x=Tensor([1, 5, 5, 3], scale=0.5, zero_point=-3, buffer=9999))
    result = run(build(model))
    assert result.status == "MODEL_INVALID"
    assert (result.number("tensor"), result.number("got")) == (0, 9999)
    assert "buffer index" in result.error


@pytest.mark.parametrize("index", [4, -2, 2**31 - 1])
def test_6_tensor_index(index):
    model = conv()
    model.subgraphs[0].operators[0].inputs = [index, 1, 2]
    result = run(build(model))
    assert result.status == "MODEL_INVALID"
    assert (result.number("op"), result.number("got")) == (0, index)
    assert "tensor index" in result.error


def test_6_shape_product_overflows():
    model = one_operator("RESHAPE", [Tensor([65536, 65536])], [Tensor([65536, 65536])])
    result = run(build(model))
    assert result.status == "MODEL_INVALID"
    assert "overflow" in result.error


@pytest.mark.parametrize("shape", [[4, 3, 3, 2], [4, 3, 3, 4]], ids=["longer", "shorter"])
def test_6_constant_does_not_fit_its_shape(shape):
    filter_ = Tensor(shape, data=np.ones([4, 3, 3, 3], np.int8), scale=0.01)
    result = run(build(conv(filter=filter_)))
    assert result.status == "MODEL_INVALID"
    assert (result.number("expected"), result.number("got")) == (int(np.prod(shape)), 108)


def test_6_depthwise_filter_of_rank_3():
    model = one_operator(
        "DEPTHWISE_CONV_2D",
        [
            Tensor([1, 5, 5, 3], scale=0.5),
            Tensor(data=np.ones([3, 3, 3], np.int8), scale=0.01),
            Tensor(data=np.zeros(3, np.int32), scale=0.005),
        ],
        [Tensor([1, 5, 5, 3], scale=0.25)],
        {"padding": "SAME", "stride_w": 1, "stride_h": 1, "depth_multiplier": 1},
    )
    result = run(build(model))
    assert result.status == "REFUSED"
    assert (result.number("expected"), result.number("got")) == (4, 3)
    assert result.number("tensor") == 1


# 7: alignment of the model


@pytest.mark.parametrize("misalign", [1, 2, 4, 8])
def test_7_misaligned_model(misalign):
    result = run((FIXTURES / "dense.tflite").read_bytes(), misalign=misalign)
    assert result.status == "MODEL_UNALIGNED"
    assert result.number("got") == misalign


# 8: -1 in a shape


@pytest.mark.parametrize(
    ("shape", "signature"),
    [([1, 80], [-1, 80]), ([-1, 80], None), ([-1, 4], None), ([-1, -1, 40], None)],
    ids=["signature-only", "4-GB", "0-bytes", "40-bytes"],
)
def test_8_dynamic_shape(shape, signature):
    x = Tensor(shape, scale=0.5, shape_signature=signature)
    out = Tensor([1, 80], scale=0.5)
    result = run(build(one_operator("RESHAPE", [x], [out])))
    if signature is not None:
        assert result.error is None
        return
    assert result.status == "MODEL_INVALID"
    assert (result.number("tensor"), result.number("got")) == (0, -1)


# 10: quantization vectors


def pointwise(zero_point, scale=(0.01, 0.02, 0.03, 0.04)) -> bytes:
    model = one_operator(
        "CONV_2D",
        [
            Tensor([1, 2, 2, 3], scale=0.5, zero_point=-3),
            Tensor(
                data=np.arange(12, dtype=np.int8).reshape(4, 1, 1, 3),
                scale=list(scale),
                zero_point=zero_point,
            ),
        ],
        [Tensor([1, 2, 2, 4], scale=0.25, zero_point=7)],
        {"padding": "SAME", "stride_w": 1, "stride_h": 1},
    )
    return build(model)


def test_10_lengths_of_zero_point():
    x = np.arange(12, dtype=np.int8).reshape(1, 2, 2, 3)
    full = run(pointwise([0, 0, 0, 0]), [x])
    assert full.error is None
    assert run(pointwise([0]), [x]).outputs == full.outputs
    assert run(pointwise([0, 0]), [x]).outputs == full.outputs
    none = run(pointwise([]), [x])
    assert none.status == "REFUSED"
    assert none.number("tensor") == 1


def test_10_channel_scale_of_zero():
    x = np.arange(12, dtype=np.int8).reshape(1, 2, 2, 3)
    result = run(pointwise([0], scale=(0.0, 0.02, 0.03, 0.04)), [x])
    assert set(result.outputs[0][3][0::4]) == {7}


@pytest.mark.parametrize("dimension", [0, 3, 4, -1])
def test_10_depthwise_quantized_dimension(dimension):
    model = one_operator(
        "DEPTHWISE_CONV_2D",
        [
            Tensor([1, 3, 3, 4], scale=0.5),
            Tensor(
                data=np.ones([1, 1, 1, 4], np.int8),
                scale=[0.1, 0.2, 0.3, 0.4],
                quantized_dimension=dimension,
            ),
        ],
        [Tensor([1, 3, 3, 4], scale=0.25)],
        {"padding": "SAME", "stride_w": 1, "stride_h": 1, "depth_multiplier": 1},
    )
    result = run(build(model))
    assert result.status == ("OK" if dimension == 3 else "REFUSED")


# 11: inputs and outputs come in the file's order


def test_11_order_is_the_files():
    tensors = [
        Tensor([4], scale=1.0, name="a"),
        Tensor([4], scale=1.0, name="b"),
        Tensor([2, 2], scale=1.0),
        Tensor([4, 1], scale=1.0),
    ]
    operators = [Operator("RESHAPE", [0], [2]), Operator("RESHAPE", [1], [3])]
    model = Model([SubGraph(tensors, operators, [1, 0], [3, 2])])
    first, second = np.arange(4, dtype=np.int8), np.arange(10, 14, dtype=np.int8)
    result = run(build(model), [first, second])  # input 0 is tensor 1
    assert [raw for *_, raw in result.outputs] == [second.tobytes(), first.tobytes()]


# 14: double rounding


UNITS = {
    (0x40000000, -1): [(1, 1), (-2, -1), (5, 2), (-6, -2), (127, 32)],
    (1690499128, -6): [(203, 3), (-203, -3), (284, 4), (-284, -4)],
}


def multiply(program, cases):
    text = "".join(f"{x} {m} {s}\n" for x, m, s in cases)
    return [int(line) for line in run_program(program, "fixedpoint", stdin=text).split()]


def test_14_rounds_twice():
    cases = [(x, m, s) for (m, s), pairs in UNITS.items() for x, _ in pairs]
    wanted = [y for pairs in UNITS.values() for _, y in pairs]
    assert multiply(build_engine(), cases) == wanted


def test_14_like_pyref_on_any_values():
    rng = np.random.default_rng(14)
    edges = [-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 1]
    x = np.append(rng.integers(-(2**31), 2**31, 2000), np.repeat(edges, 4))
    multiplier = rng.integers(2**30, 2**31, x.size)
    shift = rng.integers(-31, 31, x.size)
    got = multiply(build_engine(), zip(x, multiplier, shift, strict=True))
    assert got == multiply_by_quantized_multiplier(x, multiplier, shift).tolist()


def test_14_single_rounding_build_differs_in_one_of_a_hundred():
    broken = build_engine("-DENGINE_SINGLE_ROUNDING")
    cases = [(x, 1690499128, -6) for x in range(-20000, 20000)]
    pairs = zip(multiply(broken, cases), multiply(build_engine(), cases), strict=True)
    assert sum(a != b for a, b in pairs) == 312


def test_14_single_rounding_build_says_so_and_differs_at_operator_0():
    broken = build_engine("-DENGINE_SINGLE_ROUNDING")
    data = (FIXTURES / "c2_bn.tflite").read_bytes()
    x = np.random.default_rng(0).integers(-128, 128, 19200).astype(np.int8)
    wrong, right = run(data, [x], program=broken), run(data, [x])
    assert wrong.engine.endswith("single-rounding")
    assert wrong.outputs[0] != right.outputs[0]
    a, b = (np.frombuffer(r.outputs[0][3], np.int8).astype(int) for r in (wrong, right))
    assert np.abs(a - b).max() == 1


# 17: asymmetric SAME padding; results that depend on memory


@pytest.mark.parametrize(("value", "zero_point"), [(1, 0), (5, 4)])
def test_17_asymmetric_padding(value, zero_point):
    model = one_operator(
        "CONV_2D",
        [
            Tensor([1, 4, 5, 1], scale=1.0, zero_point=zero_point),
            Tensor(data=np.ones([1, 3, 3, 1], np.int8), scale=1.0),
        ],
        [Tensor([1, 2, 3, 1], scale=1.0)],
        {"padding": "SAME", "stride_w": 2, "stride_h": 2},
    )
    result = run(build(model), [np.full([1, 4, 5, 1], value, np.int8)])
    assert list(result.outputs[0][3]) == [6, 9, 6, 4, 6, 4]


@pytest.mark.parametrize("poison", [0x00, 0x7F, 0xA5])
def test_17_fully_connected_does_not_depend_on_memory(poison):
    weights = np.random.default_rng(17).integers(-127, 128, [2, 16]).astype(np.int8)
    model = one_operator(
        "FULLY_CONNECTED",
        [
            Tensor([1, 16], scale=0.5, zero_point=3),
            Tensor(data=weights, scale=0.01),
            Tensor(data=np.array([100, -100], np.int32), scale=0.005),
        ],
        [Tensor([1, 2], scale=0.25, zero_point=-5)],
        {},
    )
    x = np.arange(16, dtype=np.int8).reshape(1, 16)
    assert run(build(model), [x], poison=poison).outputs == run(build(model), [x]).outputs


# 42: only an operator's own moment shows its output


def test_42_outputs_are_read_right_after_their_operator():
    """Offsets overlap, so what is read after the inference is not what operators computed."""
    data = (FIXTURES / "dense.tflite").read_bytes()
    result = run(data, [np.zeros(1, np.int8)])
    assert result.arena[0] < sum(-(-len(raw) // 16) * 16 for *_, raw in result.outputs)
    assert len(set(result.offsets.values())) < len(result.offsets)
