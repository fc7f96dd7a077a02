"""Parts of the schema that no converter of int8 models writes, built slot by slot."""

import struct

import flatbuffers
import pytest

from fixtures.tables import byte_vector, offset_vector, scalar_vector, table
from pyref import Model, ModelError
from pyref.container.walk import walk, walk_text


def ref(slot, value):
    return (slot, "UOffsetTRelative", value, 0)


def file_of(make_tensor, make_operator=None, tail=b"", custom=None):
    """A model of one tensor and at most one operator, each made by a function of the builder."""
    b = flatbuffers.Builder(1024)
    tensors = offset_vector(b, [table(b, *make_tensor(b))])
    operators = offset_vector(b, [table(b, *make_operator(b))] if make_operator else [])
    ends = scalar_vector(b, "Int32", [])
    graph = table(b, ref(0, tensors), ref(1, ends), ref(2, ends), ref(3, operators))
    graphs = offset_vector(b, [graph])
    buffers = offset_vector(b, [table(b)])
    name = None if custom is None else b.CreateString(custom)
    codes = offset_vector(b, [table(b, (0, "Int8", 32, 0), ref(1, name), (3, "Int32", 32, 0))])
    root = table(b, (0, "Uint32", 3, 0), ref(1, codes), ref(2, graphs), ref(4, buffers))
    b.Finish(root, b"TFL3")
    return bytes(b.Output()) + tail


def sparse_tensor(b, index_type=2):
    segments = scalar_vector(b, "Int32", [0, 2])
    vector = table(b, ref(0, segments))
    b.StartVector(2, 2, 4)
    b.PrependUint16(3)
    b.PrependUint16(1)
    small = table(b, ref(0, b.EndVector()))
    dimension = table(
        b,
        (0, "Int8", 1, 0),
        (1, "Int32", 2, 0),
        (2, "Uint8", 1, 0),
        ref(3, vector),
        (4, "Uint8", index_type, 0),
        ref(5, small),
    )
    dimensions = offset_vector(b, [dimension])
    order = scalar_vector(b, "Int32", [0])
    sparsity = table(b, ref(0, order), ref(2, dimensions))
    shape = scalar_vector(b, "Int32", [4])
    return [ref(0, shape), (1, "Int8", 9, 0), ref(6, sparsity)]


def test_sparsity_is_verified_and_warned_of():
    data = file_of(sparse_tensor)
    assert Model.from_bytes(data).warnings == (
        "subgraphs[0].tensors[0] (''): sparsity parameters, which TFLM does not read",
    )
    shown = walk_text(data)
    assert "(array_segments_type) = 1 (Int32Vector)" in shown
    assert "dim_metadata[0].array_indices.values: vector of 2 ushort" in shown
    assert "1, 3" in shown


def test_broken_sparsity_is_refused():
    data = bytearray(file_of(sparse_tensor))
    values = next(r for r in walk(bytes(data)) if r.meaning.endswith("vector of 2 ushort"))
    struct.pack_into("<I", data, values.position, 0x10000000)
    with pytest.raises(ModelError) as caught:
        Model.from_bytes(bytes(data))
    path = "subgraphs[0].tensors[0].sparsity.dim_metadata[0].array_indices.values"
    assert caught.value.where == path
    assert caught.value.position == values.position


def test_member_of_a_newer_union_is_not_looked_at():
    Model.from_bytes(file_of(lambda b: sparse_tensor(b, index_type=99)))


def blockwise_tensor(b):
    details = table(b, (0, "Int32", 1, 0), (2, "Int32", 32, 0))
    quantization = table(b, (4, "Uint8", 2, 0), ref(5, details))
    variant = table(b, ref(0, scalar_vector(b, "Int32", [2])), (1, "Int8", 9, 0))
    variants = offset_vector(b, [variant])
    return [ref(4, quantization), ref(9, variants), (10, "Uint32", 5, 0)]


