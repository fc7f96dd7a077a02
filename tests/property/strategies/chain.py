"""Graphs of several operators, each fed by one before it.

Only operators whose float32 results are exact follow one another, so that a difference of a
unit in the last place is not carried on and enlarged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fixtures.writer import Model, Operator, SubGraph, Tensor
from tests.property.instance import Fed, Instance, feeds, filled, given, quantized
from tests.property.strategies import conv as layers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.property.draw import Draw


class Chain:
    """A subgraph under construction: tensors, and operators in order."""

    def __init__(self, d: Draw, inputs: Sequence[Tensor]) -> None:
        self.d = d
        self.tensors: list[Tensor] = list(inputs)
        self.operators: list[Operator] = []
        self.fed = list(range(len(inputs)))

    def constant(self, tensor: Tensor) -> int:
        """Adds a tensor that no operator writes."""
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def add(
        self,
        code: str,
        inputs: Sequence[int],
        output: Tensor,
        options: Mapping[str, Any] | None = None,
    ) -> int:
        """Adds an operator; its output's index."""
        self.tensors.append(output)
        index = len(self.tensors) - 1
        self.operators.append(Operator(code, list(inputs), [index], options))
        return index

    def like(self, index: int, **changes: Any) -> Fed:
        """A tensor like another: type, shape, scale, zero point."""
        t = self.tensors[index]
        fields = {"shape": t.dimensions, "type": t.type, "scale": t.scale}
        return Fed(**(fields | {"zero_point": t.zero_point} | changes))

    def keep(self, index: int) -> int:
        """One operator whose output is like its input: type, shape, quantisation."""
        d, t = self.d, self.tensors[index]
        type_ = str(t.type)
        unary = {"FLOAT32": ("NEG", "FLOOR", "ROUND", "SQUARE", "CEIL", "RELU"), "INT8": ("RELU",)}
        alone = unary.get(type_, ())
        kind = d.choice(("ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", *alone))
        if kind in alone:
            return self.add(kind, [index], self.like(index))
        limits = {"low": -4, "high": 4} if type_ == "INT32" else {}
        other = self.constant(filled(d, self.like(index), constant=100, **limits))
        pair = [index, other] if d.integer(0, 1) else [other, index]
        return self.add(kind, pair, self.like(index), {})

    def graph(self, outputs: Sequence[int]) -> SubGraph:
        """The finished subgraph."""
        return SubGraph(self.tensors, self.operators, self.fed, list(outputs))


def graph(d: Draw) -> Instance:
    """Two to six operators on int8, int16 or float32."""
    type_ = d.choice(("INT8", "INT8", "INT16", "FLOAT32"))
    shape = [1, d.integer(1, 6), d.integer(1, 6), d.integer(1, 4)]
    chain = Chain(d, [quantized(d, shape, type_)])
    end, outputs = 0, []
    for _ in range(d.integer(2, 6)):
        step = d.choice(_STEPS)
        end = step(chain, end)
        if d.chance(20):
            outputs.append(end)
    model = Model([chain.graph([*dict.fromkeys([*outputs, end])])])
    return Instance("graph", model, feeds(d, model, 2))


def _scale(chain: Chain, index: int) -> float:
    scale = chain.tensors[index].scale
    return float(np.max(np.asarray(1.0 if scale is None else scale)))


def _type(chain: Chain, index: int) -> str:
    return str(chain.tensors[index].type)


def _shape(chain: Chain, index: int) -> list[int]:
    return list(chain.tensors[index].dimensions or ())


def _binary(chain: Chain, index: int) -> int:
    d, type_, shape = chain.d, _type(chain, index), _shape(chain, index)
    # SUB of quantised tensors divides its scales otherwise in 2026-08 than in later releases.
    kind = d.choice(("ADD", "MUL", "SUB" if type_ == "FLOAT32" else "ADD"))
    base = _scale(chain, index)
    if kind != "MUL" and d.chance(30):
        other = index
    else:
        t = quantized(d, shape, type_, scale=d.near(base, -3, 3) if kind != "MUL" else None)
        other = chain.constant(filled(d, t, constant=100))
    theirs = _scale(chain, other)
    scale = base * theirs if kind == "MUL" else max(base, theirs)
    output = quantized(d, shape, type_, scale=d.near(scale, 0, 6))
    activation = {"fused_activation_function": d.choice(("NONE", "RELU", "RELU6"))}
    return chain.add(kind, [index, other], output, activation)


