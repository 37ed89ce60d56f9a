from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Sequence
from types import TracebackType

from ._core.clock import Clock, steady_clock
from ._core.core import Call, Core
from ._core.messages import states_of
from ._rpc.connection import Tls, addresses_of
from ._rpc.transport import GrpcTransport, Transport
from .errors import RatelimitError, unavailable
from .leases import Lease, LeaseCalls
from .values import BucketState, Charge, Counts, Denial, Sets


class RateLimits:
    """The limits that ratelimit counts. All threads may share one client; nothing is opened before its first call.

    address: host:port, or several separated by commas
    timeout: seconds that a call may take
    replicas: processes like this one; while ratelimit does not answer, each admits an equal share of a limit

    Further parameters are for tests.
    """

    def __init__(
        self,
        address: str,
        *,
        tls: Tls | None = None,
        timeout: float = 0.25,
        replicas: int = 1,
        now_us: Clock | None = None,
        transport: Transport | None = None,
    ) -> None:
        addresses_of(address)
        if timeout <= 0 or replicas < 1:
            raise ValueError("timeout must be above 0, and replicas at least 1")
        self._address = address
        self._tls = tls
        self._timeout = timeout
        self._changed = threading.Condition()
        self._core = Core(
            timeout_us=int(timeout * 1_000_000),
            replicas=replicas,
            now_us=now_us or steady_clock(),
            on_open=self._changed.notify_all,
        )
        self._transport = transport
        self._pid: int | None = None
        self._leases = LeaseCalls(self.check, self.refund, self._core.window_of)
        self._is_closed = False

    def check(self, sets: Sets) -> Denial | None:
        """Charges sets of buckets in order, each as a whole or not at all, up to the first that denies.

        Returns None if all admit. Raises RatelimitError INVALID_ARGUMENT for an unknown bucket, identities that do not
        match its key, or a cost above its limit; nothing is charged then.
        """
        self._require_same_process()
        with self._changed:
            step = self._core.begin(sets)
        if not isinstance(step, Call):
            return step
        try:
            response = self._connected().check(step.request, self._timeout)
        except RatelimitError as error:
            with self._changed:
                return self._core.failed(step, error)
        with self._changed:
            return self._core.answered(step, response)

    def peek(self, charges: Sequence[Charge]) -> list[BucketState]:
        """The states of buckets; costs are ignored. Raises RatelimitError, also if ratelimit does not answer."""
        self._require_closed_breaker()
        states = states_of(self._connected().peek(charges, self._timeout))
        with self._changed:
            self._core.call_succeeded()
        return states

    def refund(self, charges: Sequence[Charge]) -> None:
        """Refunds charges for work that did not happen, and releases leases.

        Raises RatelimitError, also if ratelimit does not answer; the refund may have happened nevertheless.
        """
        self._require_same_process()
        try:
            self._require_closed_breaker()
            self._connected().refund(charges, self._timeout)
            with self._changed:
                self._core.call_succeeded()
        finally:
            with self._changed:
                self._core.refunded(charges)

    def lease(self, charge: Charge) -> Lease:
        """A lease of a concurrency limit, for a `with` statement: held and renewed until its end, then released.

        The statement raises Denied if the limit denies.
        """
        return Lease(self._leases, charge)

    @property
    def counts(self) -> Counts:
        with self._changed:
            return self._core.counts()

    @property
    def is_breaker_open(self) -> bool:
        """Whether ratelimit does not answer, and this process decides without calling it."""
        return self._core.is_open

    def close(self) -> None:
        """Closes the connection. Later checks are decided in this process. The end of the process does it, too."""
        if self._pid is not None and self._pid != os.getpid():
            return  # the connection belongs to the parent process
        atexit.unregister(self.close)
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            transport = self._transport
        self._leases.renewals.close()
        if transport is not None:
            transport.close()

    def __enter__(self) -> RateLimits:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _require_same_process(self) -> None:
        # Neither the connection nor its threads exist in a forked process, and a lock may be held there for ever.
        if self._pid is not None and self._pid != os.getpid():
            raise RuntimeError("this client was used before the fork: make one in each process")

    def _require_closed_breaker(self) -> None:
        self._require_same_process()
        with self._changed:
            self._core.require_closed()

    def _connected(self) -> Transport:
        with self._changed:
            if self._is_closed:
                raise unavailable("the client is closed")
            if self._transport is None:
                self._pid = os.getpid()
                atexit.register(self.close)
                self._transport = GrpcTransport(self._address, self._tls)
                args = (self._transport,)
                threading.Thread(target=self._follow, args=args, name="gatehouse-ratelimit-rules", daemon=True).start()
            return self._transport

    def _follow(self, transport: Transport) -> None:
        """Reads the rules, and probes ratelimit while the breaker is open."""
        while True:
            with self._changed:
                while not self._is_closed and (wait := self._core.refresh_in()) > 0:
                    self._changed.wait(wait)
                if self._is_closed:
                    return
            self._refresh(transport)

    def _refresh(self, transport: Transport) -> None:
        try:
            response = transport.list_buckets(self._core.refresh_timeout())
        except RatelimitError as error:
            with self._changed:
                self._core.refreshed(error)
        else:
            with self._changed:
                self._core.refreshed(response)
