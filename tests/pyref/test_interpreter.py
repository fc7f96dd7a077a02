"""The interpreter itself: state, order of operators, inputs, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import pyref
from fixtures.writer import Model, Operator, SubGraph, Tensor, build, one_operator
from pyref import operators
from tests import tflm
from tests.tflm import needs_tflm

FLOATS = np.arange(4, dtype=np.float32).reshape(1, 4)


def load(model):
    return pyref.Model.from_bytes(build(model))


def plain(shape, kind="FLOAT32", **more):
    return Tensor(shape, kind, **more)


def counter():
    """A variable that grows by the input at every invocation: READ, ADD, ASSIGN."""
    tensors = [plain([1, 4]), plain([1], "RESOURCE"), plain([1, 4]), plain([1, 4])]
    steps = [
        Operator("VAR_HANDLE", [], [1], {"container": "", "shared_name": "sum"}),
        Operator("READ_VARIABLE", [1], [2]),
        Operator("ADD", [0, 2], [3]),
        Operator("ASSIGN_VARIABLE", [1, 3], []),
    ]
    return load(Model([SubGraph(tensors, steps, [0], [3])]))


def filter_with_memory():
    """SVDF of one unit and a memory of two: a variable tensor."""
    return load(
        one_operator(
            "SVDF",
            [
                plain([1, 1]),
                Tensor(data=np.ones((1, 1), np.float32), type="FLOAT32"),
                Tensor(data=np.ones((1, 2), np.float32), type="FLOAT32"),
                Tensor(data=np.zeros(1, np.float32), type="FLOAT32"),
                plain([1, 2], is_variable=True),
            ],
            [plain([1, 1])],
            {"rank": 1},
        )
    )


def nested():
    """IF in subgraph 0, whose branches negate or square; a NEG behind it."""
    main = SubGraph(
        [plain([1], "BOOL"), plain([1, 4]), plain([1, 4]), plain([1, 4])],
        [
            Operator("IF", [0, 1], [2], {"then_subgraph_index": 1, "else_subgraph_index": 2}),
            Operator("NEG", [2], [3]),
        ],
        [0, 1],
        [3],
    )
    branches = [
        SubGraph([plain([1, 4]), plain([1, 4])], [Operator(op, [0], [1])], [0], [1])
        for op in ("NEG", "SQUARE")
    ]
    return load(Model([main, *branches]))


@pytest.mark.parametrize("forget", [pyref.Interpreter.reset, pyref.Interpreter.restart])
def test_an_interpreter_keeps_a_resource_variable_until_told_otherwise(forget):
    interpreter = pyref.Interpreter(counter())
    assert [interpreter.invoke([FLOATS]).outputs[0].max() for _ in range(3)] == [3, 6, 9]
    forget(interpreter)  # ResetVariableTensors of micro_interpreter_graph.cc resets them, too
    assert interpreter.invoke([FLOATS]).outputs[0].max() == 3


def test_call_once_runs_again_after_restart_only():
    handle = {"container": "", "shared_name": "v"}
    main = SubGraph(
        [plain([1], "RESOURCE"), plain([1, 4]), plain([1, 4])],
        [
            Operator("CALL_ONCE", [], [], {"init_subgraph_index": 1}),
            Operator("VAR_HANDLE", [], [0], handle),
            Operator("READ_VARIABLE", [0], [2]),
        ],
        [1],
        [2],
    )
    first = SubGraph(
        [plain([1], "RESOURCE"), Tensor(data=FLOATS, type="FLOAT32")],
        [Operator("VAR_HANDLE", [], [0], handle), Operator("ASSIGN_VARIABLE", [0, 1], [])],
        [],
        [],
    )
    interpreter = pyref.Interpreter(load(Model([main, first])))

    def ran():
        return [o.op for o in interpreter.invoke([FLOATS]).operators]

    assert ran()[:3] == ["VAR_HANDLE", "ASSIGN_VARIABLE", "CALL_ONCE"]
    assert ran()[0] == "CALL_ONCE"
    interpreter.restart()
    assert ran()[0] == "VAR_HANDLE"


def test_an_interpreter_keeps_a_variable_tensor_until_reset():
    interpreter = pyref.Interpreter(filter_with_memory())
    one = np.ones((1, 1), np.float32)
    assert [interpreter.invoke([one]).outputs[0].item() for _ in range(3)] == [1, 2, 2]
    interpreter.reset()
    assert interpreter.invoke([one]).outputs[0].item() == 1


@pytest.mark.parametrize("make", [counter, filter_with_memory], ids=["resource", "tensor"])
def test_run_starts_from_a_fresh_state_each_time(make):
    model = make()
    inputs = pyref.seeded_inputs(model, 0)
    first, second = (pyref.run(model, inputs).outputs[0] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_two_interpreters_of_one_model_share_nothing():
    model = counter()
    first, second = pyref.Interpreter(model), pyref.Interpreter(model)
    first.invoke([FLOATS])
    assert second.invoke([FLOATS]).outputs[0].max() == 3


def test_results_are_not_changed_by_the_next_invocation():
    interpreter = pyref.Interpreter(counter())
    first = interpreter.invoke([FLOATS])
    recorded = first.operators[2].outputs[3]
    interpreter.invoke([FLOATS])
    assert first.outputs[0].max() == recorded.max() == 3


def test_inputs_are_not_written():
    given = FLOATS.copy()
    given.flags.writeable = False
    pyref.run(counter(), [given])
    np.testing.assert_array_equal(given, FLOATS)


@pytest.mark.filterwarnings("error")
def test_numbers_beyond_range_give_no_warning():
    x = np.array([np.inf, -np.inf, np.nan, 3e38], np.float32)
    for op in ("HARD_SWISH", "SQUARE", "TANH", "EXP", "RSQRT"):
        model = load(one_operator(op, [plain([4])], [plain([4])]))
        assert pyref.run(model, [x]).outputs[0].shape == (4,)


def test_prepare_runs_once_for_many_runs(monkeypatch):
    prepared = []
    find = operators.find
    monkeypatch.setattr(operators, "find", lambda name: prepared.append(name) or find(name))
    model = counter()
    for _ in range(3):
        pyref.run(model, [FLOATS])
    assert prepared == ["VAR_HANDLE", "READ_VARIABLE", "ADD", "ASSIGN_VARIABLE"]


@pytest.mark.parametrize(("condition", "branch"), [(True, ("NEG", 1)), (False, ("SQUARE", 2))])
def test_operators_of_a_nested_subgraph_come_before_the_one_that_invokes_it(condition, branch):
    run = pyref.run(nested(), [np.array([condition]), FLOATS])
    assert [(o.op, o.subgraph, o.index) for o in run.operators] == [
        (*branch, 0),
        ("IF", 0, 0),
        ("NEG", 0, 1),
    ]


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [("INT8", -128, 127), ("UINT8", 0, 255), ("INT16", -32768, 32767), ("INT32", 0, 9)],
)
def test_seeded_integers_cover_the_whole_range(kind, low, high):
    quantized = {"scale": 1.0} if kind == "INT8" else {}
    model = load(
        one_operator(
            "RESHAPE",
            [
                plain([1, 1 << 19], kind, **quantized),
                Tensor(data=np.array([1 << 19], np.int32), type="INT32"),
            ],
            [plain([1 << 19], kind, **quantized)],
        )
    )
    (drawn,) = pyref.seeded_inputs(model, 0)
    assert (drawn.min(), drawn.max()) == (low, high)
    assert drawn.dtype == model.inputs[0].dtype


def test_seeded_inputs_are_these():
    """The rule of facts/tflm_cortex_m7.json: default_rng([seed, k]) for input k."""
    model = nested()
    condition, x = pyref.seeded_inputs(model, 7)
    assert condition.tolist() == [bool(np.random.default_rng([7, 0]).integers(0, 2, (1,))[0])]
    expected = np.random.default_rng([7, 1]).standard_normal((1, 4)).astype(np.float32)
    np.testing.assert_array_equal(x, expected)


def test_a_first_int8_input_is_these_numbers():
    model = load(
        one_operator("ABS", [plain([6], "INT8", scale=1.0)], [plain([6], "INT8", scale=1.0)])
    )
    assert pyref.seeded_inputs(model, 0)[0].tolist() == SIX
    assert pyref.seeded_inputs(model, 0)[0].tolist() == SIX


#: default_rng([0, 0]).integers(-128, 127, 6, dtype=int8, endpoint=True)
SIX = [-33, 2, 66, 89, 79, 107]


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([], r"^the model has 1 inputs \(0: given\), got 0$"),
        ([FLOATS, FLOATS], r"^the model has 1 inputs \(0: given\), got 2$"),
        (
            [FLOATS.astype(np.uint8)],
            r"^input 0 \(given\): expected float32 \[1, 4\], got uint8 \[1, 4\]$",
        ),
        ([FLOATS[0]], r"^input 0 \(given\): expected float32 \[1, 4\], got float32 \[4\]$"),
        ([FLOATS.tolist()], "expected float32 .*, got float64 "),
    ],
    ids=["none", "two", "dtype", "shape", "python_numbers"],
)
def test_inputs_that_do_not_fit(inputs, words):
    model = load(one_operator("NEG", [plain([1, 4], name="given")], [plain([1, 4])]))
    with pytest.raises(pyref.InputError, match=words):
        pyref.run(model, inputs)


def test_int8_is_not_taken_for_uint8():
    """Field failure 35: a host that feeds or compares the wrong one of the two."""
    quantized = {"scale": 1.0, "zero_point": 0}
    model = load(
        one_operator("ABS", [plain([2], "INT8", **quantized)], [plain([2], "INT8", **quantized)])
    )
    with pytest.raises(pyref.InputError, match=r"expected int8 \[2\], got uint8 \[2\]"):
        pyref.run(model, [np.array([1, 200], np.uint8)])


def test_position_means_the_files_order_of_inputs_and_outputs():
    """Field failure 11: names would give the other sign."""
    quantized = {"scale": 1.0, "zero_point": 0}
    tensors = [
        plain([1, 4], "INT8", name=n, **quantized) for n in ("x1", "x2", "difference", "sum")
    ]
    steps = [Operator("SUB", [0, 1], [2]), Operator("ADD", [0, 1], [3])]
    model = load(Model([SubGraph(tensors, steps, [1, 0], [3, 2])]))
    assert [t.name for t in model.inputs] == ["x2", "x1"]
    assert [t.name for t in model.outputs] == ["sum", "difference"]
    ten, one = np.full((1, 4), 10, np.int8), np.ones((1, 4), np.int8)
    assert [a[0, 0] for a in pyref.run(model, [ten, one]).outputs] == [11, -9]


def test_a_kernel_set_that_is_not_known():
    with pytest.raises(
        pyref.InputError, match="kernels='fast': expected one of reference, cmsis_nn"
    ):
        pyref.Interpreter(counter(), kernels="fast")


def test_a_refusal_in_prepare_says_which_operator():
    tensors = [plain([4]), plain([4]), plain([4], "INT8", scale=1.0)]
    steps = [Operator("NEG", [0], [1]), Operator("EXP", [1], [2])]
    with pytest.raises(pyref.RefusedError) as caught:
        pyref.Interpreter(load(Model([SubGraph(tensors, steps, [0], [2])])))
    error = caught.value
    assert (error.op, error.subgraph, error.index, error.phase) == ("EXP", 0, 1, "prepare")
    assert str(error) == f"operator 1 (EXP) of subgraph 0: {error.reason}"


def test_a_refusal_in_invoke_comes_from_invoke():
    x = plain([2], "INT8", scale=1.0, zero_point=0)
    interpreter = pyref.Interpreter(load(one_operator("RSQRT", [x], [x])))
    with pytest.raises(pyref.RefusedError) as caught:
        interpreter.invoke([np.array([-1, 4], np.int8)])
    assert (caught.value.op, caught.value.phase) == ("RSQRT", "invoke")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ({"code": "TILE"}, "Didn't find op for builtin opcode 'TILE'"),
        ({"code": "CUSTOM"}, "Failed to get registration from op code CUSTOM"),
        (
            {"code": "CUSTOM", "custom_code": "ethos-u"},
            "Failed to get registration from op code CUSTOM",
        ),
    ],
    ids=["builtin", "custom-without-code", "custom"],
)
def test_an_operator_that_tflm_does_not_have(code, words):
    step = Operator(inputs=[0], outputs=[1], **code)
    with pytest.raises(pyref.RefusedError, match=words) as caught:
        pyref.Interpreter(load(Model([SubGraph([plain([4])] * 2, [step], [0], [1])])))
    assert (caught.value.phase, caught.value.index) == ("resolve", 0)


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ("LOGISTIC", "Failed to populate a temp TfLiteTensor struct from flatbuffer data!"),
        # Its Prepare asks for no tensor; AllocateTensors then fails without a word.
        ("CALL_ONCE", "TFLM knows no size for tensors of type STRING"),
    ],
)
@needs_tflm
def test_a_type_of_unknown_size(op, words):
    """Public text models have STRING inputs; memory_helpers.cc, TfLiteTypeSizeOf."""
    steps = {"LOGISTIC": ([0], [0], None), "CALL_ONCE": ([], [], {"init_subgraph_index": 1})}[op]
    text = SubGraph([plain([3], "STRING")], [Operator(op, *steps)], [0], [0])
    empty = SubGraph([], [], [], [])
    data = build(Model([text, empty]))
    with pytest.raises(pyref.RefusedError) as caught:
        pyref.Interpreter(pyref.Model.from_bytes(data))
    assert caught.value.reason == words
    with pytest.raises(pyref.RefusedError, match="knows no size for tensors of type STRING"):
        pyref.plan(pyref.Model.from_bytes(data))
    theirs = tflm.run(data)
    assert theirs.refusal is not None
    assert not theirs.log or words in theirs.log
