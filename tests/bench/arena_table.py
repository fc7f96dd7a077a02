"""The arena that pyref states, what TFLM used on a Cortex-M7, and what TFLM's x86-64 build reports.

    python tests/bench/arena_table.py [--models FOLDER] [--facts FILE] [--only TEXT]

Prints the Markdown table of pyref/README.md: arena_used_bytes as planned by pyref and as measured
(the facts file), for release 2026-08 with reference kernels and with CMSIS-NN; and what
`Interpreter.print_allocations` of the `tflite-micro` package prints: RecordingMicroAllocator on 64
bits, reference kernels. Checks nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pyref  # noqa: E402
from tests.public_models import FACTS, MODELS  # noqa: E402
from tests.tflm import AVAILABLE  # noqa: E402

TFLM = "2026-08"
NAMES = (
    "tflm/hello_world_int8.tflite",
    "tflm/keyword_scrambled_8bit.tflite",
    "tflm/micro_speech_quantized.tflite",
    "tflm/person_detect.tflite",
    "tflm/trained_lstm_int8.tflite",
    "mlonmcu/qnn_model.tflite",
    "mlperf_tiny/ad01_int8.tflite",
    "mlperf_tiny/kws_ref_model.tflite",
    "mlperf_tiny/pretrainedResnet_quant.tflite",
    "mlperf_tiny/vww_96_int8.tflite",
)

#: The package prints to the process's standard output.
X86_64 = """
import sys
from tflite_micro.python.tflite_micro import runtime
interpreter = runtime.Interpreter.from_file(sys.argv[1], arena_size=4_000_000)
interpreter.print_allocations()
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of models")
    parser.add_argument("--facts", type=Path, default=FACTS, help="file of facts")
    parser.add_argument("--only", default="", help="only models whose path contains this")
    arguments = parser.parse_args()
    stored = arguments.facts
    measured = json.loads(stored.read_text("utf-8"))["models"] if stored.is_file() else {}
    print(
        "| model | reference: stated | used | CMSIS-NN: stated | used "
        "| x86-64: total | head | tail |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in (name for name in NAMES if arguments.only in name):
        path = arguments.models / name
        if path.is_file():
            print(f"| {' | '.join([name, *row(path, measured.get(name))])} |")
        else:
            print(f"| {name} | absent: set HIL_MODELS |")


def row(path, measured):
    """The figures of one model, as text."""
    model = pyref.Model.from_file(path)
    cells = []
    for kernels in ("reference", "cmsis_nn"):
        cells.append(f"{pyref.plan(model, tflm=TFLM, kernels=kernels).arena_used_bytes:,}")
        build = f"tflm-{TFLM}/{kernels}"
        cells.append(
            "?" if measured is None else f"{measured['builds'][build]['arena_used_bytes']:,}"
        )
    return cells + x86_64(path)


def x86_64(path):
    """Total, head and tail as the package's interpreter prints them."""
    if not AVAILABLE:
        return ["?", "?", "?"]
    said = subprocess.run(
        [sys.executable, "-c", X86_64, str(path)], capture_output=True, text=True, check=True
    )
    found = [
        re.search(rf"Arena allocation {part} (\d+) bytes", said.stdout + said.stderr)
        for part in ("total", "head", "tail")
    ]
    return ["?" if match is None else f"{int(match[1]):,}" for match in found]


if __name__ == "__main__":
    main()
