"""What holds for the process: forks, event loops, the log."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys

import pytest
from conftest import Connect, eventually
from fake_ratelimit import FakeRatelimit

from gatehouse_ratelimit import AsyncRateLimits, Charge

SEARCH = [[Charge("search", "account:1")]]

FORKED = """
import os, sys
from gatehouse_ratelimit import Charge, RateLimits

def check():
    try:
        return limits.check([[Charge("search", "account:1")]])
    except RuntimeError as error:
        return error

limits = RateLimits(sys.argv[1], timeout=20)
if os.fork() == 0:
    print("a child of an unused client:", check(), limits.counts.local, flush=True)
    os._exit(0)
os.wait()
print("the parent:", check(), limits.counts.local, flush=True)
if os.fork() == 0:
    print("a child of a used client:", check(), flush=True)
    os._exit(0)
os.wait()
"""


def test_a_client_works_in_a_forked_process_unless_it_was_used_before(ratelimit: FakeRatelimit) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "GRPC_VERBOSITY": "NONE"}
    command = [sys.executable, "-W", "ignore", "-c", FORKED, ratelimit.address]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
    assert said.splitlines() == [
        "a child of an unused client: None 0",
        "the parent: None 0",
        "a child of a used client: this client was used before the fork: make one in each process",
    ]


LEFT_OPEN = """
import atexit, sys, threading
from gatehouse_ratelimit import Charge, RateLimits

def running():
    return sum(thread.name == "gatehouse-ratelimit-stream" for thread in threading.enumerate())

atexit.register(lambda: print(running(), "at the end", flush=True))
for _ in range(2):
    limits = RateLimits(sys.argv[1], timeout=20)
    limits.check([[Charge("search", "account:1")]])
    print(running(), "while it is open", flush=True)
    if len(sys.argv) > 2:
        limits.close()
        print(running(), "once it is closed", flush=True)
"""


@pytest.mark.parametrize("closes", [True, False])
def test_no_thread_of_a_stream_outlives_the_client_or_the_program(ratelimit: FakeRatelimit, closes: bool) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LEFT_OPEN, ratelimit.address, *(["close"] if closes else [])]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
    expected = (
        ["1 while it is open", "0 once it is closed"] * 2 if closes else ["1 while it is open", "2 while it is open"]
    )
    assert said.splitlines() == [*expected, "0 at the end"]


def test_an_async_client_belongs_to_one_event_loop(ratelimit: FakeRatelimit) -> None:
    limits = AsyncRateLimits(ratelimit.address, timeout=20)
    first = asyncio.new_event_loop()
    assert first.run_until_complete(limits.check(SEARCH)) is None
    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(limits.check(SEARCH))
    first.run_until_complete(limits.close())


def test_the_log_says_that_limits_are_decided_here_and_names_no_identity(
    connect: Connect, ratelimit: FakeRatelimit, caplog: pytest.LogCaptureFixture
) -> None:
    limits = connect(ratelimit.address, timeout=0.5)
    with caplog.at_level(logging.INFO, "gatehouse_ratelimit"):
        ratelimit.stop()
        eventually(lambda: limits.check(SEARCH) is None and limits.is_breaker_open)
        ratelimit.start()
        eventually(lambda: "ratelimit answers again" in caplog.text)
    assert "ratelimit does not answer: limits are decided here (1 checks" in caplog.text
    assert "account:1" not in caplog.text


@pytest.mark.parametrize("options", [{"timeout": 0}, {"timeout": -1}, {"replicas": 0}])
def test_options_out_of_range_are_refused(connect: Connect, options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="timeout must be above 0"):
        connect("127.0.0.1:1", **options)


def test_charges_of_other_types_are_refused_before_a_call(connect: Connect, ratelimit: FakeRatelimit) -> None:
    limits = connect(ratelimit.address)
    with pytest.raises(TypeError, match="a check takes sets of charges"):
        limits.check([Charge("search", "account:1")])  # type: ignore[list-item]
    with pytest.raises(UnicodeEncodeError):
        limits.check([[Charge("search", "\ud800")]])
    with pytest.raises(ValueError, match="out of range"):
        limits.check([[Charge("search", "account:1", cost=-1)]])
    assert ratelimit.checks == []
