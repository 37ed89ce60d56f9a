"""The check stream, with both clients and a ratelimit on a real port."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from conftest import Connect, FromThreads, eventually
from fake_ratelimit import FakeRatelimit, admit, stay_silent
from google.rpc import error_details_pb2, status_pb2

from gatehouse_ratelimit import Charge, RatelimitError
from gatehouse_ratelimit._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

REPORT = [[Charge("report", "account:1")]]
SEARCH = [[Charge("search", "account:1")]]


def test_all_threads_share_one_stream_and_each_gets_its_own_answer(connect: Connect, ratelimit: FakeRatelimit) -> None:
    held: list[pb.CheckResponse] = []

    def answer_in_reverse(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
        wait = int(request.sets[0].charges[0].identities[0])
        denial = pb.Denial(bucket="report", limit=10, retry_after_us=wait, empty_after_us=wait)
        held.append(pb.CheckResponse(denial=denial, tag=request.tag, degraded=True))
        if len(held) == 32:
            yield from reversed(held)

    ratelimit.decide = answer_in_reverse
    limits = connect(ratelimit.address)

    def wait_of(number: int) -> int:
        denial = limits.check([[Charge("report", str(number))]])
        assert denial is not None
        return denial.retry_after_us

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(wait_of, range(1, 33))) == list(range(1, 33))
    assert ratelimit.streams == 1
    assert len({request.tag for request in ratelimit.checks}) == 32


class FarAway:
    """A proxy of ratelimit whose first bytes of each connection arrive half a second late."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._target = (host, int(port))
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        while True:
            try:
                client = self._server.accept()[0]
                server = socket.create_connection(self._target)
            except OSError:
                return
            threading.Thread(target=_copy, args=(client, server, 0.0), daemon=True).start()
            threading.Thread(target=_copy, args=(server, client, 0.5), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket, delay: float) -> None:
    time.sleep(delay)
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return


def test_a_connection_that_takes_half_a_second_is_used(connect: Connect, ratelimit: FakeRatelimit) -> None:
    proxy = FarAway(ratelimit.address)
    limits = connect(proxy.address, timeout=10)
    assert limits.check(REPORT) is None
    assert limits.counts.local == 0
    assert len(ratelimit.checks) == 1
    proxy.close()


def test_a_check_says_its_charges_and_its_time(connect: Connect, ratelimit: FakeRatelimit) -> None:
    limits = connect(ratelimit.address, timeout=20)
    charge = Charge("own", "account:1", "channel:2", cost=3, lease_id="a")
    assert limits.check([[charge], [Charge("report", "account:1")]]) is None
    [request] = ratelimit.checks
    assert 15_000 < request.timeout_ms <= 20_000
    [first], [second] = [list(charges.charges) for charges in request.sets]
    assert first == pb.Charge(bucket="own", identities=["account:1", "channel:2"], cost=3, lease_id="a")
    assert second == pb.Charge(bucket="report", identities=["account:1"], cost=1)


