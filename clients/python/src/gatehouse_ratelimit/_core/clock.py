from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], int]
"""Returns microseconds since the Unix epoch, which fixed windows begin at."""


def steady_clock() -> Clock:
    """Makes a clock that starts at the machine's time. Setting the machine's time does not move it afterwards."""
    offset = time.time_ns() - time.monotonic_ns()
    return lambda: (time.monotonic_ns() + offset) // 1000
