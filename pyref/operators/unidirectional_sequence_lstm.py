"""UNIDIRECTIONAL_SEQUENCE_LSTM: micro/kernels/unidirectional_sequence_lstm.cc, lstm_eval*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyref.operators.checks import Checks, FailsAtInvoke, named
from pyref.operators.factor import factor
from pyref.operators.sigmoid_table import checked_log2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.model import Tensor
    from pyref.node import Array, Eval, Node

#: Inputs by gate in the order forget, input, cell, output: lstm_shared.h.
INPUT_WEIGHTS, RECURRENT_WEIGHTS, BIASES = (2, 1, 3, 4), (6, 5, 7, 8), (13, 12, 14, 15)
HIDDEN_STATE, CELL_STATE = 18, 19
SIGMOID, TANH = 6, 4
#: Scale of a gate's sum before its activation (Q3.12), and after (Q0.15).
GATE_SCALE, ACTIVATED_SCALE = np.float32(2**-12), np.float32(2**-15)


def prepare(node: Node) -> Eval:
    """A basic LSTM over time; float32, int8 or int16 activations with int8 weights.

    Surprises of TFLM: a cell activation other than TANH is SIGMOID in CMSIS-NN and nothing in
    the reference kernels. CMSIS-NN keeps no state: every invocation of an int8 or int16 model
    starts from a zero cell and no hidden state, and the variable tensors stay as they are. It
    saturates each sum once, where the reference saturates both terms as well.
    """
    checks = Checks(node, "lstm_eval.cc")
    operator = node.operator
    file = "unidirectional_sequence_lstm.cc"
    for got, wanted, text in (
        (len(operator.outputs), 1, "node->outputs->size"),
        (len(operator.inputs), 24, "node->inputs->size"),
    ):
        Checks(node, file).equal(got, wanted, text, str(wanted))
    _check_tensors(node, checks)
    cmsis_nn = node.kernels == "cmsis_nn"
    if cmsis_nn:
        for i in (*range(1, 9), *range(12, 16)):
            Checks(node, file).true(
                node.input(i).is_constant, "IsConstantTensor(lstm_tensors.GetInternalTensor(i))"
            )
    _check_sizes(node)
    source, cell = node.input(0), node.input(CELL_STATE)
    if cell.type not in ("FLOAT32", "INT16"):
        node.refuse(
            f"Cell state type {named(cell.type)} not supported. The quantized Unidirectional "
            "Sequence LSTM Op only support int16 cell state"
        )
    weight_type = node.input(1).type
    if source.type not in ("FLOAT32", "INT8", "INT16"):
        return FailsAtInvoke(node, f"Input type {named(source.type)} not supported.")
    if source.type != "FLOAT32" and weight_type != "INT8":
        return FailsAtInvoke(node, f"Filter type {named(weight_type)} not supported.")
    fitting = {
        "FLOAT32": ("FLOAT32", "FLOAT32", "FLOAT32"),
        "INT8": ("INT8", "INT32", "INT16"),
        "INT16": ("INT8", "INT64", "INT16"),
    }[source.type]
    if (weight_type, node.input(12).type, cell.type) != fitting:
        node.refuse(
            f"UNIDIRECTIONAL_SEQUENCE_LSTM: {source.type} input with {weight_type} weights, "
            f"{node.input(12).type} bias and {cell.type} cell state; TFLM would misread them"
        )
    if source.type == "FLOAT32":
        return _Real(node)
    return _Integer(node, cmsis_nn=cmsis_nn)


def _check_tensors(node: Node, checks: Checks) -> None:
    """LstmTensors::ValidateTensorStatus."""
    source, output = node.input(0), node.output()
    tensor = "internal_tensors_[{}]".format
    hidden, cell = node.input(HIDDEN_STATE), node.input(CELL_STATE)
    checks.true(hidden.is_variable, f"{tensor('kLstmOutputStateTensor')}->is_variable")
    types = (hidden.type, source.type)
    input_text = f"{tensor('kLstmInputTensor')}->type"
    checks.equal(*types, f"{tensor('kLstmOutputStateTensor')}->type", input_text)
    checks.true(cell.is_variable, f"{tensor('kLstmCellStateTensor')}->is_variable")
    checks.equal(output.type, source.type, "output_tensor_->type", input_text)
    weight_type, bias_type = node.input(2).type, node.input(13).type
    for i in range(1, 9):
        checks.equal(node.input(i).type, weight_type, f"{tensor('i')}->type", "weight_type")
    for i in range(12, 16):
        checks.equal(node.input(i).type, bias_type, f"{tensor('i')}->type", "bias_type")
    for i in (*range(9, 12), *range(16, 18), *range(20, 24)):
        checks.true(node.optional_input(i) is None, f"{tensor('i')} == nullptr")


def _check_sizes(node: Node) -> None:
    """ValidateTensorSize of lstm_eval_common.cc."""
    checks = Checks(node, "lstm_eval_common.cc")
    source, output = node.input(0), node.output()
    hidden, cell = node.input(HIDDEN_STATE), node.input(CELL_STATE)
    if len(source.shape) != 3 or len(hidden.shape) != 2:
        node.refuse(
            f"UNIDIRECTIONAL_SEQUENCE_LSTM: input {list(source.shape)}, hidden state "
            f"{list(hidden.shape)}; 3 and 2 dimensions expected, unchecked in TFLM"
        )
    batch = source.shape[1 if node.options.time_major else 0]
    units = hidden.shape[1]

    def check(i: int, *sizes: int) -> None:
        shape = node.input(i).shape
        checks.equal(len(shape), len(sizes), "tensor->dims->size", str(len(sizes)))
        names = ("dim1_size", "dim2_size") if len(sizes) == 2 else ("size",)
        for k, (size, wanted) in enumerate(zip(shape, sizes, strict=True)):
            checks.equal(size, wanted, f"tensor->dims->data[{k}]", names[k])

    for i in range(1, 5):
        check(i, units, source.shape[2])
    for i in range(5, 9):
        check(i, units, units)
    for i in range(12, 16):
        check(i, units)
    states = "size_info.batch_size * size_info.state_dimension"
    checks.equal(hidden.size, batch * units, "NumElements(tensors.HiddenStateTensor())", states)
    checks.equal(cell.size, batch * units, "NumElements(tensors.CellStateTensor())", states)
    dims = "tensors.OutputTensor()->dims->{}".format
    checks.equal(len(output.shape), 3, dims("size"), "3")
    for k in (0, 1):
        text = f"tensors.GetInternalTensor(kLstmInputTensor)->dims->data[{k}]"
        checks.equal(source.shape[k], output.shape[k], text, dims(f"data[{k}]"))
    checks.equal(output.shape[2], units, dims("data[2]"), "size_info.state_dimension")


class _Lstm:
    """What the float32 and the integer evaluation share: layout and constants."""

    def __init__(self, node: Node, *, others_are_sigmoid: bool = False) -> None:
        self._node = node
        self._time_major = bool(node.options.time_major)
        self._output = node.output()
        batch, _, units = self._batch_first(np.empty(self._output.shape, np.int8)).shape
        self._state_shape = (batch, units)
        given = node.options.fused_activation_function
        cell_kind = TANH if given == TANH else SIGMOID if others_are_sigmoid else 0
        self._kinds = np.array([SIGMOID, SIGMOID, cell_kind, SIGMOID], np.int64)

    def _batch_first(self, x: Array) -> Array:
        return np.ascontiguousarray(x.swapaxes(0, 1)) if self._time_major else x

    def _stack(self, inputs: Sequence[Any], which: tuple[int, ...]) -> Array:
        return np.ascontiguousarray(np.stack([inputs[i] for i in which]))

    def _finish(self, out: Array) -> list[Array]:
        return [self._batch_first(out).reshape(self._output.shape)]


class _Real(_Lstm):
    """float32."""

    def __call__(self, inputs: Sequence[Any]) -> Sequence[Array]:
        from pyref.compiled_lstm import real_steps  # noqa: PLC0415 - imports numba

        x = self._batch_first(inputs[0])
        states = tuple(inputs[i].reshape(self._state_shape) for i in (CELL_STATE, HIDDEN_STATE))
        out = np.empty((*x.shape[:2], self._state_shape[1]), np.float32)
        weights = self._stack(inputs, INPUT_WEIGHTS), self._stack(inputs, RECURRENT_WEIGHTS)
        clip = np.float32(self._node.options.cell_clip)
        real_steps(x, weights, self._stack(inputs, BIASES), self._kinds, clip, states, out)
        return self._finish(out)


class _Integer(_Lstm):
    """int8 and int16 activations: PrepareGateParametersInteger of lstm_eval_common.cc."""

    def __init__(self, node: Node, *, cmsis_nn: bool) -> None:
        super().__init__(node, others_are_sigmoid=cmsis_nn)
        self._once = cmsis_nn
        source, hidden, cell = node.input(0), node.input(HIDDEN_STATE), node.input(CELL_STATE)
        self._zero_points = (source.zero_point, hidden.zero_point)
        self._wide = source.type == "INT16"
        self._scaling = np.array(
            [
                [_gate_scaling(node, t, node.input(i)) for i in which]
                for t, which in ((source, INPUT_WEIGHTS), (hidden, RECURRENT_WEIGHTS))
            ],
            np.int64,
        )
        low, high, power = self._cell_rule(cell)
        forget = _product(node, ACTIVATED_SCALE, cell.scale, cell.scale)
        new = _product(node, ACTIVATED_SCALE, ACTIVATED_SCALE, cell.scale)
        self._cell = np.array([*forget, *new, low, high, power + 12], np.int64)
        info = np.iinfo(hidden.dtype)
        product = _product(node, ACTIVATED_SCALE, ACTIVATED_SCALE, hidden.scale)
        rule = (*product, hidden.zero_point, info.min, info.max)
        self._out = np.array(rule, np.int64)
        self._dtype = hidden.dtype
        self._constants: Any = None

    def _cell_rule(self, cell: Tensor) -> tuple[int, int, int]:
        """CreateLstmCellStateInfo: clip and power of two of the cell's scale."""
        clip = float(self._node.options.cell_clip)
        with np.errstate(all="ignore"):
            steps = np.float64(clip) / np.float64(cell.scale)
        most = int(np.nan_to_num(np.clip(steps, -32768.0, 32767.0)))
        power = checked_log2(np.float32(cell.scale))[1]
        clips = most > 0 if self._once else clip > 0
        return (-most, most, power) if clips else (-32768, 32767, power)

    def _weights(self, inputs: Sequence[Any]) -> tuple[Any, Any]:
        """Weights without their zero points, and biases with the inputs' zero points in them."""
        node, weights, biases = self._node, [], []
        for which, zero_point in zip(
            (INPUT_WEIGHTS, RECURRENT_WEIGHTS), self._zero_points, strict=True
        ):
            points = np.array([node.input(i).zero_point for i in which], np.int16)
            w = self._stack(inputs, which)
            if points.any():
                w = w.astype(np.int16) - points[:, None, None]
            weights.append(w)
            biases.append(-zero_point * w.sum(axis=2, dtype=np.int64))
        biases[0] += self._stack(inputs, BIASES)
        return tuple(weights), tuple(biases)

    def __call__(self, inputs: Sequence[Any]) -> Sequence[Array]:
        from pyref.compiled_lstm import integer_steps  # noqa: PLC0415 - imports numba

        if self._constants is None:
            self._constants = self._weights(inputs)
        weights, bias = self._constants
        if not all(self._node.input(i).is_constant for i in (*range(1, 9), *range(12, 16))):
            self._constants = None
        x = self._batch_first(inputs[0])
        states: tuple[Array, ...] = tuple(
            inputs[i].reshape(self._state_shape) for i in (CELL_STATE, HIDDEN_STATE)
        )
        if self._once:
            states = (
                np.zeros(self._state_shape, np.int16),
                np.full(self._state_shape, self._zero_points[1], self._dtype),
            )
        out = np.empty((*x.shape[:2], self._state_shape[1]), self._dtype)
        integer_steps(
            x,
            weights,
            bias,
            self._scaling,
            self._kinds,
            self._cell,
            self._out,
            self._wide,
            self._once,
            states,
            out,
        )
        return self._finish(out)


def _gate_scaling(node: Node, source: Tensor, weights: Tensor) -> tuple[int, int]:
    """Multiplier and shift of one gate's sum: GetQuantizedConvolutionMultipler."""
    if weights.quantization is not None and len(weights.quantization.scale) > 1:
        node.refuse("UNIDIRECTIONAL_SEQUENCE_LSTM: per-channel weights are undefined in TFLM")
    product = np.float32(source.scale) * np.float32(weights.scale)
    return factor(node, float(product), float(GATE_SCALE))


def _product(node: Node, a: np.float32, b: np.float32, out: np.float32) -> tuple[int, int]:
    """CreateInterGateMulParams."""
    return factor(node, float(a) * float(b), float(out))
