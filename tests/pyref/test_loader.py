"""What the loader takes, what it refuses and in which words: field failures 1 to 11 and 19."""

import struct
from dataclasses import replace

import numpy as np
import pytest

from fixtures.writer import (
    Buffer,
    Metadata,
    Model,
    Operator,
    OperatorCode,
    SignatureDef,
    SubGraph,
    Tensor,
    build,
    one_operator,
)
from pyref import Interpreter, ModelError, RefusedError, plan
from pyref import Model as Loaded
from pyref.container.walk import walk
from tests.public_models import FILES, needs_models

WEIGHTS = np.array([[1, -2, 3, -4], [5, 6, -7, 8]], np.int8)


def dense(**weights):
    """FULLY_CONNECTED 1x4 -> 1x2, int8."""
    return one_operator(
        "FULLY_CONNECTED",
        [
            Tensor([1, 4], name="in", scale=0.5),
            Tensor([2, 4], name="weights", scale=0.25, **(weights or {"data": WEIGHTS})),
        ],
        [Tensor([1, 2], name="out", scale=1.0)],
        {},
    )


def load(model):
    return Loaded.from_bytes(build(model))


def refusal(model, **kwargs):
    with pytest.raises(ModelError) as caught:
        Loaded.from_bytes(model if isinstance(model, bytes) else build(model, **kwargs))
    return caught.value


# The model as the other packages see it


def test_dense_model():
    model = load(dense())
    (graph,) = model.subgraphs
    (operator,) = graph.operators
    assert model.version == 3
    assert operator.op == "FULLY_CONNECTED"
    assert operator.options_type == "FullyConnectedOptions"
    assert vars(operator.options) == {
        "fused_activation_function": 0,
        "weights_format": 0,
        "keep_num_dims": False,
        "asymmetric_quantize_inputs": False,
        "quantized_bias_type": 0,
    }
    weights = graph.tensors[1]
    assert weights.name == "weights"
    assert weights.is_constant
    assert (weights.data == WEIGHTS).all()
    assert not weights.data.flags.writeable
    assert bytes(weights.raw) == WEIGHTS.tobytes()
    assert np.shares_memory(weights.data, np.frombuffer(model.data, np.uint8))
    assert [t.name for t in model.inputs] == ["in"]
    assert [t.name for t in model.outputs] == ["out"]
    assert model.inputs[0].scale == np.float32(0.5)
    assert model.inputs[0].zero_point == 0
    assert model.warnings == ()


def test_defaults_that_are_not_zero():
    model = load(
        one_operator("CONV_2D", [Tensor([1, 2, 2, 1]), Tensor([1, 1, 1, 1])], [Tensor([1] * 4)], {})
    )
    options = model.subgraphs[0].operators[0].options
    assert (options.dilation_w_factor, options.dilation_h_factor, options.stride_w) == (1, 1, 0)


def test_vectors_and_strings_in_options():
    model = load(
        one_operator("RESHAPE", [Tensor([4])], [Tensor([2, 2])], {"new_shape": np.array([2, 2])})
    )
    assert model.subgraphs[0].operators[0].options.new_shape == (2, 2)
    model = load(
        one_operator(
            "VAR_HANDLE", [], [Tensor([], type="RESOURCE")], {"container": "c", "shared_name": "v"}
        )
    )
    options = model.subgraphs[0].operators[0].options
    assert (options.container, options.shared_name) == ("c", "v")


def test_absent_options_are_none():
    model = load(one_operator("ADD", [Tensor([4]), Tensor([4])], [Tensor([4])]))
    operator = model.subgraphs[0].operators[0]
    assert (operator.options_type, operator.options) == ("NONE", None)


def test_options_of_another_operator_are_what_tflm_sees_of_them():
    model = load(
        one_operator("SOFTMAX", [Tensor([4])], [Tensor([4])], {}, options_type="Conv2DOptions")
    )
    operator = model.subgraphs[0].operators[0]
    assert (operator.options_type, operator.options) == ("Conv2DOptions", None)
    assert model.warnings == (
        (
            "subgraphs[0].operators[0] (SOFTMAX): has Conv2DOptions, where TFLM looks for "
            "SoftmaxOptions and finds none"
        ),
    )


