"""TFLM's signal library: custom operators of audio front ends, from signal/micro/kernels."""
