"""TFLite's planner: the worked example, and addresses of a real LiteRT interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

import pyref
from pyref.arena import tflite
from tests.public_models import MODELS, needs_models
from tests.pyref.arena.cases import CASES

#: Cases whose operators take no temporaries in LiteRT (MEAN, SVDF and LSTM do).
CASES_FOR_LITERT = [
    "chain", "ADD-int8", "CONCATENATION-int8", "RESHAPE-int8", "SPLIT",
    "CONV_2D-3x3-int8", "DEPTHWISE_CONV_2D-3x3-int8", "SOFTMAX-int8", "STRIDED_SLICE", "PACK",
]  # fmt: skip
MODELS_FOR_LITERT = [
    "coral/deeplab_mobilenet_edgetpu_slim_cityscapes_quant.tflite",
    "coral/tools_split_concat.tflite",
    "mlperf_tiny/pretrainedResnet_quant.tflite",
    "mlperf_tiny/kws_ref_model.tflite",
    "mlperf_tiny/vww_96_int8.tflite",
]

needs_litert = pytest.mark.skipif(
    find_spec("ai_edge_litert") is None, reason="ai-edge-litert is not installed"
)

#: Prints each tensor's address, in a process of its own: LiteRT may take it down.
WORKER = """
import json, sys
from ai_edge_litert import interpreter as litert
i = litert.Interpreter(sys.argv[1],
                       experimental_op_resolver_type=litert.OpResolverType.BUILTIN_REF)
i.allocate_tensors()
where = lambda t: i.tensor(t)().__array_interface__["data"][0]
print(json.dumps({t: where(t) for t in json.loads(sys.argv[2])}))
"""


def test_seed_003_worked_example():
    def uses(c):
        # A is given back before node 2 makes C.
        return [
            tflite.Use(0, 100, 0, 1),
            tflite.Use(1, 200, 1, 3),
            tflite.Use(2, c, 2, 4),
        ]

    plan = tflite.place(uses(150))
    assert dict(plan.offsets) == {0: 0, 1: 128, 2: 384}
    assert plan.peak_bytes == 576
    plan = tflite.place(uses(100))
    assert dict(plan.offsets) == {0: 0, 1: 128, 2: 0}
    assert plan.peak_bytes == 384


def test_the_tightest_gap_is_taken():
    plan = tflite.place(
        [
            tflite.Use(0, 64, 0, 9),
            tflite.Use(1, 256, 0, 1),
            tflite.Use(2, 64, 0, 9),
            tflite.Use(3, 128, 0, 1),
            tflite.Use(4, 64, 0, 9),
            tflite.Use(5, 100, 5, 6),
        ]
    )
    assert plan.offsets[5] == plan.offsets[3] == 384


def litert_offsets(path, model):
    subgraph = model.subgraphs[0]
    tensors = sorted({t for op in subgraph.operators for t in op.outputs} | set(subgraph.inputs))
    done = subprocess.run(
        [sys.executable, "-c", WORKER, str(path), json.dumps(tensors)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    addresses = {int(k): v for k, v in json.loads(done.stdout.splitlines()[-1]).items()}
    base = min(addresses.values())
    return {t: a - base for t, a in addresses.items()}


@needs_litert
@pytest.mark.parametrize("name", CASES_FOR_LITERT)
def test_offsets_equal_litert(name, tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(CASES[name]())
    model = pyref.Model.from_file(path)
    assert dict(tflite.plan(model).offsets) == litert_offsets(path, model)


@needs_litert
@needs_models
@pytest.mark.parametrize("name", MODELS_FOR_LITERT)
def test_offsets_equal_litert_on_public_models(name):
    path = MODELS / name
    model = pyref.Model.from_file(path)
    assert dict(tflite.plan(model).offsets) == litert_offsets(path, model)