def test_optional_input():
    model = load(
        one_operator("FULLY_CONNECTED", [Tensor([1, 4]), Tensor([2, 4]), None], [Tensor([1, 2])])
    )
    assert model.subgraphs[0].operators[0].inputs == (0, 1, -1)


def test_custom_operator_and_its_options():
    model = load(
        one_operator(
            "CUSTOM", [Tensor([4])], [Tensor([4])], custom_code="Mine", custom_options=b"\1\2\3"
        )
    )
    operator = model.subgraphs[0].operators[0]
    assert (operator.op, operator.code.custom) == ("Mine", "Mine")
    assert (operator.custom_options, operator.has_custom_options) == (b"\1\2\3", True)


@pytest.mark.parametrize(
    ("type_name", "values", "packed"),
    [
        ("INT4", [1, -2, 7, -8, 3], "e187 03"),
        ("INT2", [1, -2, 0, -1, 1], "c9 01"),
        ("UINT4", [1, 15, 8], "f1 08"),
    ],
)
def test_packed_constants(type_name, values, packed):
    content = bytes.fromhex(packed)
    names = {"INT4": 17, "INT2": 19, "UINT4": 20}
    buffers = [Buffer(), Buffer(content)]
    graph = SubGraph(
        [Tensor([len(values)], type=names[type_name], buffer=1)], [], inputs=[], outputs=[]
    )
    tensor = load(Model([graph], buffers=buffers)).subgraphs[0].tensors[0]
    assert tensor.type == type_name
    assert tensor.data.tolist() == values
    assert bytes(tensor.raw) == content


def test_odd_booleans_become_booleans():
    graph = SubGraph([Tensor([3], type="BOOL", buffer=1)], [], inputs=[], outputs=[])
    model = load(Model([graph], buffers=[Buffer(), Buffer(b"\0\2\1")]))
    assert model.subgraphs[0].tensors[0].data.view(np.uint8).tolist() == [0, 1, 1]


def test_types_that_tflm_cannot_size_load():
    text = struct.pack("<iii", 1, 12, 14) + b"hi"
    graph = SubGraph([Tensor([1], type="STRING", data=text)], [], inputs=[], outputs=[])
    tensor = load(Model([graph])).subgraphs[0].tensors[0]
    assert tensor.type == "STRING"
    assert tensor.data.tobytes() == text


def test_empty_and_absent_vectors():
    graph = SubGraph([Tensor(None, name=None)], [], inputs=[], outputs=[])
    empty = SubGraph([], [], inputs=None, outputs=None, name=None)
    model = load(Model([graph, empty]))
    assert model.subgraphs[0].tensors[0].shape == ()
    assert model.subgraphs[0].tensors[0].size == 1
    assert model.subgraphs[1].inputs == ()
    assert model.subgraphs[1].operators == ()


def test_variable_with_a_buffer_is_a_variable():
    graph = SubGraph(
        [Tensor([4], name="state", data=np.ones(4, np.int8), is_variable=True)], [], [], []
    )
    model = load(Model([graph]))
    assert model.subgraphs[0].tensors[0].data is None
    assert "a variable with a constant's buffer" in model.warnings[0]


# 1: weights outside the flatbuffer


def test_external_weights_equal_weights_in_the_file():
    inside = load(dense())
    outside = load(external())
    tensor = outside.subgraphs[0].tensors[1]
    assert tensor.external
    assert not inside.subgraphs[0].tensors[1].external
    assert (tensor.data == inside.subgraphs[0].tensors[1].data).all()
    (warning,) = outside.warnings
    assert warning.startswith(
        "subgraphs[0].tensors[1] ('weights'): its 8 bytes stand outside the flatbuffer (buffer 1, "
    )
    assert warning.endswith("it becomes a tensor of the arena, with garbage in it")


def external(**buffer):
    return replace(dense(buffer=1), buffers=[Buffer(), Buffer(WEIGHTS, external=True, **buffer)])


def test_external_placeholder_is_empty():
    model = load(replace(dense(buffer=1), buffers=[Buffer(), Buffer(offset=1, size=1)]))
    assert model.subgraphs[0].tensors[1].data is None
    assert model.warnings == ()


def test_external_past_the_end_names_the_buffer():
    error = refusal(replace(dense(buffer=1), buffers=[Buffer(), Buffer(offset=4096, size=8)]))
    assert error.where == "buffers[1]"
    assert "bytes outside the flatbuffer are missing" in str(error)
    assert "got 4096 + 8" in str(error)


