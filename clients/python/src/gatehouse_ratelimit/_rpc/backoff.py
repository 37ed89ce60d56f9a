from __future__ import annotations

import time

from ..errors import RatelimitError

_FIRST_S = 0.05
_LONGEST_S = 0.2
"""Not longer than the breaker's pause between probes: after one that succeeds, a stream may be opened."""


class Backoff:
    """When the next stream may be opened: at once after one that worked, and until all addresses were tried."""

    def __init__(self, addresses: int) -> None:
        self._addresses = addresses
        self._failures = 0
        self._until = 0.0
        self._error: RatelimitError | None = None

    def lost(self, error: RatelimitError, *, has_worked: bool) -> None:
        self._error = error
        self._failures = 0 if has_worked else self._failures + 1
        rounds = self._failures // self._addresses
        pause_s = 0 if rounds == 0 else min(_LONGEST_S, _FIRST_S * 2 ** min(rounds - 1, 10))
        self._until = time.monotonic() + pause_s

    def require_over(self) -> None:
        """Raises: RatelimitError, that of the lost stream, if it is too early"""
        if self._error is not None and time.monotonic() < self._until:
            raise self._error.copy()
