"""The schema table against the classes that flatc generated for the `tflite` package (2.18)."""

import pytest
import tflite

from pyref.container.enums import ENUMS, UNIONS
from pyref.container.options import OPTIONS_OF
from pyref.container.schema import TABLES, Kind

# What schema.fbs of TFLM 2026-08 has and the package's schema lacks.
NEWER_TABLES = {
    "BlockwiseQuantization",
    "ExternalBuffer",
    "ExternalBufferGroup",
    "MultiAxisQuantization",
    "StablehloCaseOptions",
}
NEWER_FIELDS = {
    "Model": {"external_buffer_groups", "external_buffers"},
    "Tensor": {"external_buffer"},
}
NEWER_NAMES = {
    "BuiltinOperator": {"STABLEHLO_CASE"},
    "BuiltinOptions2": {"StablehloCaseOptions"},
    "QuantizationDetails": {"BlockwiseQuantization", "MultiAxisQuantization"},
    "TensorType": {"INT2", "UINT4", "FLOAT8_E4M3FN", "FLOAT8_E5M2"},
}

# Figures read off schema.fbs of TFLM 2026-08.
TABLE_COUNT = 170
ENUM_SIZES = {
    "ActivationFunctionType": 6,
    "BuiltinOperator": 210,
    "CombinerType": 3,
    "CustomOptionsFormat": 1,
    "DimensionType": 2,
    "FullyConnectedOptionsWeightsFormat": 2,
    "LSHProjectionType": 3,
    "LSTMKernelType": 2,
    "MirrorPadMode": 2,
    "Padding": 2,
    "ReduceWindowFunction": 7,
    "RngAlgorithm": 3,
    "StablehloComparisonDirection": 6,
    "StablehloComparisonType": 5,
    "StablehloPrecisionConfig": 3,
    "TensorType": 23,
}
UNION_SIZES = {
    "BuiltinOptions": 126,
    "BuiltinOptions2": 23,
    "QuantizationDetails": 3,
    "SparseIndexVector": 3,
}


class Probe:
    """A builder that notes which slot, of which kind and with which default, is written."""

    def __getattr__(self, name):
        def note(*arguments):
            self.written = (name.removeprefix("Prepend").removesuffix("Slot"), *arguments)

        return note


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


KINDS = {
    "?": "Bool",
    "b": "Int8",
    "B": "Uint8",
    "i": "Int32",
    "I": "Uint32",
    "q": "Int64",
    "Q": "Uint64",
    "f": "Float32",
}


def test_counts():
    assert len(TABLES) == TABLE_COUNT
    assert {name: len(enum.names) for name, enum in ENUMS.items()} == ENUM_SIZES
    assert {name: len(tables) for name, tables in UNIONS.items()} == UNION_SIZES
    assert len(OPTIONS_OF) == 161


@pytest.mark.parametrize("table", sorted(set(TABLES) - NEWER_TABLES))
def test_slots_kinds_and_defaults(table):
    for field in TABLES[table]:
        if field.deprecated or field.name in NEWER_FIELDS.get(table, ()):
            continue
        probe = Probe()
        add = getattr(tflite, f"{table}Add{camel(field.name)}")
        add(probe, 7)
        kind, slot, _, default = probe.written
        expected = "UOffsetTRelative" if field.is_offset else KINDS[field.code]
        assert (slot, kind, default) == (field.slot, expected, field.default or 0), field.name


@pytest.mark.parametrize("table", sorted(set(TABLES) - NEWER_TABLES))
def test_no_field_is_missing(table):
    probe = Probe()
    getattr(tflite, f"{table}Start")(probe)
    newer = len(NEWER_FIELDS.get(table, ()))
    assert probe.written == ("StartObject", len(TABLES[table]) - newer)


def test_vectors_have_the_package_s_element_sizes():
    sizes = {"?": 1, "b": 1, "B": 1, "H": 2, "i": 4, "I": 4, "q": 8, "f": 4}
    checked = 0
    for table, fields in TABLES.items():
        for field in fields:
            start = getattr(tflite, f"{table}Start{camel(field.name)}Vector", None)
            if start is None or field.kind not in (Kind.SCALARS, Kind.TABLES):
                continue
            probe = Probe()
            start(probe, 1)
            _, size, _, _ = probe.written
            assert size == sizes[field.code], (table, field.name)
            checked += 1
    assert checked > 60


@pytest.mark.parametrize("name", sorted(ENUMS))
def test_enumeration(name):
    generated = {n: v for n, v in vars(getattr(tflite, name)).items() if not n.startswith("_")}
    newer = NEWER_NAMES.get(name, set())
    ours = {n: v for v, n in enumerate(ENUMS[name].names) if n not in newer}
    assert ours == generated
    assert newer <= set(ENUMS[name].names)


@pytest.mark.parametrize("name", sorted(UNIONS))
def test_union(name):
    generated = {n: v for n, v in vars(getattr(tflite, name)).items() if not n.startswith("_")}
    newer = NEWER_NAMES.get(name, set())
    ours = {n: v for v, n in enumerate(UNIONS[name], 1) if n not in newer}
    assert {"NONE": 0, **ours} == generated


def test_every_name_resolves_and_no_table_nests_in_itself():
    """The reader's recursion is bounded by the schema: tables form no circle."""

    def depth(table, above):
        assert table not in above
        below = [0]
        for field in TABLES[table]:
            if field.kind in (Kind.TABLE, Kind.TABLES):
                below.append(depth(field.type, (*above, table)))
            elif field.kind is Kind.UNION:
                below += [depth(member, (*above, table)) for member in UNIONS[field.type]]
        return 1 + max(below)

    assert depth("Model", ()) == 6


def test_options_of_operators():
    assert OPTIONS_OF["CONV_2D"] == "Conv2DOptions"
    assert OPTIONS_OF["MAX_POOL_2D"] == "Pool2DOptions"
    assert OPTIONS_OF["UNIDIRECTIONAL_SEQUENCE_LSTM"] == "UnidirectionalSequenceLSTMOptions"
    assert OPTIONS_OF["STABLEHLO_COMPOSITE"] == "StableHLOCompositeOptions"
    assert "LOGISTIC" not in OPTIONS_OF
    members = {*UNIONS["BuiltinOptions"], *UNIONS["BuiltinOptions2"]}
    assert set(OPTIONS_OF.values()) <= members
    # Tables that no operator is named after; each belongs to an operator without a kernel.
    assert members - set(OPTIONS_OF.values()) == set()