# 2: two operator code fields


@pytest.mark.parametrize(
    ("deprecated", "code", "name"),
    [
        pytest.param(22, 22, "RESHAPE", id="both"),
        pytest.param(22, 0, "RESHAPE", id="deprecated-alone"),
        pytest.param(0, 22, "RESHAPE", id="new-alone"),
        pytest.param(127, 22, "PLACEHOLDER_FOR_GREATER_OP_CODES", id="placeholder-and-smaller"),
        pytest.param(127, 128, "CUMSUM", id="beyond-127"),
        pytest.param(-1, 0, "ADD", id="negative"),
        pytest.param(-1, 22, "RESHAPE", id="negative-and-new"),
        pytest.param(127, 210, "UNKNOWN_210", id="newer-than-the-schema"),
    ],
)
def test_larger_operator_code_wins(deprecated, code, name):
    model = one_operator(code, [Tensor([4])], [Tensor([4])], opcode_index=0)
    model.operator_codes.append(OperatorCode(code, deprecated_code=deprecated))
    loaded = load(model)
    assert loaded.subgraphs[0].operators[0].op == name
    assert loaded.codes[0].builtin == max(deprecated, code)
    assert loaded.codes[0].deprecated_builtin_code == deprecated


def test_if_with_the_old_code_field_is_warned_of():
    model = branches()
    model.operator_codes.append(OperatorCode(118, deprecated_code=118))
    assert load(model).warnings == ()
    model.operator_codes[0] = OperatorCode(0, deprecated_code=118)
    model.subgraphs[0].operators[0].opcode_index = 0
    warnings = load(model).warnings
    assert len(warnings) == 1
    assert "planner reads builtin_code" in warnings[0]


def branches(then=1, other=2):
    main = SubGraph(
        [Tensor([1], type="BOOL"), Tensor([4]), Tensor([4])],
        [Operator("IF", [0, 1], [2], {"then_subgraph_index": then, "else_subgraph_index": other})],
        inputs=[0, 1],
        outputs=[2],
    )
    branch = SubGraph([Tensor([4]), Tensor([4])], [Operator("NEG", [0], [1])], [0], [1])
    return Model([main, branch, branch])


# 3: versions, custom operators, opcode_index


@pytest.mark.parametrize("version", [1, 2, 99])
def test_operator_version_changes_nothing(version):
    pool = one_operator(
        "AVERAGE_POOL_2D", [Tensor([1, 2, 2, 1])], [Tensor([1] * 4)], {}, version=version
    )
    model = load(pool)
    assert model.codes[0].version == version
    assert len(model.warnings) == (version == 99)


def test_custom_without_a_code():
    model = load(one_operator("CUSTOM", [Tensor([4])], [Tensor([4])]))
    code = model.codes[0]
    assert (code.name, code.custom) == ("CUSTOM", None)


def test_opcode_index_out_of_range():
    model = one_operator("ADD", [Tensor([4]), Tensor([4])], [Tensor([4])], opcode_index=1)
    model.operator_codes.append(OperatorCode("ADD"))
    error = refusal(model)
    assert error.where == "subgraphs[0].operators[0].opcode_index"
    assert "Missing registration for opcode_index 1" in str(error)


# 4: schema version and identifier


@pytest.mark.parametrize("version", [0, 2, 4])
def test_schema_version(version):
    error = refusal(replace(dense(), version=version))
    assert f"model schema version {version}, supported 3" in str(error)
    assert error.where == "version"


@pytest.mark.parametrize("identifier", [None, b"\0\0\0\0", b"TFL2"])
def test_identifier(identifier):
    error = refusal(replace(dense(), identifier=identifier))
    assert error.position == 4
    assert "not a .tflite file: expected the identifier b'TFL3'" in str(error)


def test_size_prefix_is_named():
    data = build(dense())
    error = refusal(struct.pack("<I", len(data)) + data)
    assert "behind a size prefix of 4 bytes" in str(error)


# 6: indices and shapes


def test_buffer_index():
    error = refusal(dense(buffer=9999))
    assert error.where == "subgraphs[0].tensors[1].buffer"
    assert "tensor 'weights' has no buffer" in str(error)
    assert error.got == 9999


