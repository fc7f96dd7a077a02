"""Operators that say in one output how much of another they wrote.

What they did not write is whatever lay there: nothing of this run on a host whose memory is
fresh, another tensor's bytes on a board. It is not compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]


def _valid(outputs: Sequence[Array]) -> list[Array]:
    """SignalFramer, SignalStacker: nothing, unless the second output says true."""
    written = bool(outputs[1].reshape(-1)[0])
    return [np.full(outputs[0].shape, written), np.full(outputs[1].shape, fill_value=True)]


def _detections(outputs: Sequence[Array]) -> list[Array]:
    """TFLite_Detection_PostProcess: as many as the last output says."""
    count = int(outputs[3].reshape(-1)[0])
    masks = [np.zeros(o.shape, np.bool_) for o in outputs]
    for mask in masks[:3]:
        mask[:, :count] = True
    masks[3][:] = True
    return masks


#: For outputs of one invocation, which elements count.
WRITTEN: dict[str, Callable[[Sequence[Array]], list[Array]]] = {
    "SignalFramer": _valid,
    "SignalStacker": _valid,
    "TFLite_Detection_PostProcess": _detections,
}
