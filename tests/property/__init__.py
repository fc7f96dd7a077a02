"""Random models, run by pyref and by TFLM, and held equal."""
