"""Counting in this process: what the cases of all clients do not cover."""

from __future__ import annotations

import json
import random
import re
from concurrent.futures import Future
from importlib import resources
from pathlib import Path

import pytest

from gatehouse_ratelimit import Charge
from gatehouse_ratelimit._core.cells import tick_of
from gatehouse_ratelimit._core.local_charges import LocalCharge, LocalCharges
from gatehouse_ratelimit._core.local_store import LocalStore
from gatehouse_ratelimit._core.rules import Kind, Policy, Rule, Rules, built_in_rules
from gatehouse_ratelimit._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from gatehouse_ratelimit._rpc.open_checks import OpenChecks

SOURCE = Path(__file__).parents[3] / "proto/gatehouse/ratelimit/v1/buckets.json"


def test_the_built_in_reference_is_that_of_the_contract() -> None:
    packed = resources.files("gatehouse_ratelimit").joinpath("buckets.json").read_text("utf-8")
    assert packed == SOURCE.read_text("utf-8"), "npm run generate"
    rules = built_in_rules().by_name
    assert rules["webhook:execute"] == Rule("webhook:execute", 60, 60_000_000, ("webhook",), Policy.LOCAL)
    assert rules["auth:emailchg_start"] is rules["email_change:orig"]
    internal = {name for name, row in json.loads(packed).items() if row.get("internal")}
    assert internal
    assert not internal & rules.keys()


@pytest.mark.parametrize("kind", list(Kind))
def test_a_full_store_never_admits_more_than_one_with_room(kind: Kind) -> None:
    rule = Rule("r", 5, 1_000_000, ("account",), kind=kind)
    chosen = random.Random(7)
    small, large = LocalStore(max_buckets=20), LocalStore()
    now_us = 0
    admitted = 0
    for _ in range(5_000):
        now_us += chosen.randrange(20_000)
        key = str(chosen.randrange(100))
        leases = ((str(chosen.randrange(4)), 1),) if kind is Kind.CONCURRENCY else ()
        charge = LocalCharge(rule, key, 1, leases)
        if small.decide([charge], now_us) is None:
            admitted += 1
            # The large store has taken no charge that the small one denied, so it must admit this one.
            assert large.decide([charge], now_us) is None
        assert len(small) <= 20
    assert admitted > 1_000


def test_empty_buckets_are_removed() -> None:
    rule = Rule("r", 5, 1_000_000, ("account",))
    store = LocalStore()
    for number in range(10_000):
        assert store.decide([LocalCharge(rule, str(number), 1)], number * 10_000) is None
    assert len(store) < 100


@pytest.mark.parametrize(
    ("limit", "window_seconds", "tick_us"),
    [(100, 3600, 1), (1_000_000, 86_400, 1_000), (10_000_000, 31_536_000, 1_000_000)],
)
def test_large_limits_with_long_windows_are_exact_on_a_coarser_clock(
    limit: int, window_seconds: int, tick_us: int
) -> None:
    rule = Rule("r", limit, window_seconds * 1_000_000)
    assert tick_of(rule) == tick_us
    store, now_us = LocalStore(), 1_700_000_000_123_456
    assert store.decide([LocalCharge(rule, "a", limit)], now_us) is None
    denial = store.decide([LocalCharge(rule, "a", 1)], now_us)
    assert denial is not None
    assert (now_us + denial.retry_after_us) % tick_us == 0
    ready_us = now_us + denial.retry_after_us
    assert store.decide([LocalCharge(rule, "a", 1)], ready_us - 1) is not None
    assert store.decide([LocalCharge(rule, "a", 1)], ready_us) is None


def test_names_and_addresses_are_hashed_with_a_secret_of_this_process() -> None:
    names = {"by:name": ("ip", "login_name"), "by:client": ("client",)}
    rules = Rules("a", {name: Rule(name, 5, 1_000_000, key) for name, key in names.items()})
    local = LocalCharges()

    def key_of(*charge: str) -> str:
        [found] = local.of([Charge(*charge)], rules)
        return found.key

    assert re.fullmatch(r"ip:192\.0\.2\.1\|[\w-]{22}", key_of("by:name", "ip:192.0.2.1", "ann"))
    assert key_of("by:name", "ip:1", "ann") == key_of("by:name", "ip:1", "ann") != key_of("by:name", "ip:1", "bob")
    assert key_of("by:client", "ip:192.0.2.1") == "ip:192.0.2.1"
    assert re.fullmatch(r"[\w-]{22}", key_of("by:client", "Bearer secret"))
    [other] = LocalCharges().of([Charge("by:client", "Bearer secret")], rules)
    assert other.key != key_of("by:client", "Bearer secret")


def test_a_clock_that_goes_back_never_extends_a_lease_or_opens_a_window_again() -> None:
    export = Rule("export", 1, 10_000_000, kind=Kind.CONCURRENCY)
    store = LocalStore()
    assert store.decide([LocalCharge(export, "a", 1, (("x", 1),))], 100_000_000) is None
    denial = store.decide([LocalCharge(export, "a", 1, (("y", 1),))], 40_000_000)
    assert denial is not None
    assert denial.retry_after_us == 10_000_000
    window = Rule("window", 1, 10_000_000, kind=Kind.FIXED_WINDOW)
    assert store.decide([LocalCharge(window, "a", 1)], 100_000_000) is None
    assert store.decide([LocalCharge(window, "a", 1)], 99_999_999) is not None


def test_a_stream_whose_peer_reads_nothing_holds_a_bounded_number_of_requests() -> None:
    checks: OpenChecks[Future[pb.CheckResponse]] = OpenChecks()
    for _ in range(100_000):
        tag = checks.add(pb.CheckRequest(), Future(), 0.25)
        checks.cancel(tag)
    assert checks.next_request() is None, "a check that was not sent needs no cancel"
    tags = [checks.add(pb.CheckRequest(), Future(), 0.25) for _ in range(4097)]
    while checks.next_request() is not None:
        pass
    for tag in tags[:4096]:
        checks.cancel(tag)
    assert not checks.is_stuck
    checks.cancel(tags[4096])
    assert checks.is_stuck
