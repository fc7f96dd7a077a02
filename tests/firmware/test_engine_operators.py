"""The engine on the one-operator models that pyref is tested with, and its registration table.

pyref is held to TFLM on those models by its own tests, so here it is the witness.
"""

from __future__ import annotations

import importlib
import re

import pytest

import pyref
from tests.firmware.engine_on_host import FIRMWARE, needs_gcc, run

#: Test module of tests/pyref/operators to how many of its cases the engine computes at least.
COMPUTED = {
    "test_add_sub_mul": 15,
    "test_concatenation": 11,
    "test_conv": 25,
    "test_depthwise_conv": 17,
    "test_fully_connected": 13,
    "test_logistic": 6,
    "test_pooling": 20,
    "test_quantize": 15,
    "test_reshape": 6,
    "test_softmax": 10,
    "test_strided_slice": 14,
}


def tables(module):
    """The tables of models in a test module."""
    return [v for v in vars(module).values() if hasattr(v, "cases") and hasattr(v, "inputs")]


def registered():
    """TFLM's names of the operators that the engine has."""
    text = "".join(path.read_text() for path in (FIRMWARE / "engine").glob("*.c"))
    return set(re.findall(r'\.name = "(\w+)"', text))


def expected_run(data, inputs):
    """pyref's outputs operator by operator; None where it refuses."""
    try:
        run_of = pyref.run(pyref.Model.from_bytes(data), inputs)
    except pyref.PyrefError:
        return None
    return [(o.index, o.op, t, a.tobytes()) for o in run_of.operators for t, a in o.outputs.items()]


@needs_gcc
@pytest.mark.parametrize("name", COMPUTED)
def test_like_pyref_or_a_typed_error(name):
    module = importlib.import_module(f"tests.pyref.operators.{name}")
    names = registered()
    computed = 0
    for table in [t for t in tables(module) if not isinstance(t, type)]:
        for case, data in table.cases.items():
            model = pyref.Model.from_bytes(data)
            if not {o.op for o in model.subgraphs[0].operators} <= names:
                continue
            inputs = table.inputs(case)[0]
            expected = expected_run(data, inputs)
            got = run(data, inputs)
            if got.error is None:
                assert got.outputs == expected, f"{name}: {case}"
                computed += 1
            elif expected is not None:
                # What pyref computes and the engine does not, it names as such.
                assert got.status == "UNSUPPORTED", f"{case}: {got.error}"
    assert computed >= COMPUTED[name]


def test_every_kernel_is_registered_once():
    defined = set()
    for path in (FIRMWARE / "engine").glob("*.c"):
        defined |= set(
            re.findall(r"^const engine_kernel (kernel_\w+)", path.read_text(), re.MULTILINE)
        )
    table = re.findall(r"&(kernel_\w+),", (FIRMWARE / "engine" / "registration.c").read_text())
    assert sorted(table) == sorted(defined)
    assert len(defined) == len(registered()) == 13
