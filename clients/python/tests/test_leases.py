"""Leases of concurrency limits, with both clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

import pytest
from conftest import Connect, FromThreads, eventually
from fake_ratelimit import FakeRatelimit, admit

from gatehouse_ratelimit import AsyncLease, Charge, Denied, Lease, RatelimitError
from gatehouse_ratelimit._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

EXPORT = Charge("export", "account:1", cost=2)


class Held:
    """A lease of either client, in a `with` statement."""

    def __init__(self, limits: object, charge: Charge = EXPORT) -> None:
        self.limits = limits
        self.lease: Lease | AsyncLease = (
            limits.limits.lease(charge) if isinstance(limits, FromThreads) else limits.lease(charge)
        )  # type: ignore[attr-defined]

    def __enter__(self) -> Lease | AsyncLease:
        if isinstance(self.lease, Lease):
            return self.lease.__enter__()
        return self.limits.run(self.lease.__aenter__())  # type: ignore[attr-defined, no-any-return]

    def __exit__(self, *raised: object) -> None:
        if isinstance(self.lease, Lease):
            self.lease.__exit__(None, None, None)
        else:
            self.limits.run(self.lease.__aexit__(None, None, None))  # type: ignore[attr-defined]


def deny(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
    yield pb.CheckResponse(denial=pb.Denial(bucket="export", limit=2, retry_after_us=500_000, empty_after_us=1_000_000))


def test_a_lease_is_renewed_while_work_runs_and_released_at_its_end(connect: Connect, ratelimit: FakeRatelimit) -> None:
    limits = connect(ratelimit.address)
    with Held(limits) as lease:
        eventually(lambda: len(ratelimit.checks) >= 3)
        assert not lease.lost
        assert ratelimit.refunds == []
    renewals = len(ratelimit.checks)
    [released] = ratelimit.refunds
    assert released.lease_id == lease.charge.lease_id != ""
    charges = [charge for request in ratelimit.checks for charges in request.sets for charge in charges.charges]
    assert (
        charges == [pb.Charge(bucket="export", identities=["account:1"], cost=2, lease_id=released.lease_id)] * renewals
    )


def test_each_lease_has_an_id_of_its_own_unless_the_charge_has_one(connect: Connect, ratelimit: FakeRatelimit) -> None:
    limits = connect(ratelimit.address)
    with (
        Held(limits) as first,
        Held(limits) as second,
        Held(limits, Charge("export", "account:1", lease_id="x")) as third,
    ):
        assert len({first.charge.lease_id, second.charge.lease_id}) == 2
        assert third.charge.lease_id == "x"


def test_a_denied_lease_raises(connect: Connect, ratelimit: FakeRatelimit) -> None:
    ratelimit.decide = deny
    limits = connect(ratelimit.address)
    for _ in range(2):
        with pytest.raises(Denied, match="export denies") as raised, Held(limits):
            raise AssertionError("the work ran")
        assert raised.value.denial.retry_after == 0.5
    assert len(ratelimit.checks) == 2, "denials of concurrency limits are not remembered"
    assert ratelimit.refunds == []


def test_a_lease_whose_renewal_is_denied_is_lost(
    connect: Connect, ratelimit: FakeRatelimit, caplog: pytest.LogCaptureFixture
) -> None:
    limits = connect(ratelimit.address)
    with caplog.at_level(logging.WARNING, "gatehouse_ratelimit"), Held(limits) as lease:
        ratelimit.decide = deny
        eventually(lambda: lease.lost)
    assert "a lease of export is lost" in caplog.text


def test_while_ratelimit_is_away_leases_are_counted_here_and_released(
    connect: Connect, ratelimit: FakeRatelimit
) -> None:
    limits = connect(ratelimit.address, timeout=2)
    core = limits.limits._core if isinstance(limits, FromThreads) else limits._core
    assert limits.check([[Charge("report", "account:1")]]) is None
    eventually(lambda: core._rules.revision == "fake")
    ratelimit.stop()
    for _ in range(3):
        with Held(limits), pytest.raises(Denied), Held(limits):
            raise AssertionError("the work ran")
    with pytest.raises(RatelimitError):
        limits.refund([Charge("export", "account:1", lease_id="x")])


def test_a_cancelled_task_releases_its_lease_and_cancels_its_check(ratelimit: FakeRatelimit) -> None:
    limits = FromThreads(ratelimit.address, timeout=20)
    began, never = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        async with limits.limits.lease(EXPORT):
            began.set()
            await never.wait()

    async def cancel_it() -> None:
        task = asyncio.ensure_future(work())
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    limits.run(cancel_it())
    assert len(ratelimit.refunds) == 1

    def silent(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
        return ()

    async def cancel_a_check() -> None:
        ratelimit.checks.clear()
        ratelimit.decide = silent
        task = asyncio.ensure_future(limits.limits.check([[EXPORT]]))
        while not ratelimit.checks:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    limits.run(cancel_a_check())
    eventually(lambda: ratelimit.cancelled == [ratelimit.checks[0].tag])
    assert limits.counts.local == 0

    async def cancel_an_acquisition() -> None:
        ratelimit.checks.clear()
        task = asyncio.ensure_future(limits.limits.lease(EXPORT).__aenter__())
        while not ratelimit.checks:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    limits.run(cancel_an_acquisition())
    eventually(lambda: len(ratelimit.refunds) == 2)
    ratelimit.decide = admit
    assert limits.check([[Charge("search", "account:1")]]) is None
    limits.close()
