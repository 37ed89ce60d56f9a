from __future__ import annotations

import time
from typing import Generic, Protocol, TypeVar

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError
from .failures import error_of_status

MAX_OPEN_CHECKS = 1_024
MAX_AGE_S = 300.0
"""A stream belongs to one replica. So it is replaced at this age, and new replicas get their share."""
RETIREMENT_S = 5.0
"""The time that the replaced stream has to answer its open checks."""
_MAX_WAITING = 4 * MAX_OPEN_CHECKS
_MAX_SILENCE_S = 1.0
"""A stream ends when checks have timed out for so long without a response: its replica may be lost behind a proxy."""
_TAGS = 2**32


class Waiter(Protocol):
    """A future of concurrent.futures or of asyncio."""

    def done(self) -> bool: ...
    def set_result(self, result: pb.CheckResponse, /) -> None: ...
    def set_exception(self, exception: BaseException, /) -> None: ...


WaiterT = TypeVar("WaiterT", bound=Waiter)


class OpenChecks(Generic[WaiterT]):
    """The checks of one stream that wait for their responses, and the requests that wait to be sent."""

    def __init__(self) -> None:
        self._waiters: dict[int, WaiterT] = {}
        self._waiting: dict[int, pb.CheckRequest] = {}
        self._tag = 0
        self._silent_since: float | None = None
        """The time of the first timeout since the last response."""
        self.has_answered = False

    def add(self, request: pb.CheckRequest, waiter: WaiterT, timeout: float) -> int:
        """Adds a check. Returns its tag."""
        while (tag := self._next_tag()) in self._waiters:
            pass
        request.tag = tag
        request.timeout_ms = max(1, int(timeout * 1000))
        self._waiters[tag] = waiter
        self._waiting[tag] = request
        return tag

    def cancel(self, tag: int) -> None:
        """The caller of a check waits no longer."""
        if self._waiters.pop(tag, None) is None:
            return  # it is answered
        if self._waiting.pop(tag, None) is None:
            self._waiting[tag] = pb.CheckRequest(tag=tag, cancel=True)

    def timed_out(self) -> None:
        """A check has had no response in time."""
        if self._silent_since is None:
            self._silent_since = time.monotonic()

    def next_request(self) -> pb.CheckRequest | None:
        """Takes the request that has waited longest."""
        for tag in self._waiting:
            return self._waiting.pop(tag)
        return None

    def answer(self, response: pb.CheckResponse) -> None:
        """Passes a response on. The response to a cancelled check is dropped."""
        self.has_answered = True
        self._silent_since = None
        waiter = self._waiters.pop(response.tag, None)
        if waiter is None or waiter.done():
            return
        if response.HasField("error"):
            waiter.set_exception(error_of_status(response.error))
        else:
            waiter.set_result(response)

    def lose(self, error: RatelimitError) -> None:
        """Ends all open checks when the stream has ended."""
        waiters = [waiter for waiter in self._waiters.values() if not waiter.done()]
        self._waiters.clear()
        self._waiting.clear()
        for waiter in waiters:
            waiter.set_exception(error.copy())

    @property
    def is_stuck(self) -> bool:
        """Whether ratelimit answers nothing, or reads so little that too many requests wait."""
        if self._silent_since is not None and time.monotonic() - self._silent_since >= _MAX_SILENCE_S:
            return True
        return len(self._waiting) > _MAX_WAITING

    def _next_tag(self) -> int:
        self._tag = (self._tag + 1) % _TAGS
        return self._tag
