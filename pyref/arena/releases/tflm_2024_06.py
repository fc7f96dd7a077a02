"""TFLM of 2024-06-24 with CMSIS-NN of 2024-06-20: what differs from 2026-08.

Figures obtained as tflm_2026_08.py says, from this release's own sources.
"""

from __future__ import annotations

from pyref.arena.releases import Release, Struct, tflm_2026_08
from pyref.arena.releases.builtin_params import PARAMS

_KERNELS = "micro/kernels/"

#: Layouts that this release has otherwise.
_OTHER: dict[str, Struct] = {
    "OpDataAbsRsqrt": Struct(20, 4, _KERNELS + "elementwise.cc"),
    "OpDataFullyConnected": Struct(36, 4, _KERNELS + "fully_connected.h"),
    "OpDataReduce": Struct(40, 4, _KERNELS + "reduce.h"),
    "Relu6OpData": Struct(2, 1, _KERNELS + "activations.h"),
    "cmsis_nn/fully_connected.OpData": Struct(64, 4, _KERNELS + "cmsis_nn/fully_connected.cc"),
}

#: Kernels that came later.
_ABSENT = frozenset(
    {"DYNAMIC_UPDATE_SLICE", "REDUCE_ALL", "REDUCE_MIN", "REVERSE_V2", "TFLM_DECODE"}
)

RELEASE = Release(
    name="2024-06",
    tflm="dc4dcb743",
    cmsis_nn="5a11800c",
    structs=dict(tflm_2026_08.RELEASE.structs) | _OTHER,
    builtin_params=PARAMS,
    absent=_ABSENT,
)
