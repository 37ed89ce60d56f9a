from __future__ import annotations

import heapq
import itertools
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from types import TracebackType

from ._core.outage_log import log
from .errors import Denied, RatelimitError
from .values import Charge, Denial, Sets

_UNKNOWN_WINDOW_S = 1.0


def with_lease_id(charge: Charge) -> Charge:
    """The charge, with a new lease ID if it has none."""
    if charge.lease_id is not None:
        return charge
    return Charge(charge.bucket, *charge.identities, cost=charge.cost, lease_id=str(uuid.uuid4()))


def renewal_pause(window: float | None) -> float:
    """Seconds between renewals: two in a row may fail. The shortest window holds for a limit that is not known yet."""
    return (window or _UNKNOWN_WINDOW_S) / 3


def warn_lost(denial: Denial) -> None:
    log.warning("a lease of %s is lost: it had ended, and its renewal was denied", denial.bucket)


class Lease:
    """Permits of a concurrency limit, which a `with` statement holds."""

    def __init__(self, calls: LeaseCalls, charge: Charge) -> None:
        self.charge = with_lease_id(charge)
        self.lost = False
        """Whether a renewal was denied: others may hold the permits now."""
        self._calls = calls
        self._lock = threading.Lock()
        self._is_held = False

    def __enter__(self) -> Lease:
        denial = self._calls.check([[self.charge]])
        if denial is not None:
            raise Denied(denial)
        self._is_held = True
        self._calls.renewals.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # A renewal that is on its way would take the permits again after the release.
        with self._lock:
            self._is_held = False
            try:
                self._calls.refund([self.charge])
            except RatelimitError as failure:
                log.info("a lease of %s was not released, and ends by itself: %s", self.charge.bucket, failure)

    def pause(self) -> float:
        """Seconds until the next renewal."""
        return renewal_pause(self._calls.window_of(self.charge.bucket))

    def renew(self) -> bool:
        """Returns whether the lease must be renewed again."""
        with self._lock:
            if not self._is_held:
                return False
            try:
                denial = self._calls.check([[self.charge]])
            except RatelimitError as failure:
                log.warning("the renewal of a lease of %s failed: %s", self.charge.bucket, failure)
                return True
            if denial is None:
                return True
            self.lost = True
            warn_lost(denial)
            return False


class LeaseCalls:
    """The calls that leases make, and the thread that renews them."""

    def __init__(
        self,
        check: Callable[[Sets], Denial | None],
        refund: Callable[[Sequence[Charge]], None],
        window_of: Callable[[str], float | None],
    ) -> None:
        self.check = check
        self.refund = refund
        self.window_of = window_of
        self.renewals = Renewals()


class Renewals:
    """Renews leases in a thread, which starts with the first lease."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Lease]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._is_running = False
        self._is_closed = False

    def add(self, lease: Lease) -> None:
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + lease.pause(), next(self._numbers), lease))
            if not self._is_running and not self._is_closed:
                self._is_running = True
                threading.Thread(target=self._run, name="gatehouse-ratelimit-leases", daemon=True).start()
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._due.clear()
            self._changed.notify()

    def _run(self) -> None:
        while (lease := self._next()) is not None:
            if lease.renew():
                self.add(lease)

    def _next(self) -> Lease | None:
        """Waits for the next lease to renew. None: the client is closed."""
        with self._changed:
            while not self._is_closed:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait)
            return None