def test_what_tflm_does_not_read_of_a_tensor():
    warnings = Model.from_bytes(file_of(blockwise_tensor)).warnings
    assert [w.partition(": ")[2] for w in warnings] == [
        "an external buffer, which TFLM does not read",
        "variant tensors, which TFLM does not read",
        "quantization details, which TFLM does not read",
    ]
    assert "(details_type) = 2 (BlockwiseQuantization)" in walk_text(file_of(blockwise_tensor))


def plain_tensor(b):
    return [ref(0, scalar_vector(b, "Int32", [4])), (1, "Int8", 9, 0)]


def outside_options(offset, size):
    def make(b):
        inputs = scalar_vector(b, "Int32", [0])
        return [
            ref(1, inputs),
            ref(2, inputs),
            (9, "Uint64", offset, 0),
            (10, "Uint64", size, 0),
        ]

    return make


def test_custom_options_outside_the_flatbuffer():
    length = len(file_of(plain_tensor, outside_options(9, 9), custom="Mine"))
    data = file_of(plain_tensor, outside_options(length, 3), b"abc", custom="Mine")
    model = Model.from_bytes(data)
    operator = model.subgraphs[0].operators[0]
    assert operator.custom_options == b"abc"
    assert not operator.has_custom_options
    assert "custom options stand outside the flatbuffer" in model.warnings[0]
    with pytest.raises(ModelError, match="large_custom_options_size inside the file of"):
        Model.from_bytes(data[:-1])


@pytest.mark.parametrize(("offset", "size"), [(0, 0), (1, 1), (1, 99)])
def test_placeholder_of_custom_options(offset, size):
    data = file_of(plain_tensor, outside_options(offset, size), custom="Mine")
    model = Model.from_bytes(data)
    assert model.subgraphs[0].operators[0].custom_options == b""
    assert model.warnings == ()


def test_empty_custom_options_are_there():
    def make(b):
        empty = byte_vector(b, b"")
        return [ref(1, scalar_vector(b, "Int32", [0])), ref(5, empty)]

    operator = Model.from_bytes(file_of(plain_tensor, make, custom="M")).subgraphs[0].operators[0]
    assert (operator.custom_options, operator.has_custom_options) == (b"", True)


def test_options_of_a_newer_schema():
    def make(b):
        return [ref(1, scalar_vector(b, "Int32", [0])), (3, "Uint8", 200, 0), ref(4, table(b))]

    model = Model.from_bytes(file_of(plain_tensor, make, custom="Mine"))
    operator = model.subgraphs[0].operators[0]
    assert (operator.options_type, operator.options) == ("BuiltinOptions 200", None)
    assert "options of a newer schema, number 200" in model.warnings[0]


def test_fields_of_a_newer_schema_are_shown_and_ignored():
    def make(b):
        return [*plain_tensor(b), (11, "Uint32", 7, 0)]

    data = file_of(make)
    assert Model.from_bytes(data).subgraphs[0].tensors[0].shape == (4,)
    shown = walk_text(data)
    assert "field 11 (of a newer schema) at +" in shown
    assert "bytes that this schema does not refer to" in shown


def test_overlapping_fields_are_refused():
    data = bytearray(file_of(plain_tensor))
    vtable = next(r for r in walk(bytes(data)) if r.meaning.startswith("vtable of Tensor"))
    struct.pack_into("<HH", data, vtable.position + 4, 4, 4)
    with pytest.raises(ModelError, match="aligned and its own") as caught:
        Model.from_bytes(bytes(data))
    assert caught.value.where == "subgraphs[0].tensors[0].type"


def test_string_without_its_end():
    data = bytearray(file_of(plain_tensor, custom="Mine"))
    at = bytes(data).index(b"Mine\0") + 4
    data[at] = 65
    with pytest.raises(ModelError, match="expected a NUL byte after the string") as caught:
        Model.from_bytes(bytes(data))
    assert (caught.value.where, caught.value.position) == ("operator_codes[0].custom_code", at)
