"""RESHAPE: micro/kernels/reshape.cc, reshape_common.cc.

Every type; the bytes are copied and the stored output shape counts, not the shape input. The
loader admits no -1 in a shape, so the stretched dimension of reshape_common.cc cannot occur.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyref.operators.checks import Checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyref.node import Array, Eval, Node


def prepare(node: Node) -> Eval:
    """PrepareReshapeReference."""
    check = Checks(node, "reshape_common.cc")
    count = len(node.operator.inputs)
    check.true(count in (1, 2), "NumInputs(node) == 1 || NumInputs(node) == 2")
    check.equal(len(node.operator.outputs), 1, "NumOutputs(node)", "1")
    source, output = node.input(0), node.output()
    # A shape of [0] without a shape input means a scalar in old models.
    shape = () if count == 1 and output.shape == (0,) else output.shape
    size = 1 if shape == () else output.size
    check.types(source.type, output.type, "input->type", "output->type")
    check.equal(source.size, size, "num_input_elements", "num_output_elements")

    def evaluate(inputs: Sequence[Any]) -> Sequence[Array]:
        return [inputs[0].reshape(shape)]

    return evaluate
