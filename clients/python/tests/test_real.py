"""Against the ratelimit at RATELIMIT_ADDRESS, with the built-in reference and the concurrency limit `export`."""

from __future__ import annotations

import os
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from conftest import Connect
from test_leases import Held

from gatehouse_ratelimit import Charge, Denied, RatelimitError

ADDRESS = os.environ.get("RATELIMIT_ADDRESS", "")
pytestmark = pytest.mark.skipif(ADDRESS == "", reason="RATELIMIT_ADDRESS is not set")


def test_32_threads_are_admitted_exactly_the_limit(connect: Connect) -> None:
    limits = connect(ADDRESS)
    report = [[Charge("report", f"account:{uuid.uuid4()}")]]
    with ThreadPoolExecutor(32) as pool:
        denials = list(pool.map(lambda _: limits.check(report), range(200)))
    assert denials.count(None) == 10
    waits = [denial.retry_after for denial in denials if denial is not None]
    assert all(350 < wait <= 360 for wait in waits)
    counts = limits.counts
    assert (counts.checks, counts.local, counts.denied) == (200, 0, {"report": 190})
    assert counts.remembered > 0


def test_peek_and_refund(connect: Connect) -> None:
    limits = connect(ADDRESS)
    report = Charge("report", f"account:{uuid.uuid4()}", cost=4)
    assert limits.check([[report]]) is None
    [state] = limits.peek([report])
    assert (state.bucket, state.limit, state.remaining) == ("report", 10, 6)
    limits.refund([report])
    [state] = limits.peek([report])
    assert (state.remaining, state.empty_after_us) == (10, 0)


def test_mistakes_are_errors_and_charge_nothing(connect: Connect) -> None:
    limits = connect(ADDRESS)
    account = f"account:{uuid.uuid4()}"
    for charge, reason in [
        (Charge("no:such:bucket", account), "UNKNOWN_BUCKET"),
        (Charge("report", account, account), "WRONG_IDENTITIES"),
        (Charge("report", ""), "BAD_IDENTITY"),
        (Charge("report", account, cost=11), "BAD_COST"),
    ]:
        for call in (lambda charge=charge: limits.check([[charge]]), lambda charge=charge: limits.refund([charge])):
            with pytest.raises(RatelimitError) as raised:
                call()
            assert (raised.value.code, raised.value.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
    [state] = limits.peek([Charge("report", account)])
    assert state.remaining == 10
    assert limits.counts.local == 0


def test_no_more_leases_are_held_than_the_limit_and_each_release_frees_its_permits(connect: Connect) -> None:
    limits = connect(ADDRESS)
    export = Charge("export", f"account:{uuid.uuid4()}")
    lock = threading.Lock()
    holders, most, done = 0, 0, 0

    def work(_: int) -> None:
        nonlocal holders, most, done
        while True:
            try:
                with Held(limits, export):
                    with lock:
                        holders += 1
                        most = max(most, holders)
                    limits.peek([export])
                    with lock:
                        holders -= 1
                        done += 1
                return
            except Denied as denied:
                assert denied.denial.bucket == "export"

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    assert (most, done) == (2, 24)
    [state] = limits.peek([export])
    assert state.remaining == 2


def test_a_denied_lease_charges_nothing_else_of_its_set(connect: Connect) -> None:
    limits = connect(ADDRESS)
    account = f"account:{uuid.uuid4()}"
    report = Charge("report", account)
    with Held(limits, Charge("export", account, cost=2)):
        denial = limits.check([[report, Charge("export", account, lease_id="another")]])
        assert denial is not None
        assert denial.bucket == "export"
        assert 0 < denial.retry_after <= 30
    [state] = limits.peek([report])
    assert state.remaining == 10
