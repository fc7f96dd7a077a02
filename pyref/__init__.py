"""A reference interpreter for int8 `.tflite` models, bit-exact with TensorFlow Lite Micro."""

from pyref.arena import ArenaTooSmallError, OfflinePlanError, Plan, plan
from pyref.errors import (
    GoldenError,
    InputError,
    ModelError,
    PlanError,
    PyrefError,
    RefusedError,
)
from pyref.golden import Golden, GoldenOperator, digest
from pyref.interpreter import (
    Interpreter,
    OperatorRun,
    Run,
    check_inputs,
    prepare,
    run,
    seeded_inputs,
)
from pyref.model import Model

__all__ = [
    "ArenaTooSmallError",
    "Golden",
    "GoldenError",
    "GoldenOperator",
    "InputError",
    "Interpreter",
    "Model",
    "ModelError",
    "OfflinePlanError",
    "OperatorRun",
    "Plan",
    "PlanError",
    "PyrefError",
    "RefusedError",
    "Run",
    "check_inputs",
    "digest",
    "plan",
    "prepare",
    "run",
    "seeded_inputs",
]