def _reshape(chain: Chain, index: int) -> int:
    shape = _shape(chain, index)
    new = chain.d.shuffled(shape)
    target = chain.constant(given(chain.d, new))
    return chain.add("RESHAPE", [index, target], chain.like(index, shape=new), {})


def _transpose(chain: Chain, index: int) -> int:
    shape = _shape(chain, index)
    order = chain.d.shuffled(range(len(shape)))
    perm = chain.constant(given(chain.d, order))
    output = chain.like(index, shape=[shape[i] for i in order])
    return chain.add("TRANSPOSE", [index, perm], output, {})


def _concatenate(chain: Chain, index: int) -> int:
    shape = _shape(chain, index)
    axis = chain.d.integer(0, 3)
    if int(np.prod(shape)) > 400 or axis == 0:
        return _relu(chain, index)
    shape[axis] *= 2
    return chain.add(
        "CONCATENATION", [index, index], chain.like(index, shape=shape), {"axis": axis}
    )


def _pad(chain: Chain, index: int) -> int:
    d, shape = chain.d, _shape(chain, index)
    pads = [[0, 0], [d.integer(0, 1), d.integer(0, 2)], [d.integer(0, 2), d.integer(0, 1)], [0, 0]]
    output = [n + a + b for n, (a, b) in zip(shape, pads, strict=True)]
    if int(np.prod(output)) > 800:
        return _relu(chain, index)
    paddings = chain.constant(given(d, pads))
    return chain.add("PAD", [index, paddings], chain.like(index, shape=output), {})


def _pool(chain: Chain, index: int) -> int:
    d, (n, h, w, c) = chain.d, _shape(chain, index)
    size = [d.integer(1, h), d.integer(1, w)]
    options = {"padding": "VALID", "stride_h": 1, "stride_w": 1}
    options |= {"filter_height": size[0], "filter_width": size[1]}
    output = chain.like(index, shape=[n, h - size[0] + 1, w - size[1] + 1, c])
    return chain.add("MAX_POOL_2D", [index], output, options)


def _relu(chain: Chain, index: int) -> int:
    d = chain.d
    scale = _scale(chain, index) * 2.0 ** d.integer(-1, 2)  # exact: see tests/property/README.md
    output = quantized(d, _shape(chain, index), _type(chain, index), scale=scale)
    return chain.add("RELU", [index], output)


def _convolve(chain: Chain, index: int) -> int:
    """A convolution of any padding; of 1 by 1 with whole numbers only where it is float32."""
    d, type_, shape = chain.d, _type(chain, index), _shape(chain, index)
    if type_ == "FLOAT32":
        return _relu(chain, index)
    x = chain.like(index)
    x.scale = _scale(chain, index)
    channels, kernel = d.integer(1, 4), [d.integer(1, 3), d.integer(1, 3)]
    w = layers.weights(d, [channels, *kernel, shape[3]], "INT8", channels, 0)
    if w.data is None:
        w.data, w.value = d.values("INT8", w.dimensions or ()), None
    inputs = [index, chain.constant(w)]
    output = layers.output(d, [*shape[:3], channels], x, w)
    options = {"padding": "SAME", "stride_h": 1, "stride_w": 1}
    options["fused_activation_function"] = d.choice(("NONE", "RELU", "RELU6"))
    return chain.add("CONV_2D", inputs, output, options)