def test_an_error_of_a_check_is_raised_and_the_stream_continues(connect: Connect, ratelimit: FakeRatelimit) -> None:
    def refuse(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
        error = status_pb2.Status(code=grpc.StatusCode.INVALID_ARGUMENT.value[0], message="No such bucket.")
        error.details.add().Pack(error_details_pb2.ErrorInfo(reason="UNKNOWN_BUCKET"))
        yield pb.CheckResponse(error=error)

    ratelimit.decide = refuse
    limits = connect(ratelimit.address)
    for _ in range(6):
        with pytest.raises(RatelimitError, match="No such bucket") as raised:
            limits.check(REPORT)
        assert raised.value.code is grpc.StatusCode.INVALID_ARGUMENT
        assert raised.value.reason == "UNKNOWN_BUCKET"
    assert not limits.is_breaker_open
    ratelimit.decide = admit
    assert limits.check(REPORT) is None
    assert ratelimit.streams == 1
    assert limits.counts.local == 0


def test_a_check_without_an_answer_is_decided_here_and_cancelled(connect: Connect, ratelimit: FakeRatelimit) -> None:
    limits = connect(ratelimit.address, timeout=2)
    eventually(lambda: limits.check(REPORT) is None and len(ratelimit.checks) > 0)
    ratelimit.decide = stay_silent
    before = limits.counts.local
    assert limits.check(REPORT) is None
    assert limits.counts.local == before + 1
    tag = ratelimit.checks[-1].tag
    eventually(lambda: tag in ratelimit.cancelled)
    ratelimit.decide = admit
    assert limits.check(REPORT) is None
    assert ratelimit.streams == 1


def test_a_stream_that_answers_nothing_is_replaced(connect: Connect, ratelimit: FakeRatelimit) -> None:
    ratelimit.decide = stay_silent
    limits = connect(ratelimit.address, timeout=0.05)

    def is_replaced() -> bool:
        limits.check(REPORT)
        return ratelimit.streams > 1

    eventually(is_replaced)


def test_after_a_lost_stream_open_checks_are_decided_here_and_the_next_one_reconnects(
    connect: Connect, ratelimit: FakeRatelimit
) -> None:
    ratelimit.decide = stay_silent
    limits = connect(ratelimit.address)
    with ThreadPoolExecutor(20) as pool:
        checks = [pool.submit(limits.check, REPORT) for _ in range(20)]
        eventually(lambda: len(ratelimit.checks) == 20)
        ratelimit.stop()
        assert [check.result() for check in checks].count(None) == 10  # report has 10 tokens
    assert limits.counts.local == 20
    assert not limits.is_breaker_open, "they count once"
    ratelimit.decide = admit
    ratelimit.start()
    eventually(lambda: limits.check(SEARCH) is None and ratelimit.streams == 2)


def test_while_ratelimit_is_away_the_breaker_opens_and_closes_when_it_is_back(
    connect: Connect, ratelimit: FakeRatelimit
) -> None:
    limits = connect(ratelimit.address, timeout=0.5)
    assert limits.check(SEARCH) is None
    ratelimit.stop()
    eventually(lambda: limits.check(SEARCH) is None and limits.is_breaker_open)
    ratelimit.checks.clear()
    ratelimit.start()
    eventually(lambda: not limits.is_breaker_open)
    assert ratelimit.checks == []
    eventually(lambda: limits.check(SEARCH) is None and len(ratelimit.checks) > 0)


def test_peek_and_refund(connect: Connect, ratelimit: FakeRatelimit) -> None:
    ratelimit.states = [pb.BucketState(bucket="report", limit=10, remaining=4, empty_after_us=7)]
    limits = connect(ratelimit.address)
    [state] = limits.peek([Charge("report", "account:1")])
    assert (state.bucket, state.limit, state.remaining, state.retry_after_us, state.empty_after_us) == (
        "report",
        10,
        4,
        0,
        7,
    )
    limits.refund([Charge("report", "account:1", cost=2)])
    assert ratelimit.refunds == [pb.Charge(bucket="report", identities=["account:1"], cost=2)]
    ratelimit.stop()
    for call in (limits.peek, limits.refund):
        with pytest.raises(RatelimitError) as raised:
            call([Charge("report", "account:1")])
        assert raised.value.is_outage


@pytest.mark.parametrize("order", [0, 1])
def test_of_several_addresses_one_that_answers_is_used(connect: Connect, ratelimit: FakeRatelimit, order: int) -> None:
    dead = FakeRatelimit()
    dead.stop()
    addresses = [dead.address, ratelimit.address]
    limits = connect(",".join(addresses[order:] + addresses[:order]))
    eventually(lambda: limits.check(SEARCH) is None and bool(ratelimit.checks))
    ratelimit.stop()
    dead.start()
    eventually(lambda: limits.check(SEARCH) is None and bool(dead.checks))
    dead.stop()


def test_rules_are_those_that_ratelimit_serves(connect: Connect, ratelimit: FakeRatelimit) -> None:
    rule = pb.Bucket(name="own", limit=2, window_seconds=3600, key=["account"], policy=pb.FAILURE_POLICY_LOCAL)
    ratelimit.buckets = pb.ListBucketsResponse(revision="own", buckets=[rule])
    limits = connect(ratelimit.address)
    assert limits.check(REPORT) is None
    core = limits.limits._core if isinstance(limits, FromThreads) else limits._core
    eventually(lambda: core._rules.revision == "own")
    ratelimit.stop()
    own = [[Charge("own", "account:1")]]
    assert [limits.check(own) is None for _ in range(3)] == [True, True, False]


def test_no_more_than_1024_checks_are_open(ratelimit: FakeRatelimit) -> None:
    limits = FromThreads(ratelimit.address, timeout=20)
    assert limits.check(REPORT) is None
    ratelimit.decide = stay_silent
    ratelimit.checks.clear()
    with ThreadPoolExecutor(1) as pool:

        async def many() -> None:
            await asyncio.gather(*[limits.limits.check(SEARCH) for _ in range(1100)])

        checks = pool.submit(limits.run, many())
        eventually(lambda: len(ratelimit.checks) == 1024)
        limits.peek([Charge("search", "account:1")])  # a further check would have come before it
        assert len(ratelimit.checks) == 1024
        limits.close()
        checks.result()


def test_a_closed_client_decides_by_itself(connect: Connect, ratelimit: FakeRatelimit) -> None:
    limits = connect(ratelimit.address)
    limits.close()
    assert limits.check(REPORT) is None
    assert limits.counts.local == 1


def test_an_old_stream_is_replaced_and_still_answers_its_open_checks(
    connect: Connect, ratelimit: FakeRatelimit
) -> None:
    limits = connect(ratelimit.address)
    assert limits.check(SEARCH) is None
    stream = (limits.limits if isinstance(limits, FromThreads) else limits)._transport._stream  # type: ignore[union-attr]
    held = threading.Event()

    def wait(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
        held.wait()
        yield pb.CheckResponse()

    ratelimit.decide = wait
    with ThreadPoolExecutor(2) as pool:
        early = pool.submit(limits.check, SEARCH)
        eventually(lambda: len(ratelimit.checks) == 2)
        stream._max_age = 0
        late = pool.submit(limits.check, SEARCH)
        eventually(lambda: ratelimit.streams == 2)
        held.set()
        assert [early.result(), late.result()] == [None, None]
    ratelimit.decide = admit
    for _ in range(20):
        assert limits.check(SEARCH) is None
    assert ratelimit.streams > 2
    assert limits.counts.local == 0


def test_a_check_that_would_end_the_stream_for_all_is_refused_before(
    connect: Connect, ratelimit: FakeRatelimit
) -> None:
    limits = connect(ratelimit.address)
    with pytest.raises(RatelimitError, match="at most 256 KiB") as raised:
        limits.check([[Charge("search", "a" * 300_000)]])
    assert raised.value.code is grpc.StatusCode.INVALID_ARGUMENT
    with pytest.raises(UnicodeDecodeError):
        limits.check([[Charge("search", b"\xff")]])  # type: ignore[arg-type]
    assert ratelimit.checks == []


@pytest.mark.parametrize("address", ["", "localhost", ":1", "a:b", "127.0.0.1:1,"])
def test_an_address_without_host_or_port_is_refused(connect: Connect, address: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        connect(address)
