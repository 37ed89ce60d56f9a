"""Each case of clients/cases, with both clients."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from cases import Row, buckets_of, cases, charges_of, response_of

from gatehouse_ratelimit import AsyncRateLimits, Charge, Denial, RatelimitError, RateLimits
from gatehouse_ratelimit._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from gatehouse_ratelimit.values import Sets

T = TypeVar("T")


class Server:
    """Answers as a step says."""

    def __init__(self, buckets: list[Row]) -> None:
        self.now_us = 0
        self.buckets = buckets
        self.answer: Row | None = None
        self.called = False

    def respond(self) -> pb.CheckResponse:
        self.called = True
        assert self.answer is not None, "the case expects no call"
        self.now_us += self.answer.get("takes_us", 0)
        return response_of(self.answer)

    def list_buckets(self) -> pb.ListBucketsResponse:
        if self.answer is not None:
            response_of(self.answer)
        return buckets_of(self.buckets)


class SyncTransport:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.together = threading.Barrier(1)

    def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        self.together.wait()
        return self.server.respond()

    def peek(self, charges: Sequence[Charge], timeout: float) -> pb.PeekResponse:
        raise NotImplementedError

    def refund(self, charges: Sequence[Charge], timeout: float) -> None:
        self.server.respond()

    def list_buckets(self, timeout: float) -> pb.ListBucketsResponse:
        return self.server.list_buckets()

    def close(self) -> None:
        pass


class AsyncTransport:
    def __init__(self, server: Server) -> None:
        self.server = server

    async def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        await asyncio.sleep(0)  # so that checks that are made together are all sent before the first answer
        return self.server.respond()

    async def peek(self, charges: Sequence[Charge], timeout: float) -> pb.PeekResponse:
        raise NotImplementedError

    async def refund(self, charges: Sequence[Charge], timeout: float) -> None:
        self.server.respond()

    async def list_buckets(self, timeout: float) -> pb.ListBucketsResponse:
        return self.server.list_buckets()

    async def close(self) -> None:
        pass


class SyncClient:
    def __init__(self, case: Row) -> None:
        self.server = Server(case["buckets"])
        self.transport = SyncTransport(self.server)
        replicas = case.get("replicas", 1)
        self.limits = RateLimits(
            "case:1", replicas=replicas, now_us=lambda: self.server.now_us, transport=self.transport
        )

    def check(self, sets: Sets) -> Denial | None:
        return self.limits.check(sets)

    def check_together(self, checks: list[Sets]) -> list[Denial | None]:
        self.transport.together = threading.Barrier(len(checks))
        with ThreadPoolExecutor(len(checks)) as pool:
            denials = list(pool.map(self.limits.check, checks))
        self.transport.together = threading.Barrier(1)
        return denials

    def refund(self, charges: list[Charge]) -> None:
        self.limits.refund(charges)

    def refresh(self) -> None:
        self.limits._refresh(self.transport)


class AsyncClient:
    def __init__(self, case: Row) -> None:
        self.server = Server(case["buckets"])
        self.transport = AsyncTransport(self.server)
        replicas = case.get("replicas", 1)
        self.loop = asyncio.new_event_loop()
        self.limits = AsyncRateLimits(
            "case:1", replicas=replicas, now_us=lambda: self.server.now_us, transport=self.transport
        )

    def check(self, sets: Sets) -> Denial | None:
        return self._run(self.limits.check(sets))

    def check_together(self, checks: list[Sets]) -> list[Denial | None]:
        async def all_of_them() -> list[Denial | None]:
            return await asyncio.gather(*[self.limits.check(sets) for sets in checks])

        return self._run(all_of_them())

    def refund(self, charges: list[Charge]) -> None:
        self._run(self.limits.refund(charges))

    def refresh(self) -> None:
        self._run(self.limits._refresh(self.transport))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)


AnyClient = SyncClient | AsyncClient


@pytest.mark.parametrize("new_client", [SyncClient, AsyncClient], ids=["threads", "asyncio"])
@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case["name"])
def test_case(case: Row, new_client: type[SyncClient] | type[AsyncClient]) -> None:
    client = new_client(case)
    client.refresh()
    for number, step in enumerate(case["steps"]):
        client.server.now_us = max(client.server.now_us, step.get("at_us", 0))
        client.server.answer = step.get("server", case.get("server"))
        take_step(client, step, f"step {number}")


def take_step(client: AnyClient, step: Row, where: str) -> None:
    expect = step.get("expect", {})
    if "rules" in step:
        client.server.buckets, client.server.answer = step["rules"], None
        client.refresh()
    elif "probe" in step:
        assert client.limits._core.refresh_in() == 0, f"{where}: the probe is due"
        client.refresh()
    elif step.get("together"):
        for denial in client.check_together([sets_of(step, n) for n in numbers_of(step)]):
            expect_denial(expect, denial, where)
    else:
        repeat(client, step, where)
    expect_state(client, expect, where)


def repeat(client: AnyClient, step: Row, where: str) -> None:
    expect = step.get("expect", {})
    for number in numbers_of(step):
        client.server.called = False
        error: str | None = None
        denial: Denial | None = None
        try:
            if "refund" in step:
                client.refund(charges_of(step["refund"], number))
            else:
                denial = client.check(sets_of(step, number))
        except RatelimitError as failure:
            error = failure.code.name
        assert error == expect.get("error"), where
        expect_denial(expect, denial, where)
        assert client.server.called is expect.get("called", client.server.called), where
        client.server.now_us += step.get("every_us", 0)


def numbers_of(step: Row) -> range:
    first = step.get("first", 0)
    return range(first, first + step.get("times", 1))


def sets_of(step: Row, number: int) -> Sets:
    return [charges_of(charges, number) for charges in step["check"]]


def expect_denial(expect: Row, denial: Denial | None, where: str) -> None:
    if "denial" not in expect:
        return
    wanted = expect["denial"]
    if wanted is None:
        assert denial is None, where
    else:
        assert {name: getattr(denial, name) for name in wanted} == wanted, where


def expect_state(client: AnyClient, expect: Row, where: str) -> None:
    core = client.limits._core
    if "breaker" in expect:
        assert ("open" if core.is_open else "closed") == expect["breaker"], where
    now_us = client.server.now_us
    generations = (core._denials._young, core._denials._old)
    remembered = sum(entry.until_us > now_us for entries in generations for entry in entries.values())
    assert remembered == expect.get("remembered", remembered), where
    assert remembered <= expect.get("remembered_at_most", remembered), where
