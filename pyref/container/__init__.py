"""The `.tflite` container: TensorFlow Lite's schema as a table, and a verifying reader of it."""
