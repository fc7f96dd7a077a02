"""CMSIS-NN's scratch sizes on a core with the DSP extension and without MVE (Cortex-M7).

Sources: CMSIS-NN Source/*/arm_*_get_buffer_sizes_*.c, Include/arm_nnsupportfunctions.h. All sizes
in bytes. arm_fully_connected_s8/s16 and arm_svdf_s8 need none on such a core.
"""

from __future__ import annotations

from typing import NamedTuple

#: arm_convolve_1x1_s8_fast_get_buffer_size: nothing, unless armclang compiled the library.
CONVOLVE_1X1_S8_FAST_BUFFER_SIZE = 0
#: REVERSE_TCOL_EFFICIENT_THRESHOLD: more input channels run as a convolution.
_REVERSE_TCOL_EFFICIENT_THRESHOLD = 16


class Convolution(NamedTuple):
    """Geometry of a convolution.

    Attributes:
        input: NHWC.
        filter: OHWI, or 1HWO for a depthwise one.
        output: NHWC.
        stride: (height, width).
        dilation: (height, width).
        same: padding SAME, otherwise VALID.
    """

    input: tuple[int, ...]
    filter: tuple[int, ...]
    output: tuple[int, ...]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    same: bool

    def padding(self, axis: int) -> int:
        """Padding before height (axis 0) or width (axis 1), as ComputePaddingHeightWidth has it."""
        size, kernel = self.input[1 + axis], self.filter[1 + axis]
        reach = (kernel - 1) * self.dilation[axis] + 1
        stride = self.stride[axis]
        steps = -(-size // stride) if self.same else (size + stride - reach) // stride
        total = max((steps - 1) * stride + reach - size, 0)
        return total // 2


def _im2col_s8(columns: int) -> int:
    """arm_convolve_s8_get_buffer_size: two columns of 16-bit values, padded to four."""
    return 2 * (columns + -columns % 4) * 2


def convolve_s8_buffer_size(conv: Convolution, *, check_groups: bool) -> int:
    """arm_convolve_wrapper_s8_get_buffer_size.

    Args:
        conv: geometry.
        check_groups: whether a grouped 1x1 convolution counts as an ordinary one (from 2026 on).
    """
    one_by_one = (
        conv.padding(0) == 0
        and conv.padding(1) == 0
        and conv.filter[1] == conv.filter[2] == 1
        and conv.dilation == (1, 1)
        and (not check_groups or conv.input[3] == conv.filter[3])
    )
    if one_by_one:
        return CONVOLVE_1X1_S8_FAST_BUFFER_SIZE
    return _im2col_s8(conv.filter[1] * conv.filter[2] * conv.input[3])


def convolve_s16_buffer_size(conv: Convolution) -> int:
    """arm_convolve_wrapper_s16_get_buffer_size."""
    return 2 * conv.input[3] * conv.filter[1] * conv.filter[2] * 2


def depthwise_conv_buffer_size(conv: Convolution, *, int4: bool) -> int:
    """arm_depthwise_conv_wrapper_s8 or _s4_get_buffer_size; a 3x3 of 8 bits needs none."""
    if conv.input[3] != conv.output[3] or conv.input[0] != 1 or conv.dilation != (1, 1):
        return 0
    small_3x3 = conv.filter[1] == conv.filter[2] == 3 and max(conv.padding(0), conv.padding(1)) <= 1
    if small_3x3 and not int4:
        return 0
    return conv.input[3] * conv.filter[1] * conv.filter[2] * 2


def avgpool_buffer_size(channels: int) -> int:
    """arm_avgpool_s8 and _s16_get_buffer_size."""
    return 4 * channels


def transpose_conv_buffer_sizes(conv: Convolution) -> tuple[int, int]:
    """arm_transpose_conv_s8_get_buffer_size and ..._get_reverse_conv_buffer_size.

    The row buffer is sized by the vertical stride where the kernel goes by the horizontal one
    (CMSIS-NN PR 243): with stride (1, 2) it is too small, and the plan repeats that.
    """
    stride_h, stride_w = conv.stride
    _, filter_h, filter_w, _ = conv.filter
    channels_in, channels_out = conv.input[3], conv.output[3]
    if max(conv.stride) <= 2 and channels_in > _REVERSE_TCOL_EFFICIENT_THRESHOLD:
        taps = filter_h * filter_w * channels_in
        return _im2col_s8(taps), taps * conv.filter[0]
    width = (conv.input[2] - 1) * stride_w + max(filter_w, stride_h)
    return width * channels_out * max(filter_h, stride_h) * 4, 0


def transpose_conv_buffer_sizes_2024_06(conv: Convolution) -> tuple[int, int]:
    """arm_transpose_conv_s8_get_buffer_size of 2024-06, and TFLM's own 32-bit output copy."""
    _, filter_h, filter_w, _ = conv.filter
    _, input_h, input_w, _ = conv.input
    _, output_h, output_w, channels = conv.output
    return (
        filter_w * filter_h * input_w * input_h * channels * 4,
        output_h * output_w * channels * 4,
    )
