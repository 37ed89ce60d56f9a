from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

import pytest
from fake_ratelimit import FakeRatelimit

from gatehouse_ratelimit import AsyncRateLimits, BucketState, Charge, Counts, Denial, RateLimits
from gatehouse_ratelimit.values import Sets

T = TypeVar("T")

LONG_TIMEOUT = 20.0
"""Long enough for an answer on a busy machine."""


def eventually(fact: Callable[[], bool]) -> None:
    """Waits for a fact."""
    due = time.monotonic() + 30
    while not fact():
        assert time.monotonic() < due, "it did not happen within 30 s"
        time.sleep(0.005)


class FromThreads:
    """An AsyncRateLimits that threads may call. Its event loop runs in a thread of its own."""

    def __init__(self, address: str, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.limits = AsyncRateLimits(address, **options)

    def check(self, sets: Sets) -> Denial | None:
        return self.run(self.limits.check(sets))

    def peek(self, charges: Sequence[Charge]) -> list[BucketState]:
        return self.run(self.limits.peek(charges))

    def refund(self, charges: Sequence[Charge]) -> None:
        self.run(self.limits.refund(charges))

    @property
    def counts(self) -> Counts:
        return self.limits.counts

    @property
    def is_breaker_open(self) -> bool:
        return self.limits.is_breaker_open

    def close(self) -> None:
        self.run(self.limits.close())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


AnyLimits = RateLimits | FromThreads
Connect = Callable[..., AnyLimits]


@pytest.fixture
def ratelimit() -> Iterator[FakeRatelimit]:
    fake = FakeRatelimit()
    yield fake
    fake.stop()


@pytest.fixture(params=[RateLimits, FromThreads], ids=["threads", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Connects each of the two clients."""
    opened: list[AnyLimits] = []

    def open_one(address: str, **options: Any) -> AnyLimits:
        opened.append(request.param(address, **{"timeout": LONG_TIMEOUT} | options))
        return opened[-1]

    yield open_one
    for limits in opened:
        limits.close()
