"""One test for int8 `.tflite` models that runs the same on an emulated and on a real STM32H747."""

__version__ = "0.1.0"