@pytest.mark.parametrize(
    ("field", "values", "where"),
    [
        pytest.param("inputs", [0, 3], "operators[0].inputs[1]", id="input"),
        pytest.param("inputs", [-2, 1], "operators[0].inputs[0]", id="negative-input"),
        pytest.param("outputs", [-1], "operators[0].outputs[0]", id="absent-output"),
        pytest.param("intermediates", [3], "operators[0].intermediates[0]", id="intermediate"),
    ],
)
def test_tensor_index_of_an_operator(field, values, where):
    model = dense()
    setattr(model.subgraphs[0].operators[0], field, values)
    error = refusal(model)
    assert error.where == f"subgraphs[0].{where}"
    assert "no such tensor: expected the index of one of 3 tensors" in str(error)
    data = build(model)
    assert struct.unpack_from("<i", data, error.position)[0] == error.got


@pytest.mark.parametrize("side", ["inputs", "outputs"])
@pytest.mark.parametrize("index", [-1, 3])
def test_tensor_index_of_a_subgraph(side, index):
    model = dense()
    setattr(model.subgraphs[0], side, [index])
    assert refusal(model).where == f"subgraphs[0].{side}[0]"


@pytest.mark.parametrize(
    "shape", [[65536, 65536], [65536, 32768], [2**31 - 1, 2**31 - 1, 0]], ids=str
)
def test_overflow(shape):
    model = dense()
    model.subgraphs[0].tensors[0].shape = shape
    error = refusal(model)
    assert error.where == "subgraphs[0].tensors[0].shape"
    assert "overflow: the size of tensor 'in'" in str(error)


@pytest.mark.parametrize("shape", [[2, 3], [2, 5], [0, 4]], ids=str)
def test_constant_of_another_length_than_its_shape(shape):
    error = refusal(dense(data=WEIGHTS, buffer=None) if shape is None else reshaped(shape))
    assert error.where == "subgraphs[0].tensors[1]"
    assert "constant tensor 'weights' does not fit its shape" in str(error)
    assert f"expected {shape[0] * shape[1]} bytes" in str(error)
    assert error.got == "8 bytes"


def reshaped(shape):
    model = dense()
    model.subgraphs[0].tensors[1].shape = shape
    return model


def test_sparse_constant():
    model = reshaped([4, 4])
    model.subgraphs[0].tensors[1].sparsity = True
    assert "is sparse, which TFLM does not read" in str(refusal(model))


def pruned(*readers):
    """A constant of two bytes that stands for sixteen, as a converter leaves pruned weights."""
    tensors = [Tensor([4, 4], data=np.ones((1, 2), np.int8), sparsity=True), Tensor([4, 4])]
    return Model([SubGraph(tensors, [Operator(op, [0], [1]) for op in readers], [], [1])])


def test_a_sparse_constant_loads_where_densify_alone_reads_it():
    """Mediapipe's detectors; TFLM says that it has no DENSIFY before it looks at a tensor."""
    model = load(pruned("DENSIFY"))
    assert model.subgraphs[0].tensors[0].data.tobytes() == b"\1\1"
    for judge in (Interpreter, plan):
        with pytest.raises(RefusedError, match="Didn't find op for builtin opcode 'DENSIFY'"):
            judge(model)


@pytest.mark.parametrize("readers", [("NEG",), ("DENSIFY", "NEG"), ()])
def test_a_sparse_constant_that_others_read(readers):
    assert "is sparse, which TFLM does not read" in str(refusal(pruned(*readers)))


def test_depthwise_filter_of_rank_3():
    model = one_operator(
        "DEPTHWISE_CONV_2D",
        [Tensor([1, 4, 4, 2]), Tensor(data=np.zeros([3, 3, 2], np.int8), name="filter")],
        [Tensor([1, 2, 2, 2])],
        {},
    )
    error = refusal(model)
    assert error.where == "subgraphs[0].operators[0].inputs[1]"
    assert "tensor 1 'filter' of shape [3, 3, 2]" in str(error)


def test_enumeration_out_of_range():
    model = one_operator(
        "ADD", [Tensor([4]), Tensor([4])], [Tensor([4])], {"fused_activation_function": 6}
    )
    error = refusal(model)
    assert error.where == "subgraphs[0].operators[0].builtin_options.fused_activation_function"
    assert "expected a number of ActivationFunctionType, 0 to 5, got 6" in str(error)


def test_tensor_type_out_of_range():
    model = dense()
    model.subgraphs[0].tensors[0].type = 23
    assert refusal(model).where == "subgraphs[0].tensors[0].type"