def _depthwise(chain: Chain, index: int) -> int:
    d, type_, shape = chain.d, _type(chain, index), _shape(chain, index)
    if type_ == "FLOAT32":
        return _relu(chain, index)
    x = chain.like(index)
    kernel = [d.integer(1, 3), d.integer(1, 3)]
    w = layers.weights(d, [1, *kernel, shape[3]], "INT8", shape[3], 3)
    if w.data is None:
        w.data, w.value = d.values("INT8", w.dimensions or ()), None
    (b,) = layers.bias(d, "INT32" if type_ == "INT8" else "INT64", shape[3], x, w)
    assert b is not None
    if b.data is None:
        b.data, b.value = d.values(str(b.type), [shape[3]], low=-9999, high=9999), None
    inputs = [index, chain.constant(w), chain.constant(b)]
    options = {"padding": "SAME", "stride_h": 1, "stride_w": 1, "depth_multiplier": 1}
    output = layers.output(d, shape, x, w)
    return chain.add("DEPTHWISE_CONV_2D", inputs, output, options)


def _average(chain: Chain, index: int) -> int:
    d, shape = chain.d, _shape(chain, index)
    if _type(chain, index) == "FLOAT32":
        return _pool(chain, index)
    options = {"padding": "SAME", "stride_h": 1, "stride_w": 1}
    options |= {"filter_height": d.integer(1, 3), "filter_width": d.integer(1, 3)}
    return chain.add("AVERAGE_POOL_2D", [index], chain.like(index, shape=shape), options)


def _slice(chain: Chain, index: int) -> int:
    d, shape = chain.d, _shape(chain, index)
    begin = [d.integer(0, n - 1) for n in shape]
    end = [d.integer(b + 1, n) for b, n in zip(begin, shape, strict=True)]
    bounds = [chain.constant(given(d, x)) for x in (begin, end, [1, 1, 1, 1])]
    size = [e - b for b, e in zip(begin, end, strict=True)]
    return chain.add("STRIDED_SLICE", [index, *bounds], chain.like(index, shape=size), {})


def _split(chain: Chain, index: int) -> int:
    """Two halves, joined again in the other order."""
    shape = _shape(chain, index)
    if shape[2] % 2:
        return _slice(chain, index)
    axis = chain.constant(given(chain.d, 2))
    half = [*shape[:2], shape[2] // 2, shape[3]]
    first = chain.add("SPLIT", [axis, index], chain.like(index, shape=half), {"num_splits": 2})
    second = chain.constant(chain.like(index, shape=half))
    chain.operators[-1].outputs = [first, second]
    return chain.add("CONCATENATION", [second, first], chain.like(index), {"axis": 2})


def _mean(chain: Chain, index: int) -> int:
    shape = _shape(chain, index)
    if _type(chain, index) == "FLOAT32":
        return _relu(chain, index)
    axes = chain.constant(given(chain.d, [1, 2]))
    output = chain.like(index, shape=[shape[0], 1, 1, shape[3]])
    return chain.add("MEAN", [index, axes], output, {"keep_dims": True})


def _requantize(chain: Chain, index: int) -> int:
    d, type_, shape = chain.d, _type(chain, index), _shape(chain, index)
    if type_ == "FLOAT32":
        output = quantized(d, shape, "INT8", scale=d.scale(-6, 0))
        return chain.add("QUANTIZE", [index], output, {})
    if d.integer(0, 1):
        return chain.add("DEQUANTIZE", [index], Fed(shape, "FLOAT32"), {})
    new = "INT16" if type_ == "INT8" else "INT8"
    output = quantized(d, shape, new, scale=d.near(_scale(chain, index), -3, 3))
    return chain.add("QUANTIZE", [index], output, {})


def _squash(chain: Chain, index: int) -> int:
    d, type_, shape = chain.d, _type(chain, index), _shape(chain, index)
    if type_ != "INT8":
        return _relu(chain, index)
    kind = d.choice(("LOGISTIC", "TANH", "SOFTMAX"))
    scale, point = (1 / 128, 0) if kind == "TANH" else (1 / 256, -128)
    output = quantized(d, shape, "INT8", scale=scale, zero_point=point)
    options = {"SOFTMAX": {"beta": 1.0}}.get(kind)
    return chain.add(kind, [index], output, options)


_STEPS = (
    _relu,
    _binary,
    _reshape,
    _transpose,
    _concatenate,
    _pad,
    _pool,
    _convolve,
    _depthwise,
    _average,
    _slice,
    _split,
    _mean,
    _requantize,
    _squash,
)
