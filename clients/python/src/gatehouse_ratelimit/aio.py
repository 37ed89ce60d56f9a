from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType

from ._core.clock import Clock, steady_clock
from ._core.core import Call, Core
from ._core.messages import states_of
from ._core.outage_log import log
from ._rpc.aio_transport import AsyncGrpcTransport, AsyncTransport
from ._rpc.connection import Tls, addresses_of
from .errors import Denied, RatelimitError, unavailable
from .leases import renewal_pause, warn_lost, with_lease_id
from .values import BucketState, Charge, Counts, Denial, Sets


class AsyncRateLimits:
    """The limits that ratelimit counts, for asyncio. Its parameters are those of RateLimits.

    A client belongs to the event loop of its first call. Nothing is opened before.
    """

    def __init__(
        self,
        address: str,
        *,
        tls: Tls | None = None,
        timeout: float = 0.25,
        replicas: int = 1,
        now_us: Clock | None = None,
        transport: AsyncTransport | None = None,
    ) -> None:
        addresses_of(address)
        if timeout <= 0 or replicas < 1:
            raise ValueError("timeout must be above 0, and replicas at least 1")
        self._address = address
        self._tls = tls
        self._timeout = timeout
        self._changed = asyncio.Event()
        self._core = Core(
            timeout_us=int(timeout * 1_000_000),
            replicas=replicas,
            now_us=now_us or steady_clock(),
            on_open=self._changed.set,
        )
        self._transport = transport
        self._loop: asyncio.AbstractEventLoop | None = None
        self._following: asyncio.Task[None] | None = None
        self._is_closed = False

    async def check(self, sets: Sets) -> Denial | None:
        """As RateLimits.check. If the task is cancelled, so is the check."""
        step = self._core.begin(sets)
        if not isinstance(step, Call):
            return step
        try:
            response = await self._connected().check(step.request, self._timeout)
        except RatelimitError as error:
            return self._core.failed(step, error)
        return self._core.answered(step, response)

    async def peek(self, charges: Sequence[Charge]) -> list[BucketState]:
        """As RateLimits.peek."""
        self._core.require_closed()
        states = states_of(await self._connected().peek(charges, self._timeout))
        self._core.call_succeeded()
        return states

    async def refund(self, charges: Sequence[Charge]) -> None:
        """As RateLimits.refund."""
        try:
            self._core.require_closed()
            await self._connected().refund(charges, self._timeout)
            self._core.call_succeeded()
        finally:
            self._core.refunded(charges)

    def lease(self, charge: Charge) -> AsyncLease:
        """As RateLimits.lease, for an `async with` statement."""
        return AsyncLease(self.check, self.refund, self._core.window_of, charge)

    @property
    def counts(self) -> Counts:
        return self._core.counts()

    @property
    def is_breaker_open(self) -> bool:
        """Whether ratelimit does not answer, and this process decides without calling it."""
        return self._core.is_open

    async def close(self) -> None:
        """Closes the connection. Later checks are decided in this process."""
        self._is_closed = True
        if self._following is not None:
            self._following.cancel()
        if self._transport is not None:
            await self._transport.close()

    async def __aenter__(self) -> AsyncRateLimits:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def _connected(self) -> AsyncTransport:
        if self._is_closed:
            raise unavailable("the client is closed")
        loop = asyncio.get_running_loop()
        if self._transport is None:
            self._loop = loop
            self._transport = AsyncGrpcTransport(self._address, self._tls)
            self._following = asyncio.create_task(self._follow(self._transport))
        if self._loop is not None and self._loop is not loop:
            raise RuntimeError("this client belongs to another event loop: make one in each")
        return self._transport

    async def _follow(self, transport: AsyncTransport) -> None:
        """Reads the rules, and probes ratelimit while the breaker is open."""
        while True:
            while (wait := self._core.refresh_in()) > 0:
                self._changed.clear()
                try:
                    await asyncio.wait_for(self._changed.wait(), wait)
                except asyncio.TimeoutError:
                    break
            await self._refresh(transport)

    async def _refresh(self, transport: AsyncTransport) -> None:
        try:
            response = await transport.list_buckets(self._core.refresh_timeout())
        except RatelimitError as error:
            self._core.refreshed(error)
        else:
            self._core.refreshed(response)


class AsyncLease:
    """Permits of a concurrency limit, which an `async with` statement holds."""

    def __init__(
        self,
        check: Callable[[Sets], Awaitable[Denial | None]],
        refund: Callable[[Sequence[Charge]], Awaitable[None]],
        window_of: Callable[[str], float | None],
        charge: Charge,
    ) -> None:
        self.charge = with_lease_id(charge)
        self.lost = False
        """Whether a renewal was denied: others may hold the permits now."""
        self._check = check
        self._refund = refund
        self._window_of = window_of
        self._lock = asyncio.Lock()
        self._renewing: asyncio.Task[None] | None = None
        self._releasing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> AsyncLease:
        try:
            denial = await self._check([[self.charge]])
        except asyncio.CancelledError:
            self._releasing = asyncio.create_task(self._release())  # it may have been granted
            raise
        if denial is not None:
            raise Denied(denial)
        self._renewing = asyncio.create_task(self._renew())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # A renewal that is on its way would take the permits again after the release.
        async with self._lock:
            if self._renewing is not None:
                self._renewing.cancel()
            await self._release()

    async def _release(self) -> None:
        try:
            await self._refund([self.charge])
        except RatelimitError as failure:
            log.info("a lease of %s was not released, and ends by itself: %s", self.charge.bucket, failure)

    async def _renew(self) -> None:
        while not self.lost:
            await asyncio.sleep(renewal_pause(self._window_of(self.charge.bucket)))
            async with self._lock:
                await self._renew_once()

    async def _renew_once(self) -> None:
        try:
            denial = await self._check([[self.charge]])
        except RatelimitError as failure:
            log.warning("the renewal of a lease of %s failed: %s", self.charge.bucket, failure)
            return
        if denial is not None:
            self.lost = True
            warn_lost(denial)