def test_model_without_subgraphs():
    assert refusal(Model([])).where == "subgraphs"


def test_model_without_buffers():
    assert refusal(replace(dense(), buffers=[], subgraphs=[SubGraph([], [], [], [])])).where == (
        "buffers"
    )


@pytest.mark.parametrize("side", ["inputs", "outputs"])
def test_main_subgraph_without_its_ends(side):
    model = dense()
    setattr(model.subgraphs[0], side, None)
    assert refusal(model).where == f"subgraphs[0].{side}"


@pytest.mark.parametrize("index", [-1, 3])
def test_subgraph_index(index):
    error = refusal(branches(other=index))
    assert error.where == "subgraphs[0].operators[0].builtin_options.else_subgraph_index"
    said = "if.cc op_data->else_subgraph_index < graph_info.NumSubgraphs() was not true."
    assert said in str(error)


def test_subgraph_that_invokes_itself():
    error = refusal(branches(other=0))
    assert "expected subgraphs that do not invoke themselves" in str(error)


@pytest.mark.parametrize(("count", "sound"), [(32, True), (33, False), (3000, False)])
def test_nested_subgraphs(count, sound):
    def level(index):
        call = Operator("CALL_ONCE", [], [], {"init_subgraph_index": index + 1})
        return SubGraph([], [call] if index + 1 < count else [], [], [])

    model = Model([level(index) for index in range(count)])
    if sound:
        assert len(load(model).subgraphs) == count
    else:
        assert refusal(model).got == count


# 8: dynamic batch


def test_shape_signature_is_not_looked_at():
    model = dense()
    model.subgraphs[0].tensors[0].shape_signature = [-1, 4]
    loaded = load(model)
    assert loaded.inputs[0].shape == (1, 4)
    assert loaded.inputs[0].shape_signature == (-1, 4)


@pytest.mark.parametrize("shape", [[-1, 80], [-1, 4], [-1, -1, 40]], ids=str)
def test_negative_dimension(shape):
    model = dense()
    model.subgraphs[0].tensors[0].shape = shape
    error = refusal(model)
    assert "tensor 'in' has a dynamic dimension" in str(error)
    assert "shape_signature" in error.expected
    assert error.got == shape
    assert struct.unpack_from("<i", build(model), error.position)[0] == -1


# 10: quantization vectors

SCALES = [0.5, 0.25, 0.125, 0.0]


@pytest.mark.parametrize(
    ("zeros", "expected", "warning"),
    [
        pytest.param([1, 2, 3, 4], [1, 2, 3, 4], None, id="4"),
        pytest.param([7], [7, 7, 7, 7], None, id="1"),
        pytest.param([5, 6], [5, 5, 5, 5], "4 scales and 2 zero points", id="2"),
        pytest.param([], None, "scales without a zero point", id="0"),
        pytest.param(None, None, "scales without a zero point", id="absent"),
        pytest.param([2**32 + 3], [3, 3, 3, 3], None, id="wraps-to-32-bits"),
    ],
)
def test_zero_point_lists(zeros, expected, warning):
    graph = SubGraph(
        [Tensor([4], scale=SCALES, zero_point=zeros, quantized_dimension=3)], [], [], []
    )
    model = load(Model([graph]))
    quantization = model.subgraphs[0].tensors[0].quantization
    if expected is None:
        assert quantization is None
    else:
        assert quantization.scale.tolist() == SCALES
        assert quantization.zero_point.tolist() == expected
        assert quantization.zero_point.dtype == np.int32
        assert quantization.dimension == 3
    assert [warning in w for w in model.warnings] == ([] if warning is None else [True])


def test_min_and_max_alone_are_no_quantization():
    graph = SubGraph([Tensor([4], minimum=[0.0], maximum=[6.0])], [], [], [])
    model = load(Model([graph]))
    assert model.subgraphs[0].tensors[0].quantization is None
    assert model.warnings == ()


# 11: order of inputs and outputs


def test_ends_are_in_the_file_s_order_and_names_in_signatures():
    model = one_operator("SUB", [Tensor([1, 4]), Tensor([1, 4])], [Tensor([1, 4])], {})
    model.subgraphs[0].inputs = [1, 0]
    model.signature_defs = [SignatureDef("serve", {"x1": 0, "x2": 1}, {"y": 2})]
    loaded = load(model)
    assert [t.index for t in loaded.inputs] == [1, 0]
    (signature,) = loaded.signatures
    assert dict(signature.inputs) == {"x1": 0, "x2": 1}
    assert dict(signature.outputs) == {"y": 2}


