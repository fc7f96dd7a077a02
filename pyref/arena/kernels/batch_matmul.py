"""BATCH_MATMUL: micro/kernels/batch_matmul.cc, cmsis_nn/batch_matmul.cc (from 2026-08 on).

A transposed copy of an operand lives in the tail, data and all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyref.arena.kernel import KernelContext
    from pyref.model import Tensor


def _has_cmsis_kernel(context: KernelContext) -> bool:
    return context.cmsis_nn and context.release.name != "2024-06"


def init(context: KernelContext) -> None:
    """BatchMatMulInit."""
    cmsis = _has_cmsis_kernel(context)
    context.op_data("cmsis_nn/batch_matmul.OpData" if cmsis else "OpDataBatchMatmul")


def prepare(context: KernelContext) -> None:
    """BatchMatMulPrepare; CMSIS-NN's makes the quantisation block last.

    arm_fully_connected_s8_get_buffer_size is 0 without MVE, so there is no scratch.
    """
    context.temps("i0 i1 o0")
    lhs, rhs = context.input(0), context.input(1)
    quantized = lhs.type in {"INT8", "INT16"}
    cmsis = _has_cmsis_kernel(context)
    if quantized and not cmsis:
        context.op_data("batch_matmul.QuantizationOpData")
    adj_x, adj_y = context.options.adj_x, context.options.adj_y
    if adj_x:
        _transposed(context, lhs, "lhs")
    if not adj_y:
        _transposed(context, rhs, "rhs")
    context.resize_output(0, _output_shape(context, lhs, rhs, adj_x=adj_x, adj_y=adj_y))
    if quantized and cmsis:
        context.op_data("batch_matmul.QuantizationOpData")


def _transposed(context: KernelContext, tensor: Tensor, name: str) -> None:
    """AllocInitTransposeTensorFromTfLiteTensor."""
    eval_tensor = context.release.struct("TfLiteEvalTensor").size
    context.persistent(eval_tensor, f"transposed {name}: TfLiteEvalTensor")
    context.persistent(4 + 4 * len(context.shape(tensor)), f"transposed {name}: dims")
    context.persistent(context.bytes(tensor), f"transposed {name}: data")


def _output_shape(
    context: KernelContext, lhs: Tensor, rhs: Tensor, *, adj_x: bool, adj_y: bool
) -> tuple[int, ...]:
    a, b = context.shape(lhs), context.shape(rhs)
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    batch = tuple(y if x == 1 else x for x, y in zip(a[:-2], b[:-2], strict=True))
    return (*batch, a[-1] if adj_x else a[-2], b[-2] if adj_y else b[-1])
