from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError, deadline_exceeded, unavailable
from .backoff import Backoff
from .failures import error_of_stream
from .open_checks import MAX_AGE_S, MAX_OPEN_CHECKS, RETIREMENT_S, OpenChecks


class AsyncCheckStream:
    """One CheckStream, which all tasks of an event loop share. A lost stream is opened again by the next check."""

    def __init__(self, open_call: Callable[[], Any], on_lost: Callable[[], None], addresses: int) -> None:
        self._max_age = MAX_AGE_S
        self._open_call = open_call
        self._on_lost = on_lost
        self._free = asyncio.Semaphore(MAX_OPEN_CHECKS)
        self._backoff = Backoff(addresses)
        self._stream: _Stream | None = None
        self._is_closed = False

    async def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        """Raises: RatelimitError"""
        loop = asyncio.get_running_loop()
        due = loop.time() + timeout
        await self._acquire(timeout)
        try:
            return await self._opened().check(request, max(0.0, due - loop.time()))
        finally:
            self._free.release()

    async def _acquire(self, timeout: float) -> None:
        if not self._free.locked():
            await self._free.acquire()
            return
        try:
            await asyncio.wait_for(self._free.acquire(), timeout)
        except asyncio.TimeoutError:
            raise deadline_exceeded() from None

    def close(self) -> None:
        self._is_closed = True
        if self._stream is not None:
            self._stream.end(unavailable("the client is closed"))

    def _opened(self) -> _Stream:
        if self._is_closed:
            raise unavailable("the client is closed")
        if self._stream is not None and self._stream.age > self._max_age:
            self._stream.retire()
            self._stream = None
        if self._stream is None:
            self._backoff.require_over()
            self._stream = _Stream(self._open_call(), self._lost)
        return self._stream

    def _lost(self, stream: _Stream, error: RatelimitError) -> None:
        if self._stream is not stream:
            return  # it was retired
        self._stream = None
        self._backoff.lost(error, has_worked=stream.has_worked)
        self._on_lost()


class _Stream:
    """One call of CheckStream."""

    def __init__(self, call: Any, on_lost: Callable[[_Stream, RatelimitError], None]) -> None:
        self._call = call
        self._on_lost = on_lost
        self._checks: OpenChecks[asyncio.Future[pb.CheckResponse]] = OpenChecks()
        self._has_requests = asyncio.Event()
        self._ended = False
        self._is_retired = False
        self._opened_at = asyncio.get_running_loop().time()
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]

    @property
    def has_worked(self) -> bool:
        return self._checks.has_answered

    @property
    def age(self) -> float:
        return asyncio.get_running_loop().time() - self._opened_at

    async def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[pb.CheckResponse] = loop.create_future()
        tag = self._checks.add(request, waiter, timeout)
        self._has_requests.set()
        timer = loop.call_later(timeout, self._expire, waiter)
        try:
            return await waiter
        finally:
            timer.cancel()
            self._cancel(tag)

    def retire(self) -> None:
        """Sends no further checks. Ratelimit answers the open ones, and ends the stream."""
        self._is_retired = True
        self._has_requests.set()
        asyncio.get_running_loop().call_later(RETIREMENT_S, self._call.cancel)

    def end(self, error: RatelimitError) -> None:
        """Ends the stream, and all of its open checks with this error."""
        if self._ended:
            return
        self._ended = True
        self._checks.lose(error)
        self._call.cancel()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._on_lost(self, error)

    def _expire(self, waiter: asyncio.Future[pb.CheckResponse]) -> None:
        if not waiter.done():
            self._checks.timed_out()
            waiter.set_exception(deadline_exceeded())

    def _cancel(self, tag: int) -> None:
        self._checks.cancel(tag)
        self._has_requests.set()
        if self._checks.is_stuck:
            self.end(unavailable("ratelimit does not answer its checks"))

    async def _write(self) -> None:
        try:
            while True:
                await self._has_requests.wait()
                self._has_requests.clear()
                while (request := self._checks.next_request()) is not None:
                    await self._call.write(request)
                if self._is_retired:
                    await self._call.done_writing()
                    return
        except (grpc.RpcError, asyncio.InvalidStateError):
            pass  # the reader gets the stream's status

    async def _read(self) -> None:
        try:
            async for response in self._call:
                self._checks.answer(response)
            self.end(unavailable("ratelimit has ended the stream"))
        except grpc.RpcError as error:
            self.end(error_of_stream(error))
