"""A reference interpreter for int8 `.tflite` models, bit-exact with TensorFlow Lite Micro."""

from pyref.errors import (
    GoldenError,
    InputError,
    ModelError,
    PlanError,
    PyrefError,
    RefusedError,
)
from pyref.model import Model

__all__ = [
    "GoldenError",
    "InputError",
    "Model",
    "ModelError",
    "PlanError",
    "PyrefError",
    "RefusedError",
]
