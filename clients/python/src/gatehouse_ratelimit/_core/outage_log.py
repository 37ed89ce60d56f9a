from __future__ import annotations

import logging

log = logging.getLogger("gatehouse_ratelimit")

_WARN_EVERY_US = 1_000_000


class OutageLog:
    """Logs the number of checks that are decided without ratelimit, at most once a second."""

    def __init__(self) -> None:
        self._unlogged = 0
        self._logged_at_us: int | None = None
        self._has_logged = False
        self._cause: Exception | None = None

    def decided_locally(self, cause: Exception | None, now_us: int) -> None:
        """Counts a check. `cause` is the error of the call to ratelimit, if one was made."""
        self._unlogged += 1
        self._cause = cause or self._cause
        if self._logged_at_us is not None and now_us - self._logged_at_us < _WARN_EVERY_US:
            return
        message = "ratelimit does not answer: limits are decided here (%d checks; last error: %s)"
        log.warning(message, self._unlogged, self._cause)
        self._logged_at_us = now_us
        self._has_logged = True
        self._unlogged = 0

    def outage_ended(self) -> None:
        if self._has_logged:
            log.info("ratelimit answers again (%d more checks were decided here)", self._unlogged)
        self._has_logged = False
        self._unlogged = 0
