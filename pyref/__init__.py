"""A reference interpreter for int8 `.tflite` models, bit-exact with TensorFlow Lite Micro."""

from pyref.errors import (
    GoldenError,
    InputError,
    ModelError,
    PlanError,
    PyrefError,
    RefusedError,
)
from pyref.golden import Golden, GoldenOperator, digest
from pyref.interpreter import Interpreter, OperatorRun, Run, run, seeded_inputs
from pyref.model import Model

__all__ = [
    "Golden",
    "GoldenError",
    "GoldenOperator",
    "InputError",
    "Interpreter",
    "Model",
    "ModelError",
    "OperatorRun",
    "PlanError",
    "PyrefError",
    "RefusedError",
    "Run",
    "digest",
    "run",
    "seeded_inputs",
]
