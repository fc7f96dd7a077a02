"""Sizes of TFLM's C++ structures on a 32-bit target, by release.

To add a release: one file here with a `RELEASE`, one line in RELEASES; README.md of pyref/arena
says how the figures are obtained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyref.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Struct(NamedTuple):
    """Layout of one C++ structure.

    Attributes:
        size: sizeof, bytes.
        align: alignof, bytes.
        source: file that defines it, from tensorflow/lite/ or signal/ on.
    """

    size: int
    align: int
    source: str


class Release(NamedTuple):
    """One TFLM release.

    Attributes:
        name: such as "2026-08".
        tflm: commit of tensorflow/tflite-micro.
        cmsis_nn: commit of ARM-software/CMSIS-NN that its CMSIS-NN figures come from.
        structs: layouts by name; a private OpData is called "file.OpData".
        builtin_params: operator to the structure that its parser allocates
            (core/api/flatbuffer_conversions.cc, by micro/micro_mutable_op_resolver.h).
        absent: operators of pyref.arena.kernels that this release does not register.
    """

    name: str
    tflm: str
    cmsis_nn: str
    structs: Mapping[str, Struct]
    builtin_params: Mapping[str, str]
    absent: frozenset[str]

    def struct(self, name: str) -> Struct:
        """Layout of the structure `name`."""
        return self.structs[name]

    def registers(self, op: str) -> bool:
        """Whether this release has a kernel for the operator."""
        return op not in self.absent


def find(name: str) -> Release:
    """The release called `name`.

    Raises:
        PlanError: no figures for such a release.
    """
    release = _table().get(name)
    if release is None:
        known = ", ".join(sorted(_table()))
        raise PlanError(f"TFLM release: expected one of {known}, got {name!r}")
    return release


def _table() -> Mapping[str, Release]:
    from pyref.arena.releases import tflm_2024_06, tflm_2026_08  # noqa: PLC0415 - they import this

    return {r.name: r for r in (tflm_2024_06.RELEASE, tflm_2026_08.RELEASE)}