@pytest.mark.parametrize(
    ("signature", "where"),
    [
        (SignatureDef("s", {"x": 3}, {}), "signature_defs[0].inputs[0].tensor_index"),
        (SignatureDef("s", {}, {}, subgraph=1), "signature_defs[0].subgraph_index"),
    ],
    ids=["tensor", "subgraph"],
)
def test_signature_out_of_range(signature, where):
    assert refusal(replace(dense(), signature_defs=[signature])).where == where


# Metadata


def test_metadata_first_of_equal_names_but_for_the_offline_plan():
    plan = "OfflineMemoryAllocation"
    model = load(
        replace(
            dense(),
            metadata=[
                Metadata("a", b"1"),
                Metadata("a", b"2"),
                Metadata(plan, b"1234"),
                Metadata(plan, b"5678"),
            ],
        )
    )
    assert dict(model.metadata) == {"a": b"1", plan: b"5678"}
    assert model.warnings == (f"metadata: several {plan}; TFLM takes the last",)


def test_metadata_buffer_out_of_range():
    error = refusal(replace(dense(), metadata=[Metadata("plan", buffer=77)]))
    assert error.where == "metadata[0].buffer"


# 19: stored shapes of SPACE_TO_BATCH_ND


@pytest.mark.parametrize(
    ("op", "given", "stored", "right"),
    [
        ("SPACE_TO_BATCH_ND", [1, 8, 8, 1], [4, 4, 4, 1], True),
        ("SPACE_TO_BATCH_ND", [1, 8, 8, 1], [1, 4, 4, 1], False),
        ("BATCH_TO_SPACE_ND", [4, 4, 4, 1], [1, 8, 8, 1], True),
        ("BATCH_TO_SPACE_ND", [4, 4, 4, 1], [1, 8, 1, 1], False),
    ],
)
def test_stored_shape(op, given, stored, right):
    block = Tensor(data=np.array([2, 2], np.int32))
    borders = Tensor(data=np.zeros([2, 2], np.int32))
    model = load(one_operator(op, [Tensor(given), block, borders], [Tensor(stored)], {}))
    assert len(model.warnings) == (not right)
    if not right:
        assert f"the stored output shape {stored} disagrees" in model.warnings[0]


# Public models


@needs_models
def test_every_public_model_loads_as_the_tflite_package_reads_it():
    tflite = pytest.importorskip("tflite")
    for path in FILES:
        data = path.read_bytes()
        model = Loaded.from_bytes(data)
        raw = tflite.Model.GetRootAs(data, 0)
        assert len(model.codes) == raw.OperatorCodesLength(), path.name
        for graph in model.subgraphs:
            theirs = raw.Subgraphs(graph.index)
            assert len(graph.operators) == theirs.OperatorsLength()
            for tensor in graph.tensors:
                other = theirs.Tensors(tensor.index)
                assert tensor.name == (other.Name() or b"").decode()
                assert list(tensor.shape) == [other.Shape(i) for i in range(other.ShapeLength())]
                content = raw.Buffers(other.Buffer())
                assert len(tensor.raw or b"") == content.DataLength()
            for operator in graph.operators:
                other = theirs.Operators(operator.index)
                assert list(operator.inputs) == list(other.InputsAsNumpy())
                assert operator.code.index == other.OpcodeIndex()


def test_8_byte_numbers_at_a_multiple_of_4():
    """A public model whose zero points stand so, rewritten by a tool; TFLM reads them."""
    model = dense()
    model.subgraphs[0].tensors[0].zero_point = 77
    data = bytearray(build(model))
    reference = next(
        part.position
        for region in walk(bytes(data))
        for part in region.parts
        if "tensors[0].quantization (" in region.meaning and "(zero_point)" in part.meaning
    )
    data += bytes(-len(data) % 8)
    struct.pack_into("<I", data, reference, len(data) - reference)
    data += struct.pack("<Iq", 1, -5)  # its element stands at 4 modulo 8
    assert Loaded.from_bytes(bytes(data)).subgraphs[0].tensors[0].zero_point == -5
