"""Work beside the device, in a thread that nobody waits for once the device has failed."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def beside() -> Iterator[ThreadPoolExecutor]:
    """One thread; leaving waits for its work, except with an exception or Ctrl-C."""
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
