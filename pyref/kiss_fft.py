"""Real FFTs as TFLM's signal library computes them: KISS FFT 130, in numpy.

Fixed point divides by the radix before every stage and wraps where values do not fit, so its
bytes depend on the order of the steps; float32 follows the same order. Complex arrays are
[2, ...]: real parts, imaginary parts.

Source: kiss_fft.c, kiss_fftr.c and _kiss_fft_guts.h, built by signal/src/kiss_fft_wrappers with
FIXED_POINT 16 or 32, or in float.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class Arithmetic:
    """Complex arithmetic of one element type: int16, int32 or float32."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.fixed = dtype.kind == "i"
        self.wide = np.dtype({2: np.int32, 4: np.int64}[dtype.itemsize]) if self.fixed else dtype
        self.bits = 8 * dtype.itemsize - 1
        self.one = (1 << self.bits) - 1

    def exponentials(self, phases: list[float]) -> Array:
        """kf_cexp: cos and sin of each phase, [2, n] in the wide type."""
        pairs = np.array([[f(p) for p in phases] for f in (math.cos, math.sin)]).reshape(2, -1)
        if self.fixed:
            pairs = np.floor(0.5 + self.one * pairs)
        return pairs.astype(self.dtype).astype(self.wide)

    def rounded(self, x: Array) -> Array:
        """sround: a product of two values as one value."""
        if not self.fixed:
            return x
        return ((x + (1 << (self.bits - 1))) >> self.bits).astype(self.dtype)

    def product(self, a: Array, w: Array) -> Array:
        """C_MUL of a [2, ...] by exponentials."""
        a = a.astype(self.wide)
        result = np.empty(np.broadcast_shapes(a.shape, w.shape), self.wide)
        result[0] = a[0] * w[0] - a[1] * w[1]
        result[1] = a[0] * w[1] + a[1] * w[0]
        return self.rounded(result)

    def scaled(self, a: Array, factor: Any) -> Array:
        """S_MUL by a real factor."""
        return self.rounded(a.astype(self.wide) * factor)

    def divided(self, a: Array, k: int) -> Array:
        """C_FIXDIV: by k in fixed point; floating point leaves it to the inverse's caller."""
        return self.scaled(a, self.one // k) if self.fixed else a

    def half(self, a: Array) -> Array:
        """HALF_OF."""
        return a >> 1 if self.fixed else a * np.float32(0.5)

    def promoted(self, a: Array) -> Array:
        """As C computes with it: int16 as an int."""
        return a.astype(np.int32) if self.fixed else a


def _turned(a: Array) -> Array:
    """-i * a."""
    return np.stack([a[1], -a[0]])


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """One radix: its exponentials [2, 1, radix - 1, ...] and the two that radix 3 and 5 use."""

    radix: int
    length: int
    twiddles: Array
    anchors: Array


class ComplexFft:
    """kiss_fft of one length.

    Args:
        size: number of points.
        inverse: sign of the exponent.
        dtype: int16, int32 or float32.
    """

    def __init__(self, size: int, *, inverse: bool, dtype: np.dtype[Any]) -> None:
        self.arithmetic = Arithmetic(dtype)
        self.inverse = inverse
        sign = -1.0 if inverse else 1.0
        self._twiddles = self.arithmetic.exponentials(
            [sign * (-2 * math.pi * i / size) for i in range(size)]
        )
        self._stages = []
        stride = 1
        for radix, length in factors(size):
            self._stages.append(self._stage(size, radix, length, stride))
            stride *= radix
        self._order = _order([stage.radix for stage in self._stages])

    def _stage(self, size: int, radix: int, length: int, stride: int) -> _Stage:
        index = stride * np.arange(1, radix)[:, None] * np.arange(length)
        anchors = [stride * length % size, 2 * stride * length % size]
        return _Stage(radix, length, self._twiddles[:, None, index], self._twiddles[:, anchors])

    def __call__(self, x: Array) -> Array:
        """Transforms [2, frames, n]."""
        frames = x.shape[1]
        z = x[:, :, self._order]
        for stage in reversed(self._stages):
            blocks = self.arithmetic.divided(
                z.reshape(2, -1, stage.radix, stage.length), stage.radix
            )
            z = self._butterfly(blocks, stage).reshape(2, frames, -1)
        return z

    def _butterfly(self, z: Array, stage: _Stage) -> Array:
        """One stage: [2, blocks, radix, length] to the same."""
        combine = {2: _two, 3: self._three, 4: self._four, 5: self._five}[stage.radix]
        rest = self.arithmetic.product(z[:, :, 1:], stage.twiddles)
        parts = [z[:, :, 0], *(rest[:, :, k] for k in range(stage.radix - 1))]
        return np.stack(combine(parts, stage.anchors), axis=2)

    def _three(self, s: list[Array], anchors: Array) -> list[Array]:
        total, difference = s[1] + s[2], s[1] - s[2]
        middle = s[0] - self.arithmetic.half(total)
        side = _turned(self.arithmetic.scaled(difference, anchors[1, 0]))
        return [s[0] + total, middle - side, middle + side]

    def _four(self, s: list[Array], _: Array) -> list[Array]:
        difference, even = s[0] - s[2], s[0] + s[2]
        odd, side = s[1] + s[3], _turned(s[1] - s[3])
        if self.inverse:
            side = -side
        return [even + odd, difference + side, even - odd, difference - side]

    def _five(self, s: list[Array], anchors: Array) -> list[Array]:
        scaled = self.arithmetic.scaled
        (ya_r, yb_r), (ya_i, yb_i) = anchors
        outer, outer_diff = s[1] + s[4], s[1] - s[4]
        inner, inner_diff = s[2] + s[3], s[2] - s[3]
        near = s[0] + scaled(outer, ya_r) + scaled(inner, yb_r)
        near_side = _turned(scaled(outer_diff, ya_i) + scaled(inner_diff, yb_i))
        far = s[0] + scaled(outer, yb_r) + scaled(inner, ya_r)
        far_side = _turned(scaled(inner_diff, ya_i) - scaled(outer_diff, yb_i))
        first = s[0] + (outer + inner)
        return [first, near - near_side, far + far_side, far - far_side, near + near_side]


def _two(s: list[Array], _: Array) -> list[Array]:
    return [s[0] + s[1], s[0] - s[1]]


def factors(n: int) -> list[tuple[int, int]]:
    """kf_factor: (radix, what is left), fours first, then 2, 3, 5 and odd numbers on.

    TFLM builds KISS FFT without malloc, which radices other than 2 to 5 need: it crashes there.
    """
    found, p = [], 4
    most = math.isqrt(n)
    while True:
        while n % p:
            p = {4: 2, 2: 3}.get(p, p + 2)
            if p > most:
                p = n
        n //= p
        found.append((p, n))
        if n <= 1:
            return found


def _order(radices: list[int]) -> NDArray[np.int64]:
    """Where kf_work's leaves read: digits of the position, reversed."""
    order = np.zeros(1, np.int64)
    for radix in reversed(radices):
        order = np.concatenate([order * radix + k for k in range(radix)])
    return order


class RealFft:
    """kiss_fftr or kiss_fftri of one even length, over frames.

    Args:
        size: number of real points, even.
        inverse: spectrum to samples.
        dtype: int16, int32 or float32.
    """

    def __init__(self, size: int, *, inverse: bool, dtype: np.dtype[Any]) -> None:
        self._half = half = size // 2
        self._complex = ComplexFft(half, inverse=inverse, dtype=dtype)
        self._arithmetic = self._complex.arithmetic
        sign = -1.0 if inverse else 1.0
        phases = [sign * (-math.pi * ((i + 1) / half + 0.5)) for i in range(half // 2)]
        self._twiddles = self._arithmetic.exponentials(phases)
        self._low = np.arange(1, half // 2 + 1)

    def forward(self, x: Array) -> Array:
        """Samples [frames, n] to spectra [frames, n/2 + 1, 2]."""
        math_, half, low = self._arithmetic, self._half, self._low
        z = self._complex(np.moveaxis(x.reshape(len(x), half, 2), 2, 0))
        result = np.zeros((2, len(x), half + 1), x.dtype)
        ends = math_.divided(z[:, :, 0], 2)
        result[0, :, 0], result[0, :, half] = ends[0] + ends[1], ends[0] - ends[1]
        if low.size:
            upper = math_.divided(_conjugate(z[:, :, half - low]), 2)
            lower = math_.divided(z[:, :, low], 2)
            even = math_.promoted(lower + upper)
            odd = math_.promoted(math_.product(lower - upper, self._twiddles[:, None]))
            result[:, :, low] = math_.half(even + odd)
            result[0][:, half - low] = math_.half(even[0] - odd[0])
            result[1][:, half - low] = math_.half(odd[1] - even[1])
        return np.ascontiguousarray(np.moveaxis(result, 0, 2))

    def backward(self, spectra: Array) -> Array:
        """Spectra [frames, n/2 + 1, 2] to samples [frames, n]."""
        math_, half, low = self._arithmetic, self._half, self._low
        f = np.moveaxis(spectra, 2, 0)
        z = np.empty((2, len(spectra), half), spectra.dtype)
        ends = np.stack([f[0, :, 0] + f[0, :, half], f[0, :, 0] - f[0, :, half]])
        z[:, :, 0] = math_.divided(ends, 2)
        if low.size:
            upper = math_.divided(_conjugate(f[:, :, half - low]), 2)
            lower = math_.divided(f[:, :, low], 2)
            even = lower + upper
            odd = math_.product(lower - upper, self._twiddles[:, None])
            z[:, :, low] = even + odd
            z[:, :, half - low] = _conjugate(even - odd)
        samples = np.moveaxis(self._complex(z), 0, 2)
        return np.ascontiguousarray(samples).reshape(len(spectra), 2 * half)


def _conjugate(z: Array) -> Array:
    return np.stack([z[0], -z[1]])
