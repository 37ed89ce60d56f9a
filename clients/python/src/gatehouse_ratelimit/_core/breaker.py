from __future__ import annotations

from collections.abc import Callable

_FAILURES = 5
_MOMENT_US = 20_000


class Breaker:
    """A circuit breaker. Five failures in a row, without a success within the timeout of a call, open it.

    Failures of one moment, such as those of a lost stream, count once. A probe that succeeds closes the breaker.
    """

    def __init__(self, timeout_us: int, on_open: Callable[[], None]) -> None:
        self._timeout_us = timeout_us
        self._on_open = on_open
        self._failures = 0
        self._calls = 0
        self._counted: tuple[int, int] | None = None
        """The time of the last failure that was counted, and the number of calls that had been made until then."""
        self._succeeded_at_us: int | None = None
        self.is_open = False

    def number(self) -> int:
        """The number of a new call."""
        self._calls += 1
        return self._calls

    def succeeded(self, now_us: int) -> None:
        self._failures = 0
        self._succeeded_at_us = now_us

    def failed(self, number: int, now_us: int) -> None:
        """Counts the failure of the call with this number."""
        if self.is_open or self._is_counted(number, now_us):
            return
        self._counted = (now_us, self._calls)
        self._failures += 1
        # One replica may fail at once while others still answer.
        is_silent = self._succeeded_at_us is None or now_us - self._succeeded_at_us >= self._timeout_us
        if self._failures >= _FAILURES and is_silent:
            self.is_open = True
            self._on_open()

    def close(self) -> None:
        self.is_open = False
        self._failures = 0

    def _is_counted(self, number: int, now_us: int) -> bool:
        """Whether the call was already waiting when the last failure was counted, a moment ago."""
        if self._counted is None:
            return False
        counted_us, calls = self._counted
        return number <= calls and now_us - counted_us < _MOMENT_US
